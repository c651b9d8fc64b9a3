import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendTo, headAfter } from '../../../src/ledger/chain.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import {
  continueDraft,
  dueCheckpoint,
  fold,
  foldFrom,
  foldMore,
} from '../../../src/ledger/fold.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import { RECORDS, type LedgerRecord, type RecordBody } from '../../../src/model/ledger/record.ts';
import {
  attempt,
  type BodyOf,
  chained,
  FINGERPRINT,
  GENESIS,
  lock,
  RELEASE,
  result,
  settled,
} from '../../support/ledger-records.ts';
import { answersOf, LEDGER_BODIES } from '../../support/ledger-chance.ts';
import { failsWith } from '../../support/store-rig.ts';

const ledger = fc
  .array(LEDGER_BODIES, { maxLength: 40 })
  .map((bodies): LedgerRecord[] => chained([GENESIS, lock(), ...bodies]));

/** The CHECKPOINT that follows a memory, its text, and the records after it. */
function checkpointed(memory: Memory, more: readonly RecordBody[] = []) {
  const { text, body } = writeCheckpoint(continueDraft(memory).finish());
  const by = { epoch: memory.epoch, at: '2026-02-01T00:00:00Z', tool: '1' };
  const records: LedgerRecord[] = [];
  for (const each of [body, ...more])
    records.push(...appendTo(headAfter(records, memory.head), [each], by));
  return { text, records };
}

describe('the text of a checkpoint (protocol J21)', () => {
  test('gives the memory back that all records add up to, whatever follows', () => {
    fc.assert(
      fc.property(ledger, fc.array(LEDGER_BODIES, { maxLength: 10 }), (records, more) => {
        const before = fold(records);
        const { text, records: since } = checkpointed(before, more);
        const whole = foldMore(before, since);
        const short = foldFrom(text, since);
        expect(short && answersOf(short)).toEqual(answersOf(whole));
        expect(short && checkpointed(short).text).toBe(checkpointed(whole).text);
      }),
      { numRuns: 300 },
    );
  });

  test('is the same whether the records were folded at once or in steps', () => {
    fc.assert(
      fc.property(ledger, fc.nat(40), (records, cut) => {
        const steps = foldMore(fold(records.slice(0, cut)), records.slice(cut));
        expect(checkpointed(steps).text).toBe(checkpointed(fold(records)).text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a checkpoint that is false', () => {
  const before = fold(chained([GENESIS, lock()]));
  const { text, records } = checkpointed(before, [RELEASE]);

  test('is refused by whoever has read the records before it', () => {
    const state = sha256(text.replace('"epoch":1', '"epoch":0'));
    const forged = restated(records, { state });
    expect(() => foldMore(before, forged)).toThrow(
      failsWith('ledgerBroken', { seq: 3, why: 'checkpoint' }),
    );
  });

  test('is refused with a text that is not its own', () => {
    expect(() => foldFrom(`${text} `, records)).toThrow(failsWith('ledgerBroken', { seq: 3 }));
  });

  test('is refused where it is of another head than the one before it', () => {
    const earlier = checkpointed(fold(chained([GENESIS])));
    const [{ body } = {}] = earlier.records;
    const forged = restated(records, body as object);
    expect(() => foldFrom(earlier.text, forged)).toThrow(failsWith('ledgerBroken', { seq: 3 }));
  });

  test('of another version is neither used nor judged', () => {
    const newer = restated(records, { version: 99, state: 'x' });
    expect(foldFrom(text, newer)).toBeUndefined();
    expect(foldMore(before, newer).head.seq).toBe(4);
  });

  const members = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const wrong = members.flatMap(([name, value]) =>
    [null, 'x', -1, { x: 1 }, [1], [['x']], [['x', { x: 1 }]], undefined]
      .filter((other) => JSON.stringify(other) !== JSON.stringify(value))
      .map((other) => [name, JSON.stringify(other) ?? 'absent', other] as const),
  );

  test.each(wrong)('%s as %s is no state, whatever its digest', (name, _, other) => {
    const forged = JSON.stringify({ ...JSON.parse(text), [name]: other });
    const [record] = restated(records, { state: sha256(forged) });
    const isAllowed =
      (['ledgerId', 'fingerprint'].includes(name) && other === 'x') ||
      (name === 'lease' && other === undefined);
    if (isAllowed) expect(record && readCheckpoint(forged, record)).toBeDefined();
    else
      expect(() => record && readCheckpoint(forged, record)).toThrow(
        failsWith('ledgerBroken', { seq: 3, why: 'checkpoint' }),
      );
  });

  test.each([
    ['fewer', [['a'], [1, 1]]],
    [
      'more',
      [
        ['a', 'b', 'c'],
        [1, 3],
      ],
    ],
    ['no', [[], []]],
    ['absent', [['a'], [1, 1, -1, 1]]],
    ['unknown', [['a'], [1, 1, 5, 1]]],
    ['endless', [['a'], [1, 1e15]]],
    ['unordered', [['a'], ['x', 2]]],
    [
      'other',
      [
        [1, 2],
        [1, 2],
      ],
    ],
    ['null', null],
    ['endless', [[], [1, 1e15]]],
  ] as const)('%s rows of a column of intents are no state', (name, column) => {
    const after = fold(chained([GENESIS, lock(), attempt('a', ['d1', 'd2'])]));
    const made = checkpointed(after, [RELEASE]);
    const state = JSON.parse(made.text) as { intents: Record<string, unknown> };
    const optional = name === 'endless' ? ['towards', 'earlier'] : [];
    for (const field of ['id', 'device', 'policy', 'phase', ...optional]) {
      const intents = { ...state.intents, [field]: column };
      const forged = JSON.stringify({ ...state, intents });
      const [record] = restated(made.records, { state: sha256(forged) });
      expect(() => record && readCheckpoint(forged, record)).toThrow(failsWith('ledgerBroken'));
    }
  });

  test.each(['', '[]', 'null', '{', '{}', '['.repeat(200_000)])('%.9s is no state', (forged) => {
    const [record] = restated(records, { state: sha256(forged) });
    expect(() => record && readCheckpoint(forged, record)).toThrow(failsWith('ledgerBroken'));
  });
});

test('a checkpoint is due once 500 records came since the last', () => {
  const seen: RecordBody = {
    type: 'SEEN',
    what: 'back',
    subject: 'd',
    seenAt: '2026-01-01T00:00:00Z',
  };
  const almost = fold(chained([GENESIS, lock(), ...Array.from({ length: 497 }, () => seen)]));
  expect(dueCheckpoint(almost)).toBeUndefined();
  const by = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
  const enough = foldMore(almost, appendTo(almost.head, [seen], by));
  const due = dueCheckpoint(enough);
  expect(due?.body.state).toBe(sha256(due?.text ?? ''));
  const more = appendTo(enough.head, due ? [due.body] : [], by);
  const judged = foldMore(enough, more);
  expect(answersOf(foldMore(enough, more, due?.body))).toEqual(answersOf(judged));
  expect(dueCheckpoint(judged)).toBeUndefined();
  const short = foldFrom(due?.text ?? '', more);
  expect(short && dueCheckpoint(short)).toBeUndefined();
});

test('a checkpoint is due at once where its text was left behind, as by a move', () => {
  const records = chained([
    GENESIS,
    lock(),
    ...Array.from({ length: 500 }, (): RecordBody => RELEASE),
  ]);
  const last = checkpointed(fold(records)).records;
  expect(dueCheckpoint(fold([...records, ...last]))).toBeDefined();
});

const AT = '2026-01-02T00:00:00Z';
const DEVICE = [{ source: 'device', field: 'status', value: 'online', at: AT }];
const SEEN_FLEET = {
  seen: { s1: 3 },
  offered: { upgradeFirmware: 3 },
  person: ['restartDevice/d3'],
};
const APPROVED: BodyOf<'APPROVED'> = {
  type: 'APPROVED',
  planId: 'plan-1',
  commit: 'c1',
  documents: 'd',
  pulls: ['#7'],
  approvers: ['ada'],
  run: '4711',
  expires: '2026-03-01T00:00:00Z',
  preapproved: ['firmware.p'],
  changes: [['upgradeFirmware/d1', 'o1']],
};

/**
 * A ledger with every record type, its later effects, too, and the first letters of the digest of the state after each.
 * Whoever adds a type, a field or a part of the state adds records at the end.
 */
const PINNED: readonly (readonly [RecordBody, string])[] = [
  [{ type: 'GENESIS', ledgerId: 'ledger-1', format: 4, fingerprint: FINGERPRINT }, '77f46de2'],
  [
    {
      type: 'GROUND',
      service: { origin: 'https://api.example.com', organization: 'acme' },
      ledger: { store: 'git', remote: 'origin', at: 'git.example.com/acme/fleet', branch: 'l' },
      approval: 'plan',
      gate: 'github',
      commit: 'c1',
      who: 'me',
      why: 'begun',
    },
    '3f968aaa',
  ],
  [APPROVED, '9f574d14'],
  [{ ...APPROVED, changes: [['upgradeFirmware/d2', 'o2']], of: 2 }, '82a58440'],
  [lock(), 'dfc93b46'],
  [
    {
      type: 'PLAN',
      planId: 'plan-1',
      commit: 'c1',
      fromFile: false,
      counts: { devices: 3, sites: 1, changes: 3 },
      confidence: 'one page',
      approvedBy: 'commit',
    },
    'e36ad6cd',
  ],
  [
    {
      type: 'ROLLOUT',
      policy: 'firmware.p',
      targetDigest: 't',
      base: ['d1', 'd2', 'd3'],
      waves: [
        { name: 'canary', devices: 1, asked: 1 },
        { name: 'rest', devices: 2 },
      ],
      weighed: ['d1', 'd2'],
    },
    'fa287c5c',
  ],
  [
    {
      type: 'ROLLOUT',
      policy: 'firmware.p',
      targetDigest: 't',
      base: [],
      replaced: [['d1', 'd3']],
    },
    '40d3e40d',
  ],
  [attempt('a.1', ['d1', 'd2'], { policy: 'firmware.p' }), '1dcca6a2'],
  [{ ...result('a.1', 'accepted'), status: 202, answeredAt: AT }, '037e79c5'],
  [{ type: 'OBSERVED', intentId: 'd1@2', evidence: DEVICE, weak: true }, '41775dfa'],
  [{ ...settled('d1@2', 'done'), evidence: DEVICE }, '2e31bcc9'],
  [{ ...settled('d2@2', 'failed', 'evidence'), why: 'unreachable' }, '8cbb588a'],
  [attempt('a.2', ['d2'], { policy: 'firmware.p' }), '51628944'],
  [result('a.2', 'inDoubt', 'P06'), '340adead'],
  [{ ...settled('d2@2', 'notDone', 'person'), who: 'me', why: 'seen' }, '1cb47a3e'],
  [attempt('a.3', ['d3'], { policy: 'restarts.r', task: 'restartDevice' }), '6ffe3ab4'],
  [result('a.3', 'notSent', 'P01'), '4419fa28'],
  [{ type: 'SEEN', what: 'symptom', subject: 'd3', value: 'shown', seenAt: AT }, '785522dc'],
  [{ type: 'SEEN', what: 'symptom', subject: 'd3', value: 'gone', seenAt: AT }, '060be3e7'],
  [{ type: 'SEEN', what: 'unavailable', subject: 'd3', value: 'offline', seenAt: AT }, '89bcdaa0'],
  [{ type: 'ANOMALY', what: 'taskLost', ids: ['d2@2'] }, 'f50b1e07'],
  [
    { type: 'STOP', scope: 'firmware.p', rule: 'canary', counts: { failed: 1 }, documents: 'd' },
    '10ae4770',
  ],
  [{ type: 'LIFT', scope: 'firmware.p', who: 'me', why: 'mended', ticket: 'T-1' }, '11988886'],
  [
    { type: 'STOP', scope: 'firmware.q', rule: 'wave', counts: {}, action: 'abort', wish: 't' },
    'ae5e0154',
  ],
  [{ type: 'PAUSE', scope: 'fleet', who: 'me', why: 'dark', ticket: 'T-1', until: AT }, 'bd5dc75d'],
  [
    { type: 'LIFT', scope: 'fleet', who: 'me', why: 'light', ticket: '', what: 'pause' },
    '746f786e',
  ],
  [{ type: 'PAUSE', scope: 'fleet/site=12', who: 'me', why: 'dark' }, 'e347e5ee'],
  [
    { type: 'WITHDRAWN', planId: 'plan-1', ids: ['upgradeFirmware/d2'], who: 'me', why: 'no' },
    '5c40dc33',
  ],
  [{ type: 'WITHDRAWN', policy: 'firmware.p', ids: [], who: 'me', why: 'no' }, '7f84544e'],
  [{ type: 'RENAMED', from: 'firmware.p', to: 'firmware.new' }, '38d7a806'],
  [{ type: 'BEAT', n: 1 }, '34da332e'],
  [
    { type: 'FACTS', facts: 'f1', coverage: SEEN_FLEET, told: { open: ['doubts'], since: AT } },
    'c735a099',
  ],
  [{ type: 'FACTS', distrust: { kind: 'passwords', before: AT } }, '30489d14'],
  [{ type: 'CHECKPOINT', version: 99, state: 'x' }, 'bae0289d'],
  [{ type: 'RELEASE', coverage: { ...SEEN_FLEET, anew: true, next: 'never' } }, '1710aa3d'],
  [
    {
      ...lock('run-b'),
      who: 'me',
      why: 'disk',
      lost: [{ seq: 99, hash: 'a'.repeat(64) }],
    } as RecordBody,
    '91be9f4d',
  ],
  [attempt('b.1', ['d3'], { target: '3' }), '4df7c510'],
  [
    { type: 'SEEN', what: 'gateSample', subject: '7/canary@1', value: 'good', seenAt: AT },
    '7370fe58',
  ],
  [
    { type: 'SEEN', what: 'gateSample', subject: '7/canary@1', value: 'good', seenAt: AT },
    '60ebcf86',
  ],
];

describe('equal records add up to equal states in each version of fleetform', () => {
  const records = chained(PINNED.map(([body]) => body));
  const states = records.map(({ body }, at) => {
    const { text } = writeCheckpoint(continueDraft(fold(records.slice(0, at + 1))).finish());
    return `${body.type} ${sha256(text).slice(0, 8)}`;
  });

  test('a state that is another one than before has another VERSION of the text', () => {
    expect(
      states,
      'These records add up to another state than before, so programs before this one would call true checkpoints false: raise VERSION in src/ledger/checkpoint.ts, then pin the new digests.',
    ).toEqual(PINNED.map(([{ type }, state]) => `${type} ${state}`));
  });

  test('every record type is among them', () => {
    expect([...new Set(PINNED.map(([{ type }]) => type))].sort()).toEqual(
      Object.keys(RECORDS).sort(),
    );
  });
});

/** The same chain with another CHECKPOINT as its first record. */
function restated(records: readonly LedgerRecord[], body: object): LedgerRecord[] {
  const [first] = records;
  if (!first) return [];
  const bodies = records.map((record) => record.body);
  const forged = [{ ...first.body, ...body } as RecordBody, ...bodies.slice(1)];
  return appendTo({ seq: first.seq - 1, hash: first.prev }, forged, first);
}
