import { expect, it } from 'vitest';
import { buildAudit } from '../../../src/ledger/audit.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { runsToNote } from '../../../src/operations/leave-note.ts';
import { noteText } from '../../../src/render/data/note.ts';
import { attempt, chained, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { RELEASE, result, settled } from '../../support/ledger-records.ts';

const [ADA, BEA] = ['a'.repeat(40), 'b'.repeat(40)];
const plan = (commit: string): RecordBody => ({
  type: 'PLAN',
  planId: 'plan',
  commit,
  fromFile: false,
  counts: { devices: 2, sites: 1, changes: 2 },
  confidence: 'one page',
});

/** The second run settles what the first one left, and is killed; the third settles what the second left. */
const RECORDS = chained([
  GENESIS,
  lock('one'),
  plan(ADA),
  attempt('t1', ['a']),
  result('t1', 'accepted'),
  RELEASE,
  lock('two'),
  plan(BEA),
  settled('a@2', 'done'),
  attempt('t2', ['b']),
  result('t2', 'accepted'),
  lock('three'),
  settled('b@2', 'failed'),
  RELEASE,
]);

it('the note on a run that a killed one settled is written by the next that settles any', () => {
  const { runs, head } = buildAudit(RECORDS);
  const early = buildAudit(RECORDS.slice(0, 6));
  const [first, second] = runs;
  const of = (run: typeof first, at: typeof head): string =>
    run ? noteText(run, { head: at, fingerprint: FINGERPRINT }) : '';
  const noted = (text: string) => ({ notes: new Map([[ADA, text]]), fingerprint: FINGERPRINT });
  const left = noted(of(early.runs[0], early.head));
  expect(runsToNote(runs, new Set([3]), left)).toEqual([first, second]);
  expect(runsToNote(runs, new Set([3]), noted(of(first, head)))).toEqual([second]);
  // A run that was killed as well has no note yet; what ended and has none was removed.
  const none = { notes: new Map(), fingerprint: FINGERPRINT };
  expect(runsToNote(runs, new Set([3]), none)).toEqual([second]);
  const killed = buildAudit(RECORDS.filter(({ seq }) => seq !== 6)).runs;
  expect(runsToNote(killed, new Set([3]), none)).toEqual(killed.slice(0, 2));
});
