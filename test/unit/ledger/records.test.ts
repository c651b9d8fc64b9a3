import { describe, expect, test } from 'vitest';
import { newerIn, readRecord } from '../../../src/ledger/records.ts';
import { LEDGER_FORMAT, type RecordBody } from '../../../src/model/ledger/record.ts';
import { attempt, chained, GENESIS, lock, RELEASE, result } from '../../support/ledger-records.ts';
import { settled } from '../../support/ledger-records.ts';

const AT = '2026-01-01T00:00:00Z';
const EVIDENCE = [{ source: 'device', field: 'status', value: 'online', at: 'x' }];
const COVERAGE = { seen: { s1: 2 }, offered: { restartDevice: 1 }, person: ['restartDevice/d1'] };
const BODIES: readonly RecordBody[] = [
  GENESIS,
  lock(),
  { type: 'BEAT', n: 1 },
  {
    type: 'PLAN',
    planId: 'p',
    commit: 'c',
    fromFile: false,
    counts: { devices: 1, sites: 1, changes: 1 },
    confidence: 'one page',
    unmerged: { who: 'me', why: 'tonight' },
  },
  { type: 'ROLLOUT', policy: 'firmware.p', targetDigest: 't', base: ['d1'] },
  { type: 'ROLLOUT', policy: 'firmware.p', targetDigest: 't', base: [], replaced: [['d1', 'd2']] },
  attempt('a.1', ['d1', 'd2']),
  { ...result('a.1', 'accepted'), status: 202, retryAfter: 1, answeredAt: 'x' },
  { type: 'OBSERVED', intentId: 'i', evidence: EVIDENCE, weak: true },
  { type: 'SEEN', what: 'symptom', subject: 'd1', seenAt: 'x' },
  { ...settled('i', 'done', 'person'), evidence: EVIDENCE, who: 'me', why: 'seen' },
  { type: 'STOP', scope: 'fleet', rule: 'canary', counts: { failed: 1 } },
  { type: 'LIFT', scope: 'fleet', who: 'me', why: 'mended', ticket: 'T-1' },
  { type: 'LIFT', scope: 'fleet', who: 'me', why: 'mended', ticket: '', what: 'pause' },
  { type: 'PAUSE', scope: 'fleet', who: 'me', why: 'dark', ticket: 'T-1', until: AT },
  {
    type: 'APPROVED',
    planId: 'p',
    commit: 'c',
    documents: 'd',
    pulls: ['#7'],
    approvers: ['ada'],
    run: '4711',
    expires: AT,
    preapproved: ['rotations.p'],
    changes: [['rotatePassword/d1', 'o']],
    of: 1,
  },
  { type: 'WITHDRAWN', planId: 'p', ids: ['rotatePassword/d1'], who: 'me', why: 'wrong' },
  {
    type: 'GROUND',
    service: { origin: 'https://api.example.com', organization: 'acme' },
    ledger: { store: 'git', remote: 'origin', at: 'git.example.com/acme/fleet', branch: 'l' },
    approval: 'plan',
    gate: 'github',
    commit: 'c',
    who: 'me',
    why: 'moved',
  },
  { type: 'FACTS', facts: 'd', coverage: COVERAGE, distrust: { kind: 'passwords', before: AT } },
  { type: 'RENAMED', from: 'firmware.a', to: 'firmware.b' },
  { type: 'CHECKPOINT', version: 1, state: 'e'.repeat(64) },
  { type: 'ANOMALY', what: 'taskLost', ids: ['i'] },
  RELEASE,
  { type: 'RELEASE', coverage: { ...COVERAGE, anew: true } },
  {
    type: 'RELEASE',
    sums: { planId: 'p', classes: { verified: 2, stale: 1 }, noted: 7, beside: { inDoubt: 1 } },
  },
];
const RECORDS = chained(BODIES);

describe('reading a record', () => {
  test.each(RECORDS)('$body.type is known', (record) => {
    const value: unknown = JSON.parse(JSON.stringify(record));
    expect(readRecord(value)).toEqual(record);
  });

  const fields = RECORDS.flatMap((record) =>
    Object.keys(record.body)
      .filter((field) => field !== 'type')
      .map((field) => [record.body.type, field, record] as const),
  );
  test.each(fields)('%s with a wrong %s is refused, by name', (_, field, record) => {
    const value = { ...record, body: { ...record.body, [field]: { wrong: true, n: -1 } } };
    expect(() => readRecord(value, { file: 'f' })).toThrow(
      expect.objectContaining({
        code: 'ledgerBroken',
        params: { file: 'f', seq: record.seq, field: `body.${field}` },
      }),
    );
  });

  test.each(['seq', 'prev', 'epoch', 'at', 'tool', 'body'])('a wrong %s is refused', (field) => {
    const value = { ...RECORDS[0], [field]: null };
    expect(() => readRecord(value)).toThrow(expect.objectContaining({ params: { field } }));
  });

  test.each([null, 1, 'text', []])('%j is no record', (value) => {
    expect(() => readRecord(value)).toThrow(expect.objectContaining({ code: 'ledgerBroken' }));
  });

  test('a field inside an intent is checked too', () => {
    const body = { ...attempt('a.1', ['d1']), intents: [{ id: 1 }] };
    const value = { ...RECORDS[0], body };
    expect(() => readRecord(value)).toThrow(
      expect.objectContaining({ params: { seq: 1, field: 'body.intents' } }),
    );
  });
});

describe('J9 records of a newer version', () => {
  test.each(['FUTURE', 'constructor', '__proto__'])('type %s can be read and is found', (type) => {
    const future = readRecord({ ...RECORDS[1], body: { type, more: [1] } });
    expect(newerIn([...RECORDS, future])).toBe(future);
  });

  test('a ledger of a later format is found', () => {
    const future = readRecord({ ...RECORDS[0], body: { ...GENESIS, format: LEDGER_FORMAT + 1 } });
    expect(newerIn([future])).toBe(future);
  });

  test('there is none in a ledger of ours', () => {
    expect(newerIn(RECORDS)).toBeUndefined();
  });
});

test.each(['epoch', 'seq'])(
  'an impossible %s is said to be one, and leaves no room for a next (protocol J16)',
  (name) => {
    const [record] = chained([GENESIS]);
    for (const value of [2 ** 53 - 1, 2 ** 48 + 1])
      expect(() => readRecord({ ...record, [name]: value })).toThrow(
        expect.objectContaining({ code: 'ledgerBroken', params: { field: name } }),
      );
  },
);
