import { beforeAll, expect, test } from 'vitest';
import type { ProofInput } from '../../../src/operations/prove/prove-parts.ts';
import { provePlans } from '../../../src/operations/prove/prove-plan.ts';
import type { AuditCheck } from '../../../src/model/ledger/audit.ts';
import { readAgain, recordsOf, sent, SNAPSHOT } from '../../support/proof-world.ts';
import { withSent, worldOf, type World } from '../../support/proof-world.ts';

let made: World;
beforeAll(async () => {
  made = await worldOf();
});

/** What a finding is about, so that a reader knows where to look. */
const ABOUT: readonly (readonly [
  string,
  (world: World) => Partial<ProofInput> | Promise<Partial<ProofInput>>,
  readonly Pick<Required<AuditCheck>, 'why' | 'params'>[],
])[] = [
  [
    'the run that rests on a snapshot, before one that read it again',
    async ({ runs }) => {
      const { runs: read = [] } = await readAgain(SNAPSHOT.digest);
      return { plan: undefined, runs: [...read, ...runs.map((run) => ({ ...run, epoch: 2 }))] };
    },
    [
      { why: 'snapshotNamed', params: { epoch: 2 } },
      { why: 'planDigestSame', params: { epoch: 2 } },
      { why: 'attemptsCovered', params: { attempts: 1, epoch: 2 } },
    ],
  ],
  [
    'the run whose plan is another one, and none for a file',
    async ({ plan, snapshot }) => {
      const world = await worldOf({}, { basis: { digest: 'lie' } });
      const counts = { ...plan.counts, run: 9 };
      return { ...world, snapshot, plan: { ...plan, counts } };
    },
    [
      { why: 'planNotNamed', params: { epoch: 1 } },
      { why: 'planOther', params: {} },
      { why: 'snapshotNamed', params: { epoch: 1 } },
      { why: 'planOther', params: { epoch: 1 } },
    ],
  ],
  [
    'the version that may have decided in another way',
    async () => ({ ...(await worldOf({}, { basis: { tool: '0.0.1' } })), plan: undefined }),
    [
      { why: 'snapshotNamed', params: { epoch: 1 } },
      { why: 'planOtherVersion', params: { tool: '0.0.1' } },
    ],
  ],
  [
    'the head that the ledger never had',
    ({ records }) => ({ ...recordsOf(records.slice(0, 1)), snapshot: undefined }),
    [
      { why: 'ledgerElsewhere', params: { seq: 2 } },
      { why: 'planUnapplied', params: {} },
    ],
  ],
  [
    'the attempt and the device that no plan wanted',
    ({ plan }) => withSent(sent(plan.id, 'dev-9')),
    [
      { why: 'snapshotNamed', params: { epoch: 1 } },
      { why: 'planDigestSame', params: { epoch: 1 } },
      { why: 'attemptUncovered', params: { attempt: 't1', device: 'dev-9' } },
    ],
  ],
];

test.each(ABOUT)('a finding about a plan names %s', async (_, lie, says) => {
  const checks = await provePlans({ ...made, ...(await lie(made)) });
  expect(checks.map(({ why, params = {} }) => ({ why, params }))).toEqual(says);
});
