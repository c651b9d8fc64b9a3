import { describe, expect, test } from 'vitest';
import { proveNotes, type Noted } from '../../../../src/operations/prove/prove-notes.ts';
import { buildAudit } from '../../../../src/ledger/audit.ts';
import type { LedgerRecord, RecordBody } from '../../../../src/model/ledger/record.ts';
import { headNoteText, noteText } from '../../../../src/render/data/note.ts';
import { attempt, chained, FINGERPRINT, GENESIS, lock } from '../../../support/ledger-records.ts';
import { RELEASE, result, settled } from '../../../support/ledger-records.ts';

const plan = (planId: string, commit: string): RecordBody => ({
  type: 'PLAN',
  planId,
  commit,
  fromFile: false,
  counts: { devices: 2, sites: 1, changes: 2 },
  confidence: 'one page',
});
const [ADA, BEA] = ['a'.repeat(40), 'b'.repeat(40)];

/** The first run leaves `b` open, which the second one settles; the third had nothing to send. */
const RECORDS = chained([
  GENESIS,
  lock('one'),
  plan('plan-1', ADA),
  attempt('t1', ['a', 'b']),
  result('t1', 'accepted'),
  settled('a@2', 'done'),
  RELEASE,
  lock('two'),
  plan('plan-2', BEA),
  settled('b@2', 'failed'),
  attempt('t2', ['c']),
  result('t2', 'accepted'),
  settled('c@2', 'done'),
  RELEASE,
  lock('three'),
  plan('plan-3', BEA),
  RELEASE,
]);

/** What a run leaves on its commit when so many records are there. */
function noteOf(epoch: number, seq: number, records = RECORDS, of = FINGERPRINT): string {
  const { runs, head } = buildAudit(records.slice(0, seq));
  const run = runs.find((one) => one.epoch === epoch);
  return run ? noteText(run, { head, fingerprint: of }) : '';
}

const [EARLY, LATE, OF_TWO] = [noteOf(1, 7), noteOf(1, 14), noteOf(2, 14)];
const TRUE: Noted = {
  records: RECORDS,
  fingerprint: FINGERPRINT,
  notes: new Map([
    [ADA, `${EARLY}\n${LATE}`],
    [BEA, OF_TWO],
  ]),
  tool: '1',
  isOldCopy: false,
};
const noted = (ada: string, bea = OF_TWO): Pick<Noted, 'notes'> => ({
  notes: new Map([
    [ADA, ada],
    [BEA, bea],
  ]),
});
const without = (commit: string): Pick<Noted, 'notes'> => ({
  notes: new Map([...TRUE.notes].filter(([each]) => each !== commit)),
});
const told = (lie: Partial<Noted>): readonly string[] =>
  proveNotes({ ...TRUE, ...lie }).checks.map(({ result: found, why, params }) =>
    [found, why, ...Object.values(params ?? {})].join(' ').replace(/([ab])\1{39}/, '$1'),
  );
/** Three runs of one commit; only the last one has left a note. */
const ALL_ADA = chained([
  GENESIS,
  ...[1, 2, 3].flatMap((n) => [
    lock(`run-${n}`),
    plan('plan-1', ADA),
    attempt(`t${n}`, [`d${n}`]),
    result(`t${n}`, 'accepted'),
    settled(`d${n}@2`, 'done'),
    RELEASE,
  ]),
]);
/** A run that went on with the documents of a newer commit. */
const MOVED_ON = chained([
  GENESIS,
  lock(),
  plan('plan-1', ADA),
  plan('plan-2', BEA),
  attempt('t1', ['a']),
]);
const NAMED_LIKE_A_RUN = chained([
  GENESIS,
  { ...lock(), label: 'Run: 7' } as RecordBody,
  ...RECORDS.slice(2, 7).map(({ body }) => body),
]);
const ELSEWHERE = chained([GENESIS, lock('other'), ...RECORDS.slice(2).map(({ body }) => body)]);

/** A run that left its sums; one of its devices is settled by a later run. */
const SUMMED = chained([
  GENESIS,
  lock('one'),
  plan('plan-1', ADA),
  attempt('t1', ['a', 'b']),
  result('t1', 'accepted'),
  settled('a@2', 'done'),
  {
    type: 'RELEASE',
    sums: {
      planId: 'plan-1',
      classes: { verified: 1, converged: 2, atWork: 1, stale: 3 },
      noted: 5,
      beside: { inDoubt: 1 },
      columns: { now: 0, running: 1, later: 0, person: 3, done: 8, out: 57 },
    },
  },
  lock('two'),
  settled('b@2', 'failed'),
  RELEASE,
]);

/** Each rule of the proof, what goes against it, and what is then said. */
const RULES: readonly (readonly [string, Partial<Noted>, readonly string[]])[] = [
  ['notes that follow from the ledger agree', {}, ['proved notesAgree 3']],
  ['blocks may stand in any order', noted(`${LATE}\n${EARLY}`), ['proved notesAgree 3']],
  [
    'a block without a head was not written by a run',
    noted(`${EARLY}\n${LATE}\nSigned-off-by: Mallory\n`),
    ['proved notesAgree 3', 'broken noteEdited a'],
  ],
  [
    'the last line alone does not make a block',
    noted(LATE.slice(LATE.indexOf('Ledger-Head'))),
    ['proved notesAgree 1', 'broken noteEdited a', 'unproved noteMissing a'],
  ],
  [
    'the words are those that the run would write',
    noted(LATE.replace('1 failed', '1 unverified')),
    ['proved notesAgree 1', 'broken noteEdited a'],
  ],
  [
    'the lines for machines hold whichever version wrote the rest',
    { tool: '2', ...noted(LATE.replace('Counts: done=1', 'Counts: done=2')) },
    ['proved notesAgree 1', 'broken noteEdited a'],
  ],
  [
    'the classes are those of the record, early and late',
    {
      records: SUMMED,
      notes: new Map([[ADA, `${noteOf(1, 7, SUMMED)}\n${noteOf(1, 10, SUMMED)}`]]),
    },
    ['proved notesAgree 2'],
  ],
  [
    'so are they for machines, whichever version wrote the rest',
    {
      records: SUMMED,
      tool: '2',
      notes: new Map([[ADA, noteOf(1, 10, SUMMED).replace('stale=3', 'stale=2')]]),
    },
    ['broken noteEdited a'],
  ],
  [
    'another version words the rest in its own way',
    { tool: '2', ...noted(LATE.replace('fleetform:', 'Fleetform says:')) },
    ['proved notesAgree 2'],
  ],
  [
    'a block tells what was known at its head, not later',
    noted(EARLY.replace(/^Ledger-Head: .*$/m, /^Ledger-Head: .*$/m.exec(LATE)?.[0] ?? '')),
    ['proved notesAgree 1', 'broken noteEdited a'],
  ],
  [
    'a note stands on the commit that its run applied',
    noted(`${EARLY}\n${LATE}\n${OF_TWO}`),
    ['proved notesAgree 3', 'broken noteEdited a'],
  ],
  [
    'a run that the ledger does not know has no note',
    noted(`${LATE}\n${EARLY.replace('Run: 1', 'Run: 9')}`),
    ['proved notesAgree 2', 'broken noteEdited a'],
  ],
  [
    'the head that a note names is in the ledger',
    { records: RECORDS.slice(0, 13) },
    ['proved notesAgree 1', 'broken noteElsewhere a 14', 'broken noteElsewhere b 14'],
  ],
  [
    'at its place in the ledger is that very record',
    { records: ELSEWHERE },
    ['broken noteElsewhere a 7', 'broken noteElsewhere a 14', 'broken noteElsewhere b 14'],
  ],
  [
    'an old copy may end before the head of a note',
    { records: RECORDS.slice(0, 13), isOldCopy: true },
    ['proved notesAgree 1', 'unproved noteAhead a 14', 'unproved noteAhead b 14'],
  ],
  [
    'an old copy is held against what it does have',
    { records: ELSEWHERE, isOldCopy: true },
    ['broken noteElsewhere a 7', 'broken noteElsewhere a 14', 'broken noteElsewhere b 14'],
  ],
  [
    'a head is a line of its own, whichever ledger it names',
    noted(
      `${LATE}\n${noteOf(1, 7, RECORDS, 'e'.repeat(64)).replace('Ledger-Head', 'No Ledger-Head')}`,
    ),
    ['proved notesAgree 2', 'broken noteEdited a'],
  ],
  [
    'the run of a note is a line of its own, whatever it is called',
    { records: NAMED_LIKE_A_RUN, notes: new Map([[ADA, noteOf(1, 7, NAMED_LIKE_A_RUN)]]) },
    ['proved notesAgree 1'],
  ],
  [
    'notes of another ledger are that one’s',
    noted(`${LATE}\n${noteOf(1, 7, RECORDS, 'e'.repeat(64)).replace('1 verified', '9 verified')}`),
    ['proved notesAgree 2'],
  ],
  [
    'every run that sent something has a note',
    without(BEA),
    ['proved notesAgree 2', 'unproved noteMissing b'],
  ],
  [
    'a note that was moved to another commit is missed on its own',
    { notes: new Map([[ADA, `${EARLY}\n${LATE}\n${OF_TWO}`]]) },
    ['proved notesAgree 2', 'broken noteEdited a', 'unproved noteMissing b'],
  ],
  [
    'a commit whose notes are missed is told once, however many runs applied it',
    { records: ALL_ADA, notes: new Map([[ADA, noteOf(3, 19, ALL_ADA)]]) },
    ['proved notesAgree 1', 'unproved noteMissing a'],
  ],
  [
    'a note stands on the commit that its run applied last',
    { records: MOVED_ON, notes: new Map([[BEA, noteOf(1, 5, MOVED_ON)]]) },
    ['proved notesAgree 1'],
  ],
  ['without any note of this ledger that is said once', { notes: new Map() }, ['unproved noNotes']],
  [
    'where nobody sent anything no note is missed',
    { notes: new Map(), records: chained([GENESIS, lock(), plan('p', ADA), RELEASE]) },
    [],
  ],
  [
    'a run outside of any commit has no note to miss',
    {
      notes: new Map(),
      records: chained([GENESIS, lock(), plan('plan-1', ''), attempt('t1', ['a'])]),
    },
    [],
  ],
  [
    'a note is older than what became of its run',
    noted(EARLY),
    ['proved notesAgree 2', 'unproved noteStale a 1'],
  ],
  [
    'a note up to the very record that tells what became of its run is no older',
    noted(noteOf(1, 10), noteOf(2, 13)),
    ['proved notesAgree 2'],
  ],
];

test('a note has the classes of the report, and what became of them since (protocol Z7)', () => {
  const [early, late] = [noteOf(1, 7, SUMMED), noteOf(1, 10, SUMMED)];
  const first =
    '1 task sent: 1 device verified, 0 failed, 1 in doubt, 3 stale; 69 selected: 1 running, 3 need you, 8 done, 57 out';
  const tail = [
    'Classes: verified=1 converged=2 atWork=1 stale=3',
    'Noted: 5',
    'Columns: now=0 running=1 later=0 person=3 done=8 out=57',
    'Beside: inDoubt=1',
  ].join('\n');
  for (const note of [early, late]) {
    expect(note.startsWith(`fleetform: ${first}\n`)).toBe(true);
    expect(note).toContain(tail);
  }
  expect(late).toContain('finished by run 2: 1 verified, 1 failed of what it started.\n');
  expect(noteOf(1, 6, SUMMED)).toContain('are not recorded: the run did not end normally.\n');
});

describe('notes held against the ledger', () => {
  test.each(RULES)('%s', (_, lie, says) => {
    expect(told(lie)).toEqual(says);
  });

  test('costs one walk through the records, however many blocks there are and however far they say to be', () => {
    const runs = 200;
    const bodies = Array.from({ length: runs }, (_, n): readonly RecordBody[] => [
      lock(`run-${n}`),
      plan('plan-1', ADA),
      attempt(`t${n}`, [`d${n}`]),
      result(`t${n}`, 'accepted'),
      settled(`d${n}@2`, 'done'),
      RELEASE,
    ]);
    const records = chained([GENESIS, ...bodies.flat()]);
    const blocks = bodies.map((_, n) => noteOf(n + 1, 7 + 6 * n, records));
    let looks = 0;
    const counting = new Proxy(records as LedgerRecord[], {
      get: (all, name): unknown => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
        return Reflect.get(all, name);
      },
    });
    const far = (blocks.at(-1) ?? '').replace(/^(Ledger-Head: \S+) \d+/m, '$1 1000000');
    const notes = new Map([[ADA, [...blocks, far].join('\n')]]);
    const { checks } = proveNotes({ ...TRUE, records: counting, notes });
    expect(checks).toMatchObject([
      { why: 'notesAgree', params: { notes: runs } },
      { why: 'noteElsewhere', params: { seq: 1_000_000 } },
    ]);
    expect(looks).toBeLessThanOrEqual(records.length + runs + 1);
  });
});

describe('the note of a decision', () => {
  const { head } = buildAudit(RECORDS.slice(0, 9));
  const DECISION = headNoteText(head, FINGERPRINT);
  const withDecision = (text: string) => told(noted(`${EARLY}\n${LATE}`, `${OF_TWO}\n${text}`));

  test('is proved by the head that it names, beside the notes of runs', () => {
    expect(withDecision(DECISION)).toEqual(['proved notesAgree 4']);
  });

  test('is broken where its words or its head are changed', () => {
    const edited = DECISION.replace('recorded', 'dropped');
    expect(withDecision(edited)).toContain('broken noteEdited b');
    const elsewhere = headNoteText({ ...head, seq: head.seq - 1 }, FINGERPRINT);
    expect(withDecision(elsewhere)).toContain(`broken noteElsewhere b ${head.seq - 1}`);
  });
});
