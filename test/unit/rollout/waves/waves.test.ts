import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { WaveExtent, Wave } from '../../../../src/model/documents/rollout.ts';
import type { WaveMember, WaveInput } from '../../../../src/rollout/waves/assignment.ts';
import { assignWaves } from '../../../../src/rollout/waves/waves.ts';
import { members, POLICY } from '../../../support/rollout-rig.ts';

const size = (devices: number): WaveExtent => ({ is: 'size', devices });
const percent = (share: number): WaveExtent => ({ is: 'percent', percent: share });
const select: WaveExtent = { is: 'select', select: { group: ['lobby'] } };

function waves(...slices: readonly WaveExtent[]): readonly Wave[] {
  return slices.map((slice, n) => ({ name: `w${n}`, slice, stratify: [], soak: 0 }));
}

function assign(fields: Partial<WaveInput> & { readonly waves: readonly Wave[] }) {
  const { waves, ...rest } = fields;
  const spec = { waves, assignment: 'stableHash' } as const;
  return assignWaves({ policy: POLICY, spec, members: members(100), selects: isEven, ...rest });
}

const isEven = (_: Wave, id: string): boolean => Number(id.slice(1)) % 2 === 0;
const sizes = ({ waves }: { readonly waves: readonly (readonly string[])[] }) =>
  waves.map(({ length }) => length);

const TABLE: readonly [string, number, readonly WaveExtent[], readonly number[]][] = [
  ['a size takes that many', 100, [size(5), percent(100)], [5, 95]],
  ['a size takes no more than there are', 3, [size(5), percent(100)], [3, 0]],
  ['percents are cumulative', 100, [percent(5), percent(25), percent(100)], [5, 20, 75]],
  ['a percent rounds up', 21, [percent(5), percent(100)], [2, 19]],
  ['a percent that comes out whole is not rounded', 20, [percent(5), percent(100)], [1, 19]],
  ['two decimals count', 10_000, [percent(0.07), percent(100)], [7, 9993]],
  ['a percent counts what earlier waves hold', 100, [size(5), percent(5), percent(25)], [5, 0, 20]],
  ['a percent below what earlier waves hold is empty', 50, [size(5), percent(5)], [5, 0]],
  [
    'a selection takes what earlier waves left',
    100,
    [select, percent(50), percent(100)],
    [50, 0, 50],
  ],
  ['of nobody all waves are empty', 0, [size(5), percent(100)], [0, 0]],
];

test.each(TABLE)('%s', (_, count, slices, expected) => {
  expect(sizes(assign({ waves: waves(...slices), members: members(count) }))).toEqual(expected);
});

describe('C2 a stratified wave', () => {
  const stratified = (devices: number): readonly Wave[] => [
    { name: 'canary', slice: size(devices), stratify: ['vendor', 'model'], soak: 0 },
    ...waves(percent(100)),
  ];
  /** Model `A` 90 times, `B` 8 times, `C` once, and one without a model. */
  const mixed = members(100, (n) =>
    n < 90 ? { model: 'A' } : n < 98 ? { model: 'B' } : n < 99 ? { model: 'C' } : { model: '' },
  );
  const modelOf = new Map(mixed.map(({ id, model }) => [id, model]));
  const modelsIn = (ids: readonly string[] = []) => [...new Set(ids.map((id) => modelOf.get(id)))];

  test('has at least one device of each combination', () => {
    const { waves, unrepresented } = assign({ waves: stratified(5), members: mixed });
    expect(modelsIn(waves[0]).sort()).toEqual(['', 'A', 'B', 'C']);
    expect([waves[0]?.length, unrepresented]).toEqual([5, []]);
  });

  test('takes the largest combinations first, and names those that it has no place for', () => {
    const { waves, unrepresented } = assign({ waves: stratified(2), members: mixed });
    expect(modelsIn(waves[0]).sort()).toEqual(['A', 'B']);
    expect(unrepresented).toEqual([
      { wave: 'canary', combination: ['Axis', ''], devices: 1 },
      { wave: 'canary', combination: ['Axis', 'C'], devices: 1 },
    ]);
  });

  test('D9 gives no place to a combination that was not understood, however many are of it', () => {
    const odd = members(100, (n) =>
      n < 90 ? { model: '', unreadable: ['model'] } : n < 98 ? { model: 'B' } : { model: 'C' },
    );
    const { waves, unrepresented } = assign({ waves: stratified(2), members: odd });
    const models = waves[0]?.map((id) => odd.find((one) => one.id === id)?.model);
    expect([models?.toSorted(), unrepresented]).toEqual([['B', 'C'], []]);
  });

  test.each([
    [3, { A: 2, C: 1 }],
    [8, { A: 6, C: 1, B: 1 }],
    [9, { A: 6, C: 1, B: 1, '': 1 }],
  ])('C12 of %i devices takes all that can start before any other', (count, expected) => {
    const able = new Set(
      [...mixed.slice(0, 6), ...mixed.filter(({ model }) => model === 'C')].map(({ id }) => id),
    );
    const canStart = (id: string): boolean => able.has(id);
    const { waves } = assign({ waves: stratified(count), members: mixed, canStart });
    const models: Record<string, number> = {};
    for (const id of waves[0] ?? []) {
      const model = modelOf.get(id) ?? '?';
      models[model] = (models[model] ?? 0) + 1;
    }
    expect(models).toMatchObject(expected);
  });

  test('C12 asks whether a device can start only until the canary is full', () => {
    const many = members(1_000, (n) => ({ model: n % 2 === 0 ? 'A' : 'B' }));
    const canStart = vi.fn((id: string) => id !== many[0]?.id);
    const { waves } = assign({ waves: stratified(5), members: many, canStart });
    expect([waves[0]?.length, waves[1]?.length]).toEqual([5, 995]);
    expect(canStart.mock.calls.length).toBeLessThan(50);
  });

  test('C12 of a wave with a selector begins with the devices that can start', () => {
    const chosen = waves(select, percent(100));
    const [first, ...others] = assign({ waves: chosen, members: mixed }).waves[0] ?? [];
    const canStart = (id: string): boolean => id !== first;
    const { waves: able } = assign({ waves: chosen, members: mixed, canStart });
    expect(able[0]).toEqual([...others, first]);
  });

  test('stays the same once frozen, when its devices no longer are what they were', () => {
    const before = assign({ waves: stratified(5), members: mixed });
    const after = members(100, () => ({ model: 'A', firmwareVersion: '2', sites: ['s9'] }));
    const later = { waves: stratified(5), members: after, frozen: before.frozen };
    expect(assign(later).waves).toEqual(before.waves);
  });
});

describe('assignment by site', () => {
  const bySite = { waves: waves(size(5), percent(50), percent(100)), assignment: 'site' } as const;
  const sited = members(100, (n) => ({ sites: n === 99 ? [] : [`s${n % 10}`] }));
  const input = { policy: POLICY, spec: bySite, members: sited, selects: isEven };

  test('keeps whole sites together, and rounds up to them', () => {
    const { assignmentOf, waves } = assignWaves(input);
    for (const { id, sites } of sited) {
      const mates = sited.filter((other) => other.sites[0] === sites[0]);
      if (sites.length > 0)
        expect(new Set(mates.map((mate) => assignmentOf(mate.id).wave)).size, id).toBe(1);
    }
    expect(waves[0]?.length).toBeGreaterThanOrEqual(5);
    expect(waves[0]?.length).toBeLessThan(5 + 10);
  });

  test('puts a latecomer where its site is', () => {
    const { frozen } = assignWaves(input);
    const sites = Array.from({ length: 10 }, (_, n) => n);
    const late = sites.map((n): WaveMember => ({ id: `late-${n}`, sites: [`s${n}`] }));
    const { assignmentOf } = assignWaves({ ...input, members: [...sited, ...late], frozen });
    for (const n of sites)
      expect(assignmentOf(`late-${n}`)).toEqual({
        wave: assignmentOf(`d00${n}`).wave,
        isLate: true,
      });
    expect(new Set(sites.map((n) => assignmentOf(`late-${n}`).wave)).size).toBeGreaterThan(1);
  });
});

describe('a latecomer', () => {
  const input = { waves: waves(percent(10), select, percent(100)) };
  const { frozen } = assign(input);
  const late = members(400).slice(100);
  const after = assign({ ...input, members: [...members(100), ...late], frozen });

  test('moves nobody', () => {
    expect(after.waves).toEqual(assign(input).waves);
    expect(after.lateJoiners).toEqual(late.map(({ id }) => id));
  });

  test('is where its hash puts it, or in an earlier wave that selects it', () => {
    const seats = late.map(({ id }) => ({
      even: Number(id.slice(1)) % 2 === 0,
      ...after.assignmentOf(id),
    }));
    expect(seats.filter(({ wave }) => wave === 1).every(({ even }) => even)).toBe(true);
    expect(seats.filter(({ wave }) => wave === 2).every(({ even }) => !even)).toBe(true);
    const first = seats.filter(({ wave }) => wave === 0).length;
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(120);
  });

  test('never enlarges a wave of a written size', () => {
    const sized = { waves: waves(size(10), percent(50), percent(100)) };
    const base = { ...sized, frozen: assign(sized).frozen };
    const { assignmentOf } = assign({ ...base, members: [...members(100), ...late] });
    const seats = late.map(({ id }) => assignmentOf(id).wave);
    expect(seats.filter((wave) => wave === 0)).toEqual([]);
    expect(seats.filter((wave) => wave === 1).length).toBeGreaterThan(100);
    expect(seats.filter((wave) => wave === 2).length).toBeGreaterThan(100);
  });
});

describe('waves that the documents describe anew', () => {
  const before = assign({ waves: waves(size(5), select, percent(100)) });

  test('are cut out of the recorded order from the first difference on', () => {
    const after = assign({
      waves: waves(size(5), percent(50), percent(100)),
      frozen: before.frozen,
    });
    expect(after.waves[0]).toEqual(before.waves[0]);
    expect(sizes(after)).toEqual([5, 45, 50]);
  });

  test('are cut anew behind the first difference, even where they read the same', () => {
    const after = assign({ waves: waves(size(7), select, percent(100)), frozen: before.frozen });
    expect(after.waves[1]?.every((id) => isEven(waves(select)[0] as Wave, id))).toBe(true);
    expect(after.waves.flat()).toHaveLength(100);
  });

  test('that still read the same keep what they selected', () => {
    const nobody = { waves: waves(size(5), select, percent(100)), selects: () => false };
    expect(assign({ ...nobody, frozen: before.frozen }).waves).toEqual(before.waves);
  });
});

test('a record without waves is cut anew, by the hash', () => {
  const fresh = assign({ waves: waves(size(5), percent(100)) });
  const base = members(100).map(({ id }) => id);
  const frozen = { waves: waves(size(5), percent(100)), frozen: { base } };
  expect(assign(frozen).waves).toEqual(fresh.waves);
});

test('two policies have canaries of their own', () => {
  const canary = (policy: string) => assign({ policy, waves: waves(size(5)) }).waves[0];
  expect(canary('firmware.a')).not.toEqual(canary('firmware.b'));
});

describe('laws', () => {
  const slices = waves(size(5), percent(20), percent(100));
  const fleet = fc.integer({ min: 0, max: 120 });

  test('membership is the same however devices are listed', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(members(60), { minLength: 60 }), (shuffled) => {
        const listed = assign({ waves: slices, members: members(60) });
        expect(assign({ waves: slices, members: shuffled }).waves).toEqual(listed.waves);
      }),
    );
  });

  test('once frozen, growth and leaving move nobody of the base', () => {
    fc.assert(
      fc.property(fleet, fleet, fc.func(fc.boolean()), (count, more, stays) => {
        const before = assign({ waves: slices, members: members(count) });
        const now = members(count + more).filter(({ id }) => stays(id));
        const after = assign({ waves: slices, members: now, frozen: before.frozen });
        expect(after.waves).toEqual(before.waves);
      }),
    );
  });

  test('before it is frozen, growth only inserts: nobody overtakes anybody', () => {
    fc.assert(
      fc.property(fleet, fleet, (count, more) => {
        const before = assign({ waves: slices, members: members(count) }).waves.flat();
        const known = new Set(before);
        const after = assign({ waves: slices, members: members(count + more) }).waves.flat();
        expect(after.filter((id) => known.has(id))).toEqual(before);
      }),
    );
  });

  test('a latecomer has its seat whoever else comes or goes, and never in a wave of a written size', () => {
    fc.assert(
      fc.property(fleet, fleet, fc.func(fc.boolean()), (count, more, stays) => {
        const { frozen } = assign({ waves: slices, members: members(count) });
        const all = members(count + more);
        const some = all.filter(({ id }) => stays(id));
        const together = assign({ waves: slices, members: all, frozen });
        const apart = assign({ waves: slices, members: some, frozen });
        for (const id of apart.lateJoiners) {
          expect(apart.assignmentOf(id)).toEqual(together.assignmentOf(id));
          expect(apart.assignmentOf(id).wave).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('every device is in exactly one wave, and cumulative percents are exact', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 0, max: 10_000 }), (count, hundredths) => {
        const share = hundredths / 100;
        const { waves: cut } = assign({
          waves: waves(percent(share), percent(100)),
          members: members(count),
        });
        expect(cut[0]?.length).toBe(Number((BigInt(count * hundredths) + 9_999n) / 10_000n));
        expect(cut.flat().sort()).toEqual(members(count).map(({ id }) => id));
      }),
    );
  });
});
