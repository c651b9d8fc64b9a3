import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { fold } from '../../../src/ledger/fold.ts';
import { HOUR, MINUTE } from '../../../src/lib/time.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { findWorkAhead } from '../../../src/plan/work-ahead.ts';
import { attempt, chained, GENESIS, lock } from '../../support/ledger-records.ts';

const EACH = 'select: {deviceType: camera}, windows:';
const NIGHTLY = `rotations: {pw: {task: rotatePassword, maxAge: 180d, ${EACH} nights}}`;
const NIGHTS =
  'windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "20:00", to: "23:00"}]}}';

function documents(...more: readonly string[]): Documents {
  const text = ['service: {baseUrl: https://api.example.com, organization: acme}', NIGHTS, ...more];
  const { documents: found, diagnostics } = loadTexts([
    { path: 'fleet/a.yaml', text: text.join('\n') },
  ]);
  if (!found) throw new Error(JSON.stringify(diagnostics));
  return found;
}

/** Records are a second apart, from this instant on. */
const BEGIN = Date.UTC(2026, 0, 1);
const PLAIN = documents(NIGHTLY);

function released(of: Documents, more: object = {}): readonly RecordBody[] {
  const coverage = {
    seen: {},
    offered: {},
    person: [],
    documents: of.digest,
    next: 'never',
    ...more,
  };
  const run: readonly RecordBody[] = [lock(), { type: 'RELEASE', coverage }];
  return [...run, ...run];
}

function ahead(bodies: readonly RecordBody[], of: Documents = PLAIN, now = BEGIN + HOUR) {
  const memory = fold(chained(bodies));
  const { why, name, from } = findWorkAhead({ documents: of, memory, now });
  return [from <= now ? 'now' : new Date(from).toISOString().slice(5, 16), why, name];
}

describe('N88 a scheduled run', () => {
  const quiet = [GENESIS, ...released(PLAIN)];

  test('is left out until 75 minutes before the next window', () => {
    expect(ahead(quiet)).toEqual(['01-01T18:45', 'window', 'nights']);
    expect(ahead(quiet, PLAIN, BEGIN + 18 * HOUR + 44 * MINUTE)[0]).not.toBe('now');
    expect(ahead(quiet, PLAIN, BEGIN + 18 * HOUR + 45 * MINUTE)[0]).toBe('now');
    expect(ahead(quiet, PLAIN, BEGIN + 22 * HOUR)[0]).toBe('now');
  });

  test('is left out for 24 hours at most', () => {
    const of = documents();
    const run = [GENESIS, ...released(of)];
    expect(ahead(run, of).slice(0, 2)).toEqual(['01-02T00:00', 'day']);
    expect(ahead(run, of, BEGIN + 24 * HOUR + 4_000)[0]).toBe('now');
  });

  test.each<readonly [string, readonly RecordBody[], Documents, string]>([
    ['has no ledger', [], PLAIN, 'none'],
    ['has a ledger that no run has read by', [GENESIS], PLAIN, 'unread'],
    ['has run once', [GENESIS, ...released(PLAIN).slice(2)], PLAIN, 'unread'],
    ['has other documents', quiet, documents(NIGHTLY, '# more'), 'edited'],
    [
      'is of a version that named no documents',
      [GENESIS, ...released(PLAIN, { documents: undefined })],
      PLAIN,
      'edited',
    ],
    ['was lost', [...quiet, lock()], PLAIN, 'open'],
    [
      'has a task that has not ended',
      [...quiet.slice(0, 4), attempt('run-a.1', ['dev-1']), ...quiet.slice(4)],
      PLAIN,
      'open',
    ],
    [
      'found a start within the hour',
      [GENESIS, ...released(PLAIN, { next: '2026-01-01T02:00:00Z' })],
      PLAIN,
      'next',
    ],
  ])('has work where it %s', (_, bodies, of, why) => {
    expect(ahead(bodies, of)).toEqual(['now', why, undefined]);
  });

  const FACTS: RecordBody = { type: 'FACTS', facts: 'a' };
  const LIFT: RecordBody = { type: 'LIFT', scope: 'fleet', who: 'Ada', why: 'seen', ticket: '' };

  test.each<readonly [string, readonly RecordBody[], string]>([
    ['a person', [...quiet, LIFT], 'unread'],
    ['a person, then of facts', [...quiet, LIFT, FACTS], 'unread'],
    ['facts alone', [...quiet, FACTS], 'window'],
    ['a person before the last run', [...quiet.slice(0, 3), LIFT, ...quiet.slice(3)], 'window'],
  ])('has work after a record of %s: %s', (_, bodies, why) => {
    expect(ahead(bodies)[1]).toBe(why);
  });

  const UNTIL = 'reason: r, owner: o, ticket: T-1';
  test.each([
    [
      'has no window',
      `rotations: {pw: {task: rotatePassword, maxAge: 180d, ${EACH} anytime}}`,
      'anytime',
      'rotations.pw',
    ],
    [
      'is an incident',
      `incidents: {leak: {rotate: password, ${EACH.replace(', windows:', '')}, since: "2025-12-31T00:00:00Z", until: "2026-01-03T00:00:00Z", expect: 3, ${UNTIL}}}`,
      'anytime',
      'incidents.leak',
    ],
  ])('has work where a policy %s', (_, policy, why, name) => {
    const of = documents(policy);
    expect(ahead([GENESIS, ...released(of)], of)).toEqual(['now', why, name]);
  });

  test('has work once an exception has ended since the last reading', () => {
    const pin = `exceptions: {bug: {type: hold, select: {device: [dev-7]}, until: "2026-01-01T05:00:00Z", ${UNTIL}}}`;
    const of = documents(NIGHTLY, pin);
    const run = [GENESIS, ...released(of)];
    expect(ahead(run, of)).toEqual(['01-01T05:00', 'date', 'exceptions.bug']);
    expect(ahead(run, of, BEGIN + 5 * HOUR)[0]).toBe('now');
  });

  test('follows the clock of each site that documents name', () => {
    const local = NIGHTS.replace('timeZone: UTC, ', '');
    const of = documents(
      NIGHTLY,
      'sites: {A: {timeZone: Europe/Berlin}, B: {timeZone: Asia/Tokyo}}',
    ).files[0];
    const text = (of?.text ?? '').replace(NIGHTS, local);
    const { documents: sited } = loadTexts([{ path: 'fleet/a.yaml', text }]);
    if (!sited) throw new Error('not valid');
    expect(ahead([GENESIS, ...released(sited)], sited)).toEqual([
      '01-01T09:45',
      'window',
      'nights',
    ]);
  });
});
