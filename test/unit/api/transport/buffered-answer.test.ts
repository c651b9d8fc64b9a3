import { expect, test } from 'vitest';
import { BufferedAnswer } from '../../../../src/api/transport/buffered-answer.ts';

const BODIES = ['', '{"a":[1,"ü"]}', '\uFEFF{"a":1}', 'x'.repeat(10_000)];

test.each(BODIES)('an answer in memory reads as a response of the same bytes', async (body) => {
  const headers = new Headers({ 'content-type': 'application/json' });
  const own = () => new BufferedAnswer(Buffer.from(body), { status: 207, headers });
  const plain = () => new Response(Buffer.from(body), { status: 207, headers });
  expect(own()).toBeInstanceOf(Response);
  expect([own().status, own().ok, own().headers.get('content-type')]).toEqual([
    207,
    true,
    'application/json',
  ]);
  expect(await own().text()).toBe(await plain().text());
  expect(await own().arrayBuffer()).toEqual(await plain().arrayBuffer());
  expect(
    await own()
      .json()
      .catch(() => 'refused'),
  ).toEqual(
    await plain()
      .json()
      .catch(() => 'refused'),
  );
  const traced = own();
  expect(await traced.clone().text()).toBe(await plain().text());
  expect(await traced.text()).toBe(await plain().text());
});
