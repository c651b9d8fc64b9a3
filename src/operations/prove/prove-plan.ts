import {
  type AuditPlan,
  type AuditCheck,
  type AuditRun,
  finding,
} from '../../model/ledger/audit.ts';
import type { Recorded } from '../plan.ts';
import {
  type ProofInput,
  findDocuments,
  missingHead,
  missingInput,
  memoryAt,
  planMismatch,
  decideAgain,
} from './prove-parts.ts';
import { ofFile } from './prove-saved-plan.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { decisionDigest } from '../../plan/compare/basis.ts';
import { isWanted } from '../../model/plan/change.ts';

/**
 * Makes every plan again for which all parts are available, and compares it, and what was sent for
 * it, with the records.
 */
export async function provePlans(evidence: ProofInput): Promise<readonly AuditCheck[]> {
  const { snapshot, plan, runs } = evidence;
  const checks: AuditCheck[] = [];
  if (plan) checks.push(...(await ofFile(evidence, plan)));
  if (!snapshot) {
    const isExpected = plan === undefined || !checks.some(({ result }) => result === 'broken');
    return isExpected ? [...checks, finding('snapshot', 'unproved', 'snapshotMissing')] : checks;
  }
  const resting = runs.flatMap(({ epoch, plans, attempts }) =>
    plans.filter((one) => restsOn(one, snapshot)).map((one) => ({ epoch, plan: one, attempts })),
  );
  const read = runs.filter(({ plans }) =>
    plans.some(({ reading }) => reading?.snapshot === snapshot.digest),
  );
  checks.push(named(snapshot, plan, [...resting, ...read]));
  for (const one of resting) checks.push(...(await ofRecord(evidence, snapshot, one)));
  return checks;
}

/**
 * Compares the digest of the file if it is recorded, since that covers the instant of the reading
 * too.
 */
function restsOn({ basis }: AuditPlan, { digest, file }: Required<Recorded>): boolean {
  if (basis?.snapshotFile !== undefined) return basis.snapshotFile === file;
  return basis?.snapshot === digest;
}

function named(
  { digest, file }: Required<Recorded>,
  plan: Plan | undefined,
  runs: readonly { readonly epoch: number }[],
): AuditCheck {
  const [run] = runs;
  if (run) return finding('snapshot', 'proved', 'snapshotNamed', { epoch: run.epoch });
  const said = plan?.inputs.snapshot;
  const isOfPlan = said?.digest === digest && (said.file === undefined || said.file === file);
  if (isOfPlan) return finding('snapshot', 'proved', 'snapshotOfPlan');
  return finding('snapshot', 'broken', 'snapshotUnknown');
}

/** A plan of a run that was made on the given snapshot, and what was sent for it. */
interface Resting {
  readonly epoch: number;
  readonly plan: AuditPlan;
  readonly attempts: AuditRun['attempts'];
}

/** Makes the plan of a run again from its recorded inputs. */
async function ofRecord(
  evidence: ProofInput,
  snapshot: Required<Recorded>,
  { epoch, plan, attempts }: Resting,
): Promise<readonly AuditCheck[]> {
  const { basis } = plan;
  if (!basis) return [];
  const documents = await findDocuments(evidence, basis, plan.commit);
  if (!documents)
    return [await missingInput(evidence, { lacks: 'documents', commit: basis.commit })];
  const memory = memoryAt(evidence.records, basis.ledger);
  if (!memory) return [missingHead(evidence, basis.ledger)];
  const service = { baseUrl: '', organization: '', from: 'document' } as const;
  const again = await decideAgain(evidence, snapshot, {
    ...basis,
    documents,
    memory,
    target: { ...service, fingerprint: evidence.fingerprint },
    file: basis.snapshotFile === undefined ? undefined : snapshot.file,
  });
  if ('lacks' in again) return [await missingInput(evidence, again)];
  if (decisionDigest(again) !== basis.digest) return [planMismatch(basis.tool, epoch)];
  const same = finding('plan', 'proved', 'planDigestSame', { epoch });
  return [same, ...covered(again, attempts, epoch)];
}

/** Checks that everything that was sent is in the plan for that device. */
function covered(plan: Plan, attempts: AuditRun['attempts'], epoch: number): readonly AuditCheck[] {
  const wanted = new Set<string>();
  for (const change of plan.changes)
    if (isWanted(change)) wanted.add(`${change.id} ${change.policy}`);
  const own = attempts.filter(({ planId }) => planId === plan.id);
  for (const { attemptId: attempt, task, intents } of own)
    for (const { device, policy } of intents)
      if (!wanted.has(`${task}/${device} ${policy}`))
        return [finding('attempts', 'broken', 'attemptUncovered', { attempt, device })];
  return [finding('attempts', 'proved', 'attemptsCovered', { attempts: own.length, epoch })];
}
