import type { AuditPlan, AuditCheck } from '../../model/ledger/audit.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Recorded } from '../plan.ts';
import { finding, type ProofInput } from './prove-parts.ts';
import { ofRecord } from './prove-recorded-plan.ts';
import { ofFile } from './prove-saved-plan.ts';

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
