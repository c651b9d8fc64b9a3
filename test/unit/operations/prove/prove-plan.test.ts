import { beforeAll, describe, expect, test } from 'vitest';
import { decidePlan } from '../../../../src/operations/plan.ts';
import type { ProofInput } from '../../../../src/operations/prove/prove-parts.ts';
import { fold } from '../../../../src/ledger/fold.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import type { PlanBasis } from '../../../../src/model/ledger/record.ts';
import { toBasis } from '../../../../src/plan/compare/basis.ts';
import { chained, GENESIS, lock } from '../../../support/ledger-records.ts';
import { NOW } from '../../../support/plan-fleet.ts';
import { COMMIT, DOCUMENTS, OTHER_DOCUMENTS, PARTS } from '../../../support/proof-world.ts';
import { recordsOf, sent, SNAPSHOT, snapshotAt } from '../../../support/proof-world.ts';
import { COVERED, DIGEST_SAME, NAMED, RECORD, SAME, told } from '../../../support/proof-world.ts';
import {
  plansWith,
  readAgain,
  withSent,
  worldOf,
  type World,
} from '../../../support/proof-world.ts';

describe('a plan made again', () => {
  let made: World;
  beforeAll(async () => {
    made = await worldOf();
  });

  /** Each rule of the proof, what goes against it, and what is then said. */
  const RULES: readonly (readonly [
    string,
    (world: World) => Partial<ProofInput> | Promise<Partial<ProofInput>>,
    readonly string[],
  ])[] = [
    ['is the same, as a file and on record', () => ({}), [SAME, ...RECORD]],
    ['is proved from the record alone', () => ({ plan: undefined }), RECORD],
    ['wants the snapshot', () => ({ snapshot: undefined }), ['snapshot unproved snapshotMissing']],
    [
      'wants the snapshot where there is no file either',
      () => ({ snapshot: undefined, plan: undefined }),
      ['snapshot unproved snapshotMissing'],
    ],
    [
      'wants the snapshot for a file that nobody applied, too',
      ({ records }) => ({ ...recordsOf(records.slice(0, 2)), snapshot: undefined }),
      ['plan unproved planUnapplied', 'snapshot unproved snapshotMissing'],
    ],
    [
      'wants no snapshot for a file that is wrong without one',
      ({ plan }) => ({ snapshot: undefined, plan: { ...plan, expiresAt: plan.evaluatedAt } }),
      ['plan broken planNotNamed'],
    ],
    [
      'rests on the snapshot whose file is on record, at its very moment',
      () => ({ plan: undefined, snapshot: snapshotAt(NOW + 1) }),
      ['snapshot broken snapshotUnknown'],
    ],
    [
      'rests on the snapshot with the digest on record where no file was kept',
      async () => ({ ...(await unfiled()), plan: undefined }),
      RECORD,
    ],
    ['may have been read again by the run', () => readAgain(SNAPSHOT.digest), [NAMED]],
    [
      'rests on no snapshot because the run read another one',
      () => readAgain('y'),
      ['snapshot broken snapshotUnknown'],
    ],
    [
      'may be in a file that nobody applied',
      () => recordsOf(made.records.slice(0, 2)),
      ['plan unproved planUnapplied', SAME, 'snapshot proved snapshotOfPlan'],
    ],
    [
      'may be in a file that nobody applied, of a snapshot that was kept in none',
      async () => ({ ...(await unfiled()), ...recordsOf(made.records.slice(0, 2)) }),
      ['plan unproved planUnapplied', SAME, 'snapshot proved snapshotOfPlan'],
    ],
    [
      'is of the snapshot that it names',
      ({ records }) => ({
        ...recordsOf(records.slice(0, 2)),
        snapshot: snapshotAt(NOW, '11.8.60'),
      }),
      [
        'plan unproved planUnapplied',
        'plan unproved planLacksSnapshot',
        'snapshot broken snapshotUnknown',
      ],
    ],
    [
      'is of the file of the snapshot that it names',
      ({ records }) => ({ ...recordsOf(records.slice(0, 2)), snapshot: snapshotAt(NOW + 1) }),
      [
        'plan unproved planUnapplied',
        'plan unproved planLacksSnapshot',
        'snapshot broken snapshotUnknown',
      ],
    ],
    [
      'is the file that was approved under its id',
      ({ plan }) => ({ plan: { ...plan, expiresAt: plan.evaluatedAt } }),
      ['plan broken planNotNamed', SAME, ...RECORD],
    ],
    [
      'is one of the files that were approved under its id',
      ({ runs, plan }) => ({ runs: [...plansWith(runs, { basis: otherFile(plan) }), ...runs] }),
      [SAME, NAMED, DIGEST_SAME, COVERED, DIGEST_SAME, COVERED],
    ],
    [
      'is no file that was approved where it was applied without one',
      ({ runs, plan }) => ({
        runs: plansWith(runs, { basis: toBasis(plan, { isFile: false }) }),
      }),
      ['plan unproved planUnapplied', SAME, ...RECORD],
    ],
    [
      'says nothing else than what follows',
      ({ plan }) => ({ plan: { ...plan, counts: { ...plan.counts, run: 9 } } }),
      ['plan broken planNotNamed', 'plan broken planOther', ...RECORD],
    ],
    [
      'may be told in another way by another version',
      ({ plan }) => ({
        plan: {
          ...plan,
          inputs: { ...plan.inputs, tool: '0.0.1' },
          counts: { ...plan.counts, run: 9 },
        },
      }),
      ['plan broken planNotNamed', 'plan unproved planOtherVersion', ...RECORD],
    ],
    [
      'has the digest on record',
      async () => ({ ...(await worldOf({}, { basis: { digest: 'lie' } })), plan: undefined }),
      [NAMED, 'plan broken planOther'],
    ],
    [
      'may be decided in another way by another version',
      async () => ({ ...(await worldOf({}, { basis: { tool: '0.0.1' } })), plan: undefined }),
      [NAMED, 'plan unproved planOtherVersion'],
    ],
    [
      'is of documents with the digest on record',
      () => ({ history: { at: async () => OTHER_DOCUMENTS } }),
      ['plan unproved planLacksDocuments', NAMED, 'plan unproved planLacksDocuments'],
    ],
    [
      'cannot be made where the commit is gone',
      () => ({ history: { at: async () => 'gone' } }),
      ['plan unproved planLacksDocuments', NAMED, 'plan unproved planLacksDocuments'],
    ],
    [
      'is made from the commit at which it was applied where its own is gone',
      () => ({
        history: { at: async (id: string) => (id === COMMIT ? ('gone' as const) : DOCUMENTS) },
        runs: plansWith(made.runs, { commit: 'merged' }),
        plan: undefined,
      }),
      RECORD,
    ],
    [
      'is made from its own commit where the one at which it was applied is gone',
      () => ({
        history: { at: async (id: string) => (id === COMMIT ? DOCUMENTS : ('gone' as const)) },
        runs: plansWith(made.runs, { commit: 'merged' }),
        plan: undefined,
      }),
      RECORD,
    ],
    [
      'cannot be made where it was made and applied outside of any commit',
      () => worldOf({ commit: undefined }),
      ['plan unproved planLacksDocuments', NAMED, 'plan unproved planLacksDocuments'],
    ],
    [
      'is made from the commit at which it was applied where it has none of its own',
      async () => {
        const { runs, records } = await worldOf({ commit: undefined });
        return { records, runs: plansWith(runs, { commit: 'merged' }), plan: undefined };
      },
      RECORD,
    ],
    [
      'is of documents that were all committed where the record does not say',
      async () => {
        const { dirty: _, ...basis } = toBasis(made.plan, { isFile: true });
        return { runs: plansWith(made.runs, { basis }), plan: undefined };
      },
      RECORD,
    ],
    [
      'rests on a head that the ledger had',
      () =>
        recordsOf(
          chained([GENESIS, lock('other'), ...made.records.slice(2).map(({ body }) => body)]),
        ),
      ['plan broken ledgerElsewhere', NAMED, 'plan broken ledgerElsewhere'],
    ],
    [
      'rests on a head past the end of an old copy',
      ({ records }) => ({ ...recordsOf(records.slice(0, 1)), isOldCopy: true }),
      [
        'plan unproved ledgerElsewhere',
        'plan unproved planUnapplied',
        'snapshot proved snapshotOfPlan',
      ],
    ],
    [
      'rests on no head past the end of the whole ledger',
      ({ records }) => recordsOf(records.slice(0, 1)),
      [
        'plan broken ledgerElsewhere',
        'plan unproved planUnapplied',
        'snapshot proved snapshotOfPlan',
      ],
    ],
    [
      'may rest on a ledger that was empty then',
      async () => {
        const { plan } = await decidePlan(PARTS, fold([]), SNAPSHOT, NOW);
        return { plan };
      },
      ['plan broken planNotNamed', SAME, ...RECORD],
    ],
    [
      'covers nothing that it skips',
      ({ plan }) => withSent(sent(plan.id, 'dev-3')),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'rests on no other snapshot where no file was kept',
      async () => ({ ...(await unfiled()), plan: undefined, snapshot: snapshotAt(NOW, '11.8.60') }),
      ['snapshot broken snapshotUnknown'],
    ],
    [
      'names its snapshot where no file was kept',
      async () => ({
        plan: (await unfiled()).plan,
        ...recordsOf(made.records.slice(0, 2)),
        snapshot: snapshotAt(NOW, '11.8.60'),
      }),
      [
        'plan unproved planUnapplied',
        'plan unproved planLacksSnapshot',
        'snapshot broken snapshotUnknown',
      ],
    ],
    [
      'is excused by an old copy only past its end',
      () => ({
        ...recordsOf(
          chained([GENESIS, lock('other'), ...made.records.slice(2).map(({ body }) => body)]),
        ),
        isOldCopy: true,
      }),
      ['plan broken ledgerElsewhere', NAMED, 'plan broken ledgerElsewhere'],
    ],
    [
      'is not approved by what was approved under another id',
      ({ runs }) => ({
        runs: plansWith(runs, { planId: 'other' }),
      }),
      ['plan unproved planUnapplied', SAME, ...RECORD],
    ],
    [
      'may be of documents that were not all committed',
      () => worldOf({ commit: { commit: COMMIT, dirty: true } }),
      [SAME, ...RECORD],
    ],
  ];

  test.each(RULES)('%s', async (_, lie, says) => {
    expect(await told({ ...made, ...(await lie(made)) })).toEqual(says);
  });
});

async function unfiled(): Promise<World> {
  const { digest, snapshot } = SNAPSHOT;
  return worldOf({}, { on: { digest, snapshot } });
}

/** What is on record of a file with the same decisions that was saved at another moment. */
function otherFile(plan: Plan): PlanBasis {
  return { ...toBasis(plan, { isFile: true }), file: 'of another moment' };
}
