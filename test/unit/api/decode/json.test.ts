import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, parseAnswerJson } from '../../../../src/api/decode/parse-json.ts';

const parse = (text: string) => parseAnswerJson(Buffer.from(text));

describe('reading JSON', () => {
  it.each([
    ['', 'cut'],
    ['{"devices":[{"id":"a"', 'cut'],
    ['{"devices":[{"id":"a', 'cut'],
    ['[1,2', 'cut'],
    ['<!doctype html><a href="x>', 'notJson'],
    ['  <html>{', 'notJson'],
    ['{"a":1}}', 'notJson'],
    ['{"a":tru}', 'notJson'],
    ['OK', 'notJson'],
    ['['.repeat(MAX_JSON_DEPTH + 1) + ']'.repeat(MAX_JSON_DEPTH + 1), 'tooDeep'],
    ['{"a":'.repeat(100_000), 'tooDeep'],
  ])('says what is wrong with %.40s', (text, problem) => {
    expect(parse(text)).toEqual({ problem });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(parseAnswerJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ problem: 'notJson' });
  });

  it('Y9 takes nesting up to the limit, and brackets in texts do not nest', () => {
    const deep = '['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH);
    expect('value' in parse(deep)).toBe(true);
    const text = `${'['.repeat(50)}\\"${'{'.repeat(50)}`;
    expect(parse(`{"name":"${text}"}`)).toHaveProperty('value');
  });

  it('Y9 refuses a valid answer of a million levels, wherever they are', () => {
    const million = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    expect(parse(million)).toEqual({ problem: 'tooDeep' });
    expect(parse(`{"total":1,"devices":[{"id":"a","b":${million}}]}`)).toEqual({
      problem: 'tooDeep',
    });
    const deep = '{"a":'.repeat(MAX_JSON_DEPTH + 1) + '1' + '}'.repeat(MAX_JSON_DEPTH + 1);
    expect(parse(deep)).toEqual({ problem: 'tooDeep' });
    expect(parse(`[${deep.slice(5, -1)}]`)).toEqual({ problem: 'tooDeep' });
    expect(parse(deep.slice(5, -1))).toHaveProperty('value');
  });

  it('lets no text of hidden brackets smuggle depth', () => {
    const hidden = `["${']'.repeat(40)}",`.repeat(MAX_JSON_DEPTH + 1);
    expect(parse(hidden)).toEqual({ problem: 'tooDeep' });
  });

  it('gives a member named __proto__ no power', () => {
    const parsed = parse('{"__proto__":{"status":"online"},"id":"a"}');
    const value = 'value' in parsed ? (parsed.value as Record<string, unknown>) : {};
    expect(value['status']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });
});
