import { expect, test } from 'vitest';
import { proveDocuments, type Commits } from '../../../src/cli/prove-documents.ts';
import type { AuditPlan, AuditRun } from '../../../src/model/audit.ts';
import type { Documents } from '../../../src/model/policy.ts';
import { someDocuments } from '../../support/plan-fleet.ts';

type Known = Documents | 'gone' | 'none';

const commits = (known: Known, isShallow = false): Commits => ({
  at: async () => known,
  isShallow: Promise.resolve(isShallow),
});
const HERE = commits(someDocuments({ digest: 'same' }));

/** A run that says so much of what its plan was made from. */
function runOf(plan: Partial<AuditPlan>, epoch = 1): AuditRun {
  const counts = { devices: 1, sites: 1, changes: 1 };
  const said = {
    planId: 'p',
    commit: 'c1',
    fromFile: false,
    counts,
    confidence: 'one page',
  } as const;
  const plans = [{ ...said, seq: 3, at: '2026-01-01T00:00:00Z', ...plan }];
  const rest = { label: 'ci', tool: '1', startedAt: '2026-01-01T00:00:00Z' };
  return { ...rest, epoch, plans, attempts: [], events: [] };
}

const basis = (documents: string, dirty?: boolean): Pick<AuditPlan, 'basis'> => ({
  basis: {
    tool: '1',
    at: '',
    expiresAt: '',
    documents,
    ...(dirty !== undefined && { dirty }),
    snapshot: '',
    ledger: { seq: 0, hash: '' },
    digest: '',
  },
});

/** Each rule of the proof, what is on record, what the clone has, and what is then said. */
const RULES: readonly (readonly [string, readonly AuditRun[], Commits, readonly string[]])[] = [
  ['of the digest on record', [runOf(basis('same'))], HERE, ['proved documentsSame 1']],
  [
    'once for each commit',
    [runOf(basis('same')), runOf(basis('same'), 2)],
    HERE,
    ['proved documentsSame 1'],
  ],
  ['nothing where nothing was planned', [], HERE, []],
  ['of another digest', [runOf(basis('lie'))], HERE, ['broken documentsOther c1']],
  [
    'beside others that are as they were',
    [runOf(basis('lie')), runOf({ commit: 'c2', ...basis('same') }, 2)],
    HERE,
    ['proved documentsSame 1', 'broken documentsOther c1'],
  ],
  [
    'what the run itself read goes before what its plan rests on',
    [runOf({ ...basis('lie'), reading: { documents: 'same', snapshot: '' } })],
    HERE,
    ['proved documentsSame 1'],
  ],
  [
    'what the run read is held against the commit, too',
    [runOf({ ...basis('same'), reading: { documents: 'lie', snapshot: '' } })],
    HERE,
    ['broken documentsOther c1'],
  ],
  ['no digest on record', [runOf({})], HERE, ['unproved noBasis 1']],
  ['outside of a repository', [runOf({ commit: '', ...basis('x') })], HERE, ['unproved outside 1']],
  ['not committed', [runOf(basis('lie', true))], HERE, ['unproved notCommitted 1']],
  [
    'dirty, and committed all the same',
    [runOf(basis('same', true))],
    HERE,
    ['proved documentsSame 1'],
  ],
  ['a commit that is gone', [runOf(basis('same'))], commits('gone'), ['broken commitGone c1']],
  [
    'a commit before the history of a shallow clone begins',
    [runOf(basis('same'))],
    commits('gone', true),
    ['unproved commitNotHere c1'],
  ],
  [
    'a commit whose documents cannot be loaded',
    [runOf(basis('same'))],
    commits('none'),
    ['broken documentsUnusable c1'],
  ],
  [
    'dirty over a commit without documents',
    [runOf(basis('same', true))],
    commits('none'),
    ['unproved notCommitted 1'],
  ],
];

test.each(RULES)('documents: %s', async (_, runs, history, says) => {
  const checks = await proveDocuments(runs, history);
  expect(
    checks.map(({ result, why, params }) =>
      [result, why, ...Object.values(params ?? {})].join(' '),
    ),
  ).toEqual(says);
});
