import { describe, expect, test } from 'vitest';
import type { Site } from '../../../../src/model/fleet/device.ts';
import type { WorldError } from '../../../../src/model/error.ts';
import { liftOn } from '../../../../src/operations/intervene/lift.ts';
import { loadTexts } from '../../../../src/config/load.ts';
import type { PersonPause } from '../../../../src/model/ledger/pauses.ts';
import type { Memory, ActiveStop } from '../../../../src/model/ledger/memory.ts';
import type { Journal } from '../../../../src/model/ports.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { errorWords } from '../../../../src/render/words/errors.ts';
import { heldWords, liftedWords } from '../../../../src/render/words/record-words.ts';

const YAML = `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {careful: {waves: [{name: canary, size: 1}, {name: rest, percent: 100%}]}}
firmware:
  p32: {select: {vendor: Axis}, version: "11.11.73", rollout: careful, windows: anytime}
  p33: {select: {vendor: Bosch}, version: "8.0.0", windows: anytime}
`;
const stop = (scope: string, rule: string): ActiveStop => ({ scope, rule, counts: {}, at: 0 });
const caught = (each: unknown): unknown => each;
const HELD = [stop('firmware.p32', 'canary'), stop('firmware.p33/site=12', 'site')];

interface Case {
  readonly yaml?: string;
  readonly rollouts?: Memory['rollouts'];
  readonly renamed?: Memory['renamed'];
  readonly stops?: readonly ActiveStop[];
  readonly pauses?: readonly PersonPause[];
  readonly ticket?: string;
  readonly site?: string;
  readonly sites?: readonly Site[];
}

async function lift(
  scope: string | undefined,
  {
    yaml = YAML,
    rollouts,
    renamed,
    stops = HELD,
    pauses = [],
    ticket = 'CHG-1',
    site,
    sites,
  }: Case = {},
) {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: yaml }]);
  if (!documents) throw new Error('documents with findings');
  const appended: RecordBody[] = [];
  const memory = {
    stops: new Map(stops.map((each) => [each.scope, each])),
    pauses: new Map(pauses.map((each) => [each.scope, each])),
    intents: new Map(),
    rollouts: new Map(),
    renamed: new Map(),
    lifts: new Map(),
    resumedAt: new Map(),
    coverage: [],
    ...(rollouts && { rollouts }),
    ...(renamed && { renamed }),
  } as unknown as Memory;
  const declare: Journal['declare'] = async (decide) => {
    const bodies = decide(memory);
    appended.push(...bodies);
    return bodies;
  };
  const flags = {
    ticket,
    reason: 'looked',
    who: 'ada',
    now: 1_000,
    ...(scope && { scope }),
    ...(site !== undefined && { site: [site] }),
    ...(sites && { sites }),
  };
  const lifted = await liftOn({ declare }, documents, flags);
  return { lifted: lifted.map(({ scope }) => scope), appended };
}

describe('what was lifted', () => {
  test('is what was asked for, with a record of each', async () => {
    const { lifted, appended } = await lift('careful');
    expect(lifted).toEqual(['firmware.p32']);
    expect(appended).toMatchObject([
      { type: 'LIFT', scope: 'firmware.p32', what: 'stop', ticket: 'CHG-1' },
    ]);
    expect((await lift(undefined)).lifted).toEqual(['firmware.p32', 'firmware.p33/site=12']);
  });

  test('is only that of a site that is named', async () => {
    const pauses = ['fleet', 'fleet/site=1', 'fleet/site=2', 'firmware.p32/site=1'].map(
      (scope): PersonPause => ({ scope, who: 'ada', why: 'works', at: 0 }),
    );
    const sites = ['1', '2', '3'].map((id) => ({ id, name: id === '2' ? 'Depot' : `HQ ${id}` }));
    const { lifted } = await lift('fleet', { stops: [], pauses, sites, site: 'HQ*' });
    expect(lifted).toEqual(['fleet/site=1']);
  });

  describe('N66 at a site that is gone', () => {
    const pauses = ['firmware.p32/site=3', 'firmware.p33/site=4'].map((scope): PersonPause => ({
      scope,
      who: 'ada',
      why: 'works',
      at: 0,
    }));
    const sites = [
      { id: '1', name: 'HQ' },
      { id: '7', name: 'Plant' },
    ];
    const at = (site: string) => lift('firmware.p32', { stops: [], pauses, sites, site });

    test('it is lifted by the ID of the site', async () => {
      expect((await at('3')).lifted).toEqual(['firmware.p32/site=3']);
    });

    test.each([
      ['the name of another site', 'HQ'],
      ['the name that the site had, which another has by now', 'Plant'],
      ['a name that no site has', 'Depot'],
      ['an ID that is not paused', '4'],
    ])('it is not lifted by %s, and what is paused is named', async (_, site) => {
      const error = await at(site).catch(caught);
      expect(error).toMatchObject({
        code: 'nothingLifted',
        params: { rollout: `firmware.p32 at site "${site}"` },
      });
      expect((error as WorldError).params['paused']).toContain('firmware.p32/site=3 (by ada)');
    });
  });

  test('is nothing where nothing is paused, and that is no failure', async () => {
    expect(await lift(undefined, { stops: [] })).toEqual({ lifted: [], appended: [] });
    expect(liftedWords({ lifted: [], held: [], sites: [] })).toEqual(['Nothing is paused.']);
  });

  test('is nothing where only something else is paused, which is listed', async () => {
    const error = (await lift('firmware.p33', { stops: HELD.slice(0, 1) }).catch(
      caught,
    )) as WorldError;
    const { summary: says, next } = errorWords(error.code, error.params);
    expect(says).toBe('Nothing was unpaused: nothing of firmware.p33 is paused.');
    expect(next).toBe('Pass a paused scope to `fleetform unpause`: firmware.p32 (rule canary).');
  });

  test('is nothing of what was aborted, which no ticket brings back', async () => {
    const [aborted] = HELD.map((each): ActiveStop => ({ ...each, action: 'abort' }));
    const error = (await lift(undefined, { stops: aborted ? [aborted] : [] }).catch(
      caught,
    )) as WorldError;
    const { summary: says, detail: more, next } = errorWords(error.code, error.params);
    expect(says).toBe('Nothing was unpaused.');
    expect(more).toBe('Aborted: firmware.p32 (rule canary).');
    expect(next).toMatch(/^To continue after an abort, set another version or generation/);
  });

  test('is nothing of a name that the documents do not have', async () => {
    const error = (await lift('carefull').catch(caught)) as WorldError;
    expect([error.code, error.params]).toEqual([
      'policyUnknown',
      { policy: 'carefull', near: 'careful' },
    ]);
  });

  test('is said, with what holds all the same', () => {
    const [first, second] = HELD;
    if (!first || !second) throw new Error('two stops');
    const text = liftedWords({
      lifted: [{ what: 'stop', ...first }],
      held: [
        { what: 'stop', ...second },
        { what: 'stop', ...second, scope: 'fleet', action: 'abort' },
      ],
      sites: [{ id: '12', name: 'Depot' }],
    });
    expect(text.join('\n')).toBe(
      [
        'Unpaused: firmware.p32 (rule canary). Its failures stay on record and do not count again.',
        'Still paused: firmware.p33 at Depot (rule site).',
        'Aborted: fleet (rule site); set another version or generation to start again.',
      ].join('\n'),
    );
  });
});

describe('N65 what a person has paused', () => {
  const pause = (scope: string, more: Partial<PersonPause> = {}): PersonPause => {
    return { scope, who: 'Ada', why: 'dark', at: 0, ...more };
  };
  const lifted = (scope: string, given: Case) =>
    lift(scope, { stops: [], ...given }).then(({ appended }) =>
      appended.map((body) => body.type === 'LIFT' && `${body.what} ${body.scope}`),
    );

  test('is lifted without a ticket, with its sites', async () => {
    const pauses = [pause('firmware.p32'), pause('firmware.p32/site=12'), pause('fleet')];
    const all = ['pause firmware.p32', 'pause firmware.p32/site=12'];
    expect(await lifted('firmware.p32', { pauses, ticket: '' })).toEqual(all);
    expect(await lifted('firmware.p32/site=12', { pauses, ticket: '' })).toEqual(all.slice(1));
    expect(await lifted('fleet', { pauses, ticket: '' })).toEqual(['pause fleet']);
  });

  test.each([
    ['under a ticket', { pauses: [pause('fleet', { ticket: 'OPS-1' })] }, 'fleet'],
    ['by a rule', { stops: HELD }, 'firmware.p32'],
    ['by both', { stops: HELD, pauses: [pause('firmware.p32')] }, 'firmware.p32'],
  ])('%s is lifted with a ticket alone', async (_, held, scope) => {
    const error = await lift(scope, { stops: [], ...held, ticket: ' ' }).catch(caught);
    expect(error).toMatchObject({ code: 'usage' });
    expect((await lift(scope, { stops: [], ...held })).lifted).toContain(scope);
  });

  test('and a rule has stopped is lifted of both', async () => {
    const pauses = [pause('firmware.p32')];
    const both = ['pause firmware.p32', 'stop firmware.p32'];
    expect(await lifted('careful', { stops: HELD, pauses })).toEqual(both);
  });

  test('is over at its end', async () => {
    const pauses = [pause('fleet', { until: 1_000 })];
    expect(await lifted('fleet', { pauses })).toEqual([]);
  });

  test('is said with who paused it', () => {
    const held = { what: 'pause', ...pause('fleet', { ticket: 'OPS-1' }) } as const;
    expect(liftedWords({ lifted: [held], held: [], sites: [] })).toEqual([
      'Unpaused: fleet (paused by Ada, OPS-1).',
    ]);
    expect(liftedWords({ lifted: [held], held: [], sites: [] }, 'OPS-99')).toEqual([
      'Unpaused under OPS-99: fleet (paused by Ada, OPS-1).',
    ]);
    expect(heldWords([held], [])[1]).toBe('  fleet (paused by Ada, OPS-1)');
    expect(heldWords([], [])).toEqual(['Nothing is paused.']);
  });
});

describe('M23 what no policy has', () => {
  const OLD = 'firmware.axis';
  const begun = new Map([
    [
      OLD,
      { targetDigest: 't', seq: 4, startedAt: 0, base: ['d1'], devices: new Set(['d1', 'd2']) },
    ],
  ]);
  const aborted: ActiveStop = { ...stop(OLD, 'canary'), action: 'abort', wish: 't' };
  const pause: PersonPause = { scope: `${OLD}/site=12`, who: 'Ada', why: 'dark', at: 0 };

  test('is lifted by its address: pauses, stops, aborts, and the rollout', async () => {
    const held = { stops: [aborted, ...HELD], pauses: [pause], rollouts: begun };
    const { appended } = await lift(OLD, held);
    expect(appended).toMatchObject([
      { scope: `${OLD}/site=12`, what: 'pause' },
      { scope: OLD, what: 'stop', wish: 't' },
      { scope: OLD, what: 'rollout' },
    ]);
  });

  test('needs a ticket where a rule stopped it, and none for its rollout', async () => {
    const stopped = { stops: [aborted], rollouts: begun, ticket: '' };
    expect(await lift(OLD, stopped).catch(caught)).toMatchObject({ code: 'usage' });
    const { appended } = await lift(OLD, { stops: [], rollouts: begun, ticket: '' });
    expect(appended).toMatchObject([{ type: 'LIFT', scope: OLD, what: 'rollout' }]);
  });

  test('holds no longer where it was aborted for another target before', async () => {
    const { lifted } = await lift(OLD, { stops: [{ ...aborted, wish: 'u' }], rollouts: begun });
    expect(lifted).toEqual([OLD]);
    const error = (await lift('firmware.p32', { rollouts: begun, stops: [] }).catch(
      caught,
    )) as WorldError;
    expect(error.params).toEqual({ rollout: 'firmware.p32', paused: `${OLD} (unfinished)` });
  });

  test.each([
    ['the documents tell', { yaml: YAML.replace('  p32: {', `  p32: {renamedFrom: ${OLD}, `) }],
    ['the ledger tells', { renamed: new Map([[OLD, 'firmware.p32']]) }],
  ])('is lifted under both addresses of a policy where %s its rename', async (_, told) => {
    const scope = 'renamed' in told ? 'firmware.p32' : OLD;
    const held = { ...told, stops: [stop(scope, 'canary')], rollouts: new Map() };
    expect((await lift(OLD, held)).lifted).toEqual([scope]);
    expect((await lift('firmware.p32', held)).lifted).toEqual([scope]);
    expect((await lift('careful', held)).lifted).toEqual([scope]);
  });

  test('is said', () => {
    expect(heldWords([{ what: 'rollout', scope: OLD }], [])[1]).toBe(
      `  ${OLD} (unfinished rollout, no policy has this name)`,
    );
  });
});
