import { decidePlan, type DecideParts, type Recorded } from '../../src/operations/plan.ts';
import type { ProofInput } from '../../src/operations/prove/prove-parts.ts';
import { provePlans } from '../../src/operations/prove/prove-plan.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { buildAudit } from '../../src/ledger/audit.ts';
import { fold } from '../../src/ledger/fold.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { AuditPlan } from '../../src/model/ledger/audit.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { LedgerRecord, PlanBasis, RecordBody } from '../../src/model/ledger/record.ts';
import { toBasis } from '../../src/plan/compare/basis.ts';
import { attempt, chained, FINGERPRINT, GENESIS, lock } from './ledger-records.ts';
import { digested } from './digested.ts';
import { A_ROLLOUT, NOW, aDevice, aFirmwarePolicy, aSnapshot } from './plan-fleet.ts';
import { entries, someDocuments } from './plan-fleet.ts';

const HOUR = 3_600_000;
export const COMMIT = 'c'.repeat(40);
const TARGET = {
  baseUrl: 'https://service.test',
  organization: 'acme',
  from: 'document',
  fingerprint: FINGERPRINT,
} as const;
export const DOCUMENTS = someDocuments({
  firmware: entries({ lts: aFirmwarePolicy('lts', { rollout: 'all' }) }),
  rollouts: entries({ all: A_ROLLOUT }),
});
/** Another version wanted of the same devices: another plan. */
export const OTHER_DOCUMENTS = someDocuments({
  digest: 'other documents',
  firmware: entries({ lts: aFirmwarePolicy('lts', { rollout: 'all', downgrade: 'allow' }) }),
});
const FACTS = { targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }] };
export const snapshotAt = (takenAt: number, version = '11.8.61') =>
  digested(
    aSnapshot(
      [
        aDevice('dev-1', { firmwareVersion: version }),
        aDevice('dev-2'),
        aDevice('dev-3', { firmwareVersion: '12.0.0' }),
      ],
      {
        takenAt,
        facts: () => FACTS,
      },
    ),
  );
export const SNAPSHOT = snapshotAt(NOW);
export const PARTS: DecideParts = {
  documents: DOCUMENTS,
  target: TARGET,
  dialect: resolveDialect(),
  commit: { commit: COMMIT, dirty: false },
  expiresAfter: HOUR,
  onProgress: () => undefined,
};

/** Everything that is left of an apply: of a saved plan, and of what was sent for it. */
export interface World extends ProofInput {
  readonly plan: Plan;
}

/** Plans, puts the plan on record, and sends what `sent` says for it, or something for `dev-1`. */
export async function worldOf(
  more: Partial<DecideParts> = {},
  as: {
    readonly basis?: Partial<PlanBasis>;
    readonly sent?: readonly RecordBody[];
    readonly on?: Recorded;
  } = {},
): Promise<World> {
  const before = chained([GENESIS, lock()]);
  const { plan } = await decidePlan({ ...PARTS, ...more }, fold(before), as.on ?? SNAPSHOT, NOW);
  const { id, inputs } = plan;
  const basis = { ...toBasis(plan, { isFile: true }), ...as.basis };
  const counts = { devices: 2, sites: 1, changes: 2 };
  const of = { planId: id, commit: inputs.commit ?? '', basis, counts } as const;
  const made = { type: 'PLAN', ...of, fromFile: true, confidence: 'one page' } as const;
  const records = chained([GENESIS, lock(), made, ...(as.sent ?? [sent(id, 'dev-1')])]);
  return { ...LEFT, ...recordsOf(records), plan };
}

/** An attempt at an upgrade of a device. */
export const sent = (planId: string, device: string, policy = 'firmware.lts'): RecordBody => ({
  ...attempt('t1', [device], { policy }),
  planId,
});
/** The same runs, each of whose plans says something else. */
export function plansWith(runs: World['runs'], more: Partial<AuditPlan>): World['runs'] {
  return runs.map((run) => ({ ...run, plans: run.plans.map((plan) => ({ ...plan, ...more })) }));
}

/** A run that rests on another snapshot, and says that it read this one. */
export async function readAgain(snapshot: string): Promise<Partial<ProofInput>> {
  const world = await worldOf({}, { basis: { snapshot: 'x', snapshotFile: 'x' } });
  const reading = { documents: 'documents', snapshot };
  return { ...world, runs: plansWith(world.runs, { reading }), plan: undefined };
}

/** The record of a plan for which this was sent. */
export async function withSent(body: RecordBody): Promise<Partial<ProofInput>> {
  return { ...(await worldOf({}, { sent: [body] })), plan: undefined };
}

/** Evidence of these records instead. */
export const recordsOf = (
  records: readonly LedgerRecord[],
): Pick<ProofInput, 'records' | 'runs'> => ({
  records,
  runs: buildAudit(records).runs,
});
const LEFT = {
  shell: {} as Shell,
  fleet: 'fleet',
  fingerprint: FINGERPRINT,
  history: { at: async () => DOCUMENTS },
  snapshot: SNAPSHOT,
  isOldCopy: false,
};

/** What the proof of this evidence says, a line a check. */
export const told = async (evidence: ProofInput): Promise<readonly string[]> =>
  (await provePlans(evidence)).map(({ check, result, why }) => `${check} ${result} ${why}`);

export const NAMED = 'snapshot proved snapshotNamed';
export const SAME = 'plan proved planSame';
export const DIGEST_SAME = 'plan proved planDigestSame';
export const COVERED = 'attempts proved attemptsCovered';
export const RECORD = [NAMED, DIGEST_SAME, COVERED];
