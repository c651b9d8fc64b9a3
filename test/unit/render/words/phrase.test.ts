import { describe, expect, it } from 'vitest';
import { counted, fill, grouped } from '../../../../src/render/words/phrase.ts';
import { terminal } from '../../../../src/render/sinks/sinks.ts';

describe('filling a phrase', () => {
  it.each([
    ['plain', {}, 'plain'],
    ['of {name}', { name: 'x' }, 'of x'],
    ['of {name=it}', {}, 'of it'],
    ['of {name=it}', { name: '' }, 'of it'],
    ['has {n|device|devices}', { n: 1 }, 'has 1 device'],
    ['has {n|device|devices}', { n: 1200 }, 'has 1,200 devices'],
    ['has {n|device|devices}', {}, 'has devices'],
    ['on {n|device|devices} such as {x}', { n: 2, x: 'cam' }, 'on 2 devices such as cam'],
    ['on {n|device|devices} such as {x}', { n: 1, x: 'cam' }, 'on cam'],
    ['on {n|device|devices}[ such as {x}]', { n: 1 }, 'on 1 device'],
    ['a[ of {x}]', {}, 'a'],
    ['a[ of {x}]', { x: 'b' }, 'a of b'],
    ['a[ of {x} and {y}]', { x: 'b' }, 'a'],
    ['[Did you mean {x}?||Choose one.]', {}, 'Choose one.'],
    ['[Did you mean {x}?||Choose one.]', { x: 'b' }, 'Did you mean b?'],
    ['of {name}', {}, 'of (not said)'],
    ['process {pid}', { pid: 4711 }, 'process 4711'],
    ['write {fromEnv: NAME}', {}, 'write {fromEnv: NAME}'],
    ['is {x}', { x: true }, 'is true'],
    ['is {x}', { x: '{y} $& [z]', y: 'no' }, 'is {y} $& [z]'],
  ])('%j with %j is %j', (phrase, params, text) => {
    expect(fill(phrase, params, terminal)).toBe(text);
  });

  it('groups a count without a noun, and no other number', () => {
    expect(fill('{n#} of {n|device|devices} on port {n}', { n: 14400 }, String)).toBe(
      '14,400 of 14,400 devices on port 14400',
    );
  });

  it('sends parameters through the sink and not the sentence', () => {
    expect(fill('a\n{x}', { x: '\n' }, terminal)).toBe('a\n\\u{a}');
  });
});

it('groups digits by three', () => {
  expect([1, 999, 1000, 1234567, 12.345].map(grouped)).toEqual([
    '1',
    '999',
    '1,000',
    '1,234,567',
    '12.3',
  ]);
  expect([counted(1, 'site'), counted(0, 'site')]).toEqual(['1 site', '0 sites']);
  expect([counted(1, 'policy'), counted(2, 'more policy')]).toEqual([
    '1 policy',
    '2 more policies',
  ]);
  expect(counted(2, 'day')).toBe('2 days');
});
