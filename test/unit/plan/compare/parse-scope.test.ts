import { describe, expect, it } from 'vitest';
import { MAX_SCOPE, parseScope } from '../../../../src/plan/compare/parse-scope.ts';
import { hostileNames } from '../../../support/hostile.ts';

const NOTHING = { only: [], site: [], device: [] };

describe('G9 a Scope trailer as understood', () => {
  it.each([
    ['firmware.axis-*', { only: ['firmware.axis-*'] }],
    ['firmware.axis-*, site HQ*', { only: ['firmware.axis-*'], site: ['HQ*'] }],
    ['site HQ Berlin,site: Lyon ,Site:Oslo*', { site: ['HQ Berlin', 'Lyon', 'Oslo*'] }],
    ['device cam-1, device: dev-2', { device: ['cam-1', 'dev-2'] }],
    ['site "Paris, North"', { site: ['Paris, North'] }],
    ['"firmware.a b", site "x"', { only: ['firmware.a b'], site: ['x'] }],
    ['site site', { site: ['site'] }],
    ['*', { only: ['*'] }],
  ])('%s', (text, part) => {
    expect(parseScope(text)).toEqual({ part: { ...NOTHING, ...part }, problems: [] });
  });

  it.each([
    ['at most 20 devices', 20, {}],
    ['At most 1 device', 1, {}],
    ['site Lyon, at most 0 devices', 0, { site: ['Lyon'] }],
  ])('%s is a limit', (text, atMost, part) => {
    expect(parseScope(text)).toEqual({ part: { ...NOTHING, ...part }, atMost, problems: [] });
  });

  it.each([
    ['', 'empty'],
    ['firmware.a,', 'empty'],
    [',', 'empty'],
    ['the lobby cameras', 'item'],
    ['site', 'item'],
    ['device:', 'item'],
    ['site ""', 'item'],
    ['at most twenty devices', 'item'],
    ['at most 20', 'item'],
    ['at most -1 devices', 'item'],
    ['at most 9999999999 devices', 'item'],
    ['at most 1,200 devices', 'item'],
    ['at most 2 devices, at most 3 devices', 'twice'],
    ['site "Lyon', 'quote'],
    ['x'.repeat(MAX_SCOPE + 1), 'tooLong'],
  ])('“%s” is malformed: %s', (text, why) => {
    const { problems } = parseScope(text);
    expect(problems.length).toBeGreaterThan(0);
    for (const { code, params } of problems)
      expect([code, params['why']]).toEqual(['malformed', why]);
  });

  it('reports each item that it does not understand, and keeps the others', () => {
    const { part, problems } = parseScope('no policy, firmware.a, nor this');
    expect(problems.map(({ params }) => params['item'])).toEqual(['no policy', 'nor this']);
    expect(part.only).toEqual(['firmware.a']);
  });

  it('understands or refuses whatever anybody writes', () => {
    for (const text of hostileNames(300))
      for (const written of [text, `site ${text}`, `site "${text}"`, `${text}, at most 2 devices`])
        expect(() => parseScope(written)).not.toThrow();
  });
});
