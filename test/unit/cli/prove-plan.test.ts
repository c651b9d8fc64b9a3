import { beforeAll, describe, expect, test } from 'vitest';
import { decide, type DecideParts } from '../../../src/cli/decide.ts';
import { provePlans, type Evidence } from '../../../src/cli/prove-plan.ts';
import { fold } from '../../../src/ledger/fold.ts';
import type { RecordBody } from '../../../src/model/record.ts';
import { chained, GENESIS, lock } from '../../support/ledger-records.ts';
import { NOW } from '../../support/plan-fleet.ts';
import { COMMIT, DOCUMENTS, OTHER_DOCUMENTS, PARTS } from '../../support/proof-world.ts';
import { recordsOf, sent, SNAPSHOT, snapshotAt } from '../../support/proof-world.ts';
import { worldOf, type World } from '../../support/proof-world.ts';

const BASE = 'b'.repeat(40);
const told = async (evidence: Evidence): Promise<readonly string[]> =>
  (await provePlans(evidence)).map(({ check, result, why }) => `${check} ${result} ${why}`);

const NAMED = 'snapshot proved snapshotNamed';
const SAME = 'plan proved planSame';
const DIGEST_SAME = 'plan proved planDigestSame';
const COVERED = 'attempts proved attemptsCovered';
const RECORD = [NAMED, DIGEST_SAME, COVERED];

describe('a plan made again', () => {
  let made: World;
  beforeAll(async () => {
    made = await worldOf();
  });

  /** Each rule of the proof, what goes against it, and what is then said. */
  const RULES: readonly (readonly [
    string,
    (world: World) => Partial<Evidence> | Promise<Partial<Evidence>>,
    readonly string[],
  ])[] = [
    ['is the same, as a file and on record', () => ({}), [SAME, ...RECORD]],
    ['is proved from the record alone', () => ({ plan: undefined }), RECORD],
    ['wants the snapshot', () => ({ snapshot: undefined }), ['snapshot unproved snapshotMissing']],
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
    [
      'may have been read again by the run',
      async () => {
        const basis = { snapshot: 'x', snapshotFile: 'x' };
        const world = await worldOf({}, { basis });
        const reading = { documents: 'documents', snapshot: SNAPSHOT.digest };
        const runs = world.runs.map((run) => ({
          ...run,
          plans: run.plans.map((plan) => ({ ...plan, reading })),
        }));
        return { ...world, runs, plan: undefined };
      },
      [NAMED],
    ],
    [
      'may be in a file that nobody applied',
      () => recordsOf(made.records.slice(0, 2)),
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
        'plan unproved planMissing',
        'snapshot broken snapshotUnknown',
      ],
    ],
    [
      'is of the file of the snapshot that it names',
      ({ records }) => ({ ...recordsOf(records.slice(0, 2)), snapshot: snapshotAt(NOW + 1) }),
      [
        'plan unproved planUnapplied',
        'plan unproved planMissing',
        'snapshot broken snapshotUnknown',
      ],
    ],
    [
      'is the file that was approved under its id',
      ({ plan }) => ({ plan: { ...plan, expiresAt: plan.evaluatedAt } }),
      ['plan broken planNotNamed', SAME, ...RECORD],
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
      ['plan unproved planMissing', NAMED, 'plan unproved planMissing'],
    ],
    [
      'cannot be made where the commit is gone',
      () => ({ history: { at: async () => 'gone' } }),
      ['plan unproved planMissing', NAMED, 'plan unproved planMissing'],
    ],
    [
      'is made from the commit at which it was applied where its own is gone',
      async () => {
        const history = {
          at: async (id: string) => (id === COMMIT ? ('gone' as const) : DOCUMENTS),
        };
        const runs = made.runs.map((run) => ({
          ...run,
          plans: run.plans.map((plan) => ({ ...plan, commit: 'merged' })),
        }));
        return { history, runs, plan: undefined };
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
        const { plan } = await decide(PARTS, fold([]), SNAPSHOT, NOW);
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
        'plan unproved planMissing',
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
        runs: runs.map((run) => ({
          ...run,
          plans: run.plans.map((plan) => ({ ...plan, planId: 'other' })),
        })),
      }),
      ['plan unproved planUnapplied', SAME, ...RECORD],
    ],
    [
      'may be of documents that were not all committed',
      () => worldOf({ commit: { commit: COMMIT, dirty: true } }),
      [SAME, ...RECORD],
    ],
    [
      'covers the device of every attempt',
      ({ plan }) => withSent(sent(plan.id, 'dev-9')),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'covers the policy of every attempt',
      ({ plan }) => withSent(sent(plan.id, 'dev-1', 'firmware.other')),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'covers the task of every attempt',
      ({ plan }) => withSent({ ...sent(plan.id, 'dev-1'), task: 'restartDevice' } as RecordBody),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'has nothing to do with attempts at another plan',
      () => withSent(sent('other', 'dev-9')),
      RECORD,
    ],
    [
      'is held against its base',
      () => compared(OTHER_DOCUMENTS, async (id) => (id === BASE ? OTHER_DOCUMENTS : DOCUMENTS)),
      [SAME, ...RECORD],
    ],
    [
      'is not held against another base',
      () => compared(OTHER_DOCUMENTS, async () => DOCUMENTS),
      ['plan broken planOther', ...RECORD],
    ],
    [
      'cannot be made where its base is gone',
      () => compared(OTHER_DOCUMENTS, async (id) => (id === BASE ? 'gone' : DOCUMENTS)),
      ['plan unproved planMissing', ...RECORD],
    ],
  ];

  test.each(RULES)('%s', async (_, lie, says) => {
    expect(await told({ ...made, ...(await lie(made)) })).toEqual(says);
  });
});

async function compared(
  documents: DecideParts['documents'],
  at: Evidence['history']['at'],
): Promise<Partial<Evidence>> {
  const world = await worldOf({ base: { ref: 'main', commit: BASE, documents } });
  return { ...world, history: { at } };
}

async function unfiled(): Promise<World> {
  const { digest, snapshot } = SNAPSHOT;
  return worldOf({}, { on: { digest, snapshot } });
}

async function withSent(body: RecordBody): Promise<Partial<Evidence>> {
  return { ...(await worldOf({}, { sent: [body] })), plan: undefined };
}
