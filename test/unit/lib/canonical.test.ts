import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, type Json } from '../../../src/lib/canonical.ts';

describe('canonical JSON', () => {
  it('has the bytes of RFC 8785', () => {
    const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[what: string, value: Json, text: string]>([
    ['numbers as JavaScript does', [1e21, 1e-7, -0, 0.1], '[1e+21,1e-7,0,0.1]'],
    [
      'keys by code unit',
      { '\u{1f600}': 1, '\ufb33': 2, '10': 3, '9': 4 },
      '{"10":3,"9":4,"\u{1f600}":1,"\ufb33":2}',
    ],
    ['control characters in short', { '\b': '\u000f\n"' }, '{"\\b":"\\u000f\\n\\""}'],
    ['an absent member not at all', { a: undefined, b: null }, '{"b":null}'],
  ])('writes %s', (_, value, text) => {
    expect(canonical(value)).toBe(text);
    expect(canonicalize(value)).toBe(text);
  });

  it('writes half a character, which the package refuses, since a device may be named so', () => {
    expect(canonical({ name: '\ud800' })).toBe('{"name":"\\ud800"}');
    expect(() => canonicalize({ name: '\ud800' })).toThrow('Lone surrogate');
  });
});
