import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import type { Plan, PlanBase } from '../../../../src/model/plan/plan.ts';
import type { PlanScope } from '../../../../src/model/plan/scope.ts';
import { loadTexts } from '../../../../src/config/load.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { judgeScope } from '../../../../src/plan/compare/judge-scope.ts';
import { aDevice, aSnapshot } from '../../../support/plan-fleet.ts';
import { change, planOf } from '../../../support/render-plan.ts';

const TEXT = `service: {baseUrl: https://api.example.com, organization: acme}
firmware:
  axis-p32: {select: {vendor: Axis}, version: "11.11.73", windows: anytime}
  bosch: {select: {vendor: Bosch}, version: "9.0.1", windows: anytime}
restarts:
  dark: {when: {status: offline, for: 20m}, select: {deviceType: camera}, windows: anytime}
`;
const { documents } = loadTexts([{ path: 'fleet/a.yaml', text: TEXT }]);
if (!documents) throw new Error('the documents of this test are invalid');

const HQ = [{ id: 's1', name: 'HQ Berlin' }];
const LYON = [{ id: 's2', name: 'Lyon' }];
const snapshot = aSnapshot([
  aDevice('a', { sites: HQ }),
  aDevice('b', { sites: HQ }),
  aDevice('c', { sites: LYON }),
  aDevice('d', { sites: LYON, name: 'twice' }),
  aDevice('e', { sites: LYON, name: 'twice' }),
]);

const AXIS = ['a', 'b', 'c'].map((id) => change({ id }));
const restart = (id: string): Change =>
  change(
    { id },
    {
      task: 'restartDevice',
      policy: 'restarts.dark',
      at: { policy: 'restarts.dark', file: 'f', line: 1, column: 1 },
    },
  );

interface Request {
  readonly now?: readonly Change[];
  readonly before?: readonly Change[];
  readonly plan?: Partial<Plan>;
  readonly base?: Partial<PlanBase>;
}

/** The scope of a request that causes an upgrade of three cameras, if not said otherwise. */
function judged(
  texts: readonly string[],
  { now = AXIS, before = [], plan = {}, base = {} }: Request = {},
): PlanScope {
  const about = { ref: 'main', commit: 'b'.repeat(40) };
  const compared = compareWithBase(planOf(now, plan), planOf(before), about);
  if (!compared.base) throw new Error('it was compared');
  const trailers = texts.map((text) => ({ commit: 'c'.repeat(40), text }));
  const input = { trailers, earlier: before, sides: [documents], snapshot };
  return judgeScope({ ...compared, base: { ...compared.base, ...base } }, input as never);
}

const problemsOf = ({ trailers }: PlanScope) =>
  trailers.map(({ problems }) => problems.map(({ code }) => code));

describe('G9 the scope of a request', () => {
  it.each([
    ['firmware.axis-*'],
    ['firmware.axis-p32, firmware.bosch'],
    ['site HQ*, site Lyon'],
    ['site s1, site s2, firmware.*'],
    ['device a, device b, device c'],
    ['device name of a, device b, device c, at most 3 devices'],
    ['*, at most 3 devices'],
    ['at most 3 devices'],
  ])('“%s” includes all that it causes', (text) => {
    const scope = judged([text]);
    expect(problemsOf(scope)).toEqual([[]]);
    expect(scope).toMatchObject({ passed: true, changes: 3, devices: 3 });
    expect(scope.outside).toEqual({ changes: 0, devices: 0, classes: [] });
  });

  it('names what is outside, by policy, with its numbers', () => {
    const scope = judged(['firmware.*, site HQ*'], { now: [...AXIS, restart('a'), restart('d')] });
    expect(scope).toMatchObject({ passed: false, changes: 5, devices: 4 });
    expect(scope.outside).toMatchObject({ changes: 3, devices: 3 });
    expect(scope.outside.classes).toMatchObject([
      {
        policy: 'restarts.dark',
        task: 'restartDevice',
        count: 2,
        devices: [{ id: 'a' }, { id: 'd' }],
      },
      { policy: 'firmware.axis-p32', count: 1, devices: [{ id: 'c' }] },
    ]);
  });

  it('adds up the parts of several commits', () => {
    const now = [...AXIS, restart('d')];
    expect(judged(['firmware.axis-p32, site HQ*', 'site Lyon'], { now }).passed).toBe(true);
    expect(judged(['firmware.axis-p32, site HQ*', 'restarts.*'], { now }).outside.changes).toBe(1);
  });

  it('holds each limit for all devices of its trailer, whatever the others include', () => {
    const scope = judged(['firmware.*, at most 2 devices', 'site *, at most 3 devices']);
    expect(problemsOf(scope)).toEqual([['overLimit'], []]);
    expect(scope.trailers[0]?.problems[0]?.params).toEqual({ devices: 3, limit: 2 });
  });

  it('takes a limit alone for the whole request, and it includes nothing', () => {
    const now = [...AXIS, restart('d')];
    const scope = judged(['at most 3 devices', 'firmware.*'], { now });
    expect(problemsOf(scope)).toEqual([['overLimit'], []]);
    expect(scope.outside.changes).toBe(1);
    expect(judged(['at most 4 devices', 'at most 9 devices'], { now }).passed).toBe(true);
  });

  it('counts a device once, whatever is done to it', () => {
    expect(judged(['at most 3 devices'], { now: [...AXIS, restart('a')] }).passed).toBe(true);
  });

  it('refuses a trailer that matches nothing of what it causes', () => {
    const scope = judged(['firmware.axis-p32', 'firmware.bosch']);
    expect(problemsOf(scope)).toEqual([[], ['nothing']]);
    expect(scope.passed).toBe(false);
    expect(problemsOf(judged(['firmware.axis-p32'], { now: AXIS, before: AXIS }))).toEqual([
      ['nothing'],
    ]);
  });

  it.each([
    [
      'firmware.axsi-p32',
      { what: 'policy', value: 'firmware.axsi-p32', suggestion: 'firmware.axis-p32' },
    ],
    ['site Lyno', { what: 'site', value: 'Lyno', suggestion: 'Lyon' }],
    ['device zzzzzz', { what: 'device', value: 'zzzzzz' }],
    ['device twice', { what: 'device', value: 'twice', matches: 2, ids: 'd, e' }],
  ])('“%s” names nothing that exists, and includes nothing', (text, params) => {
    const scope = judged([text, 'firmware.axis-p32']);
    expect(scope.trailers[0]).toMatchObject({ devices: 0, problems: [{ code: 'unknown' }] });
    expect(scope.trailers[0]?.problems[0]?.params).toEqual(params);
    expect(scope.passed).toBe(false);
  });

  it('refuses a malformed trailer, which includes nothing', () => {
    const scope = judged(['whatever I like']);
    expect(problemsOf(scope)).toEqual([['malformed']]);
    expect(scope.passed).toBe(false);
  });

  it('refuses one trailer more than it judges', () => {
    const texts = Array.from({ length: 101 }, (_, n) => `firmware.*, at most ${n + 3} devices`);
    expect(judged(texts.slice(0, 100)).passed).toBe(true);
    expect(problemsOf(judged(texts)).at(-1)).toEqual(['malformed']);
    expect(judged(texts).passed).toBe(false);
  });

  it('judges what a request takes away like what it adds', () => {
    const gone = judged(['restarts.*'], { now: [], before: AXIS });
    expect(gone.outside).toMatchObject({ changes: 3, devices: 3 });
    const skipped = AXIS.map((each): Change => ({
      ...each,
      action: 'skip',
      reason: { code: 'hold' },
    }));
    expect(judged(['firmware.*'], { now: skipped, before: AXIS })).toMatchObject({
      passed: true,
      changes: 3,
    });
  });

  it('leaves what was pending before, and what only the clock brings, out of it', () => {
    const clock = { ...restart('e'), cause: 'clock' } as const;
    const now = [...AXIS, restart('d'), clock];
    expect(judged(['firmware.*'], { now, before: [restart('d'), clock] })).toMatchObject({
      passed: true,
      changes: 3,
    });
  });

  it('asks no match of a plan that is of a part', () => {
    const part = { sites: ['s1'], names: {}, outside: { devices: 3, run: 0, notRead: 0 } };
    expect(judged(['firmware.bosch', 'firmware.*'], { plan: { part } }).passed).toBe(true);
  });

  it('refuses where the clone does not show which commits belong to the request', () => {
    const scope = judged(['firmware.*'], { base: { behind: { lacks: 3, is: 'unrelated' } } });
    expect(problemsOf(scope)).toEqual([['noHistory']]);
    expect(scope.passed).toBe(false);
  });
});
