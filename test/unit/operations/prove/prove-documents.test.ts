import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  DocumentHistory,
  proveDocuments,
  type Commits,
} from '../../../../src/operations/prove/prove-documents.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import type { AuditPlan, AuditRun } from '../../../../src/model/ledger/audit.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { gitIn } from '../../../support/blackbox-record.ts';
import { someDocuments } from '../../../support/plan-fleet.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { folderHere } from '../../../../src/operations/here.ts';

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
    'a commit that is gone, and another one with the same documents',
    [runOf(basis('same'))],
    {
      ...commits('gone'),
      withDigest: async (digest) =>
        digest === 'same' ? { commit: 'c9', documents: someDocuments({ digest }) } : undefined,
    },
    ['proved documentsKept c1 c9'],
  ],
  [
    'a commit that is gone, and none with the same documents',
    [runOf(basis('other'))],
    { ...commits('gone'), withDigest: async () => undefined },
    ['broken commitGone c1'],
  ],
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
    'a commit that is gone, whatever was not committed on top of it',
    [runOf(basis('same', true))],
    commits('gone'),
    ['broken commitGone c1'],
  ],
  [
    'what the run itself read was not committed',
    [runOf({ ...basis('same'), reading: { documents: 'lie', dirty: true, snapshot: '' } })],
    HERE,
    ['unproved notCommitted 1'],
  ],
  [
    'what its plan rests on was not committed, what the run itself read was',
    [runOf({ ...basis('same', true), reading: { documents: 'lie', snapshot: '' } })],
    HERE,
    ['broken documentsOther c1'],
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

describe('the documents of a commit, as git has them', () => {
  const place = scratchFolder('history');
  const shell = { cwd: place, env: { PATH: process.env['PATH'] } } as unknown as Shell;
  const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const commit = (): string => {
    gitIn(place, 'add', '--all');
    gitIn(place, ...by, 'commit', '--quiet', '--allow-empty', '-m', 'fleet');
    return gitIn(place, 'rev-parse', 'HEAD');
  };
  gitIn(place, 'init', '--quiet');
  const empty = commit();
  mkdirSync(join(place, 'fleet'));
  writeFileSync(join(place, 'fleet/a.yaml'), 'service: {baseUrl: https://a.test, organization: a}');
  const full = commit();

  test('are found by its whole id alone, and none is another thing than gone', async () => {
    const history = new DocumentHistory(folderHere(shell, 'fleet'));
    expect(await history.at(full)).toMatchObject({ service: { value: { organization: 'a' } } });
    expect(await history.at(empty)).toBe('none');
    for (const name of ['HEAD', full.slice(0, 12), 'd'.repeat(40)])
      expect(await history.at(name), name).toBe('gone');
  });

  test('are those of the commit, not those that the command stands on', async () => {
    const documents = { ...someDocuments({ digest: 'of-now' }), folder: join(place, 'fleet') };
    const found = await new DocumentHistory({ shell, documents }).at(full);
    expect(found).toMatchObject({ service: { value: { organization: 'a' } } });
    expect(found).not.toMatchObject({ digest: 'of-now' });
  });

  test('are found by their digest after a squash with a deleted branch', async () => {
    const write = (organization: string): void =>
      writeFileSync(
        join(place, 'fleet/a.yaml'),
        `service: {baseUrl: https://a.test, organization: ${organization}}`,
      );
    const main = gitIn(place, 'branch', '--show-current');
    gitIn(place, 'checkout', '--quiet', '-b', 'feature');
    commit();
    write('b');
    const planned = commit();
    gitIn(place, 'checkout', '--quiet', main);
    write('b');
    const squashed = commit();
    write('c');
    commit();
    const before = await new DocumentHistory(folderHere(shell, 'fleet')).at(planned);
    if (typeof before === 'string') throw new Error(before);
    gitIn(place, 'branch', '-D', 'feature');
    gitIn(place, 'reflog', 'expire', '--expire=now', '--all');
    gitIn(place, 'gc', '--quiet', '--prune=now');
    const history = new DocumentHistory(folderHere(shell, 'fleet'));
    expect(await history.at(planned)).toBe('gone');
    expect(await history.withDigest(before.digest)).toMatchObject({ commit: squashed });
    expect(await history.withDigest('f'.repeat(64))).toBeUndefined();
  });

  test('are read once', () => {
    const history = new DocumentHistory(folderHere(shell, 'fleet'));
    expect(history.at(full)).toBe(history.at(full));
    expect(history.at(full)).not.toBe(history.at(empty));
  });
});
