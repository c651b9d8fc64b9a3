import { describe, expect, it, test } from 'vitest';
import { bodyBytes, bodyText, isSuccess, overFetch } from '../../../src/model/http.ts';
import { answer, request } from '../../support/http.ts';

const BODIES = ['', '{"a":[1,"ü"]}', '\uFEFF{"a":1}', 'x'.repeat(10_000)];
/** Not UTF-8. */
const ODD = Uint8Array.of(0x7b, 0xff, 0x7d);

test.each([...BODIES.map((body) => Buffer.from(body)), ODD])(
  'the body of an answer reads as that of a response of the same bytes',
  async (bytes) => {
    expect(bodyText(answer(bytes))).toBe(await new Response(Buffer.from(bytes)).text());
    expect(bodyBytes(answer(bytes)).equals(bytes)).toBe(true);
  },
);

test('a value in place of a body reads as its JSON', () => {
  const value = { a: [1, 'ü'], b: undefined };
  expect(bodyText(answer({ value }))).toBe('{"a":[1,"ü"]}');
  expect(bodyBytes(answer({ value })).toString()).toBe('{"a":[1,"ü"]}');
});

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('whether %i is a success: %s', (status, expected) => {
  expect(isSuccess(answer('', { status }))).toBe(expected);
});

describe('a transport over a function like fetch', () => {
  it('hands on the whole request, and follows no redirect', async () => {
    const seen: unknown[] = [];
    const send = overFetch(async (asked) => {
      const { method, url, redirect, headers, signal } = asked;
      const login = headers.get('authorization');
      seen.push(method, url, redirect, login, await asked.text(), signal.aborted);
      return new Response();
    });
    const headers = { authorization: 'Bearer x' };
    const { signal } = new AbortController();
    await send(request('https://a.test/b?c=1', { method: 'POST', headers, body: 'text', signal }));
    expect(seen).toEqual(['POST', 'https://a.test/b?c=1', 'manual', 'Bearer x', 'text', false]);
  });

  it('joins a header that comes twice, under a name in lower case', async () => {
    const headers = [
      ['X-Page', '1'],
      ['X-Page', '2'],
    ] as [string, string][];
    const send = overFetch(async () => new Response(ODD, { status: 503, headers }));
    const { status, headers: got, body } = await send(request('https://a.test/'));
    expect([status, got, body]).toEqual([503, { 'x-page': '1, 2' }, ODD]);
  });
});
