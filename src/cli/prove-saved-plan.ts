import type { AuditRun, Check } from '../model/audit.ts';
import type { Memory } from '../model/memory.ts';
import type { Plan } from '../model/plan.ts';
import { parseInstant } from '../model/time.ts';
import { planDigest } from '../plan/evidence.ts';
import { decide, type Base, type Recorded } from './decide.ts';
import { withOrigins } from './origins.ts';
import {
  documentsOf,
  elsewhere,
  finding,
  memoryAt,
  other,
  partsOf,
  spanOf,
  type Evidence,
} from './prove-parts.ts';

/** A saved plan, with all that it tells its readers. */
export async function ofFile(evidence: Evidence, plan: Plan): Promise<readonly Check[]> {
  const { runs, records, snapshot } = evidence;
  const { ledger, tool } = plan.inputs;
  const checks: Check[] = [];
  const memory = memoryAt(records, ledger);
  if (!memory) checks.push(elsewhere(evidence, ledger));
  checks.push(...approvals(plan, runs));
  const said = plan.inputs.snapshot;
  const isOf =
    snapshot && said.digest === snapshot.digest && (said.file ?? snapshot.file) === snapshot.file;
  if (!snapshot || !memory) return checks;
  if (!isOf) return [...checks, finding('plan', 'unproved', 'planMissing')];
  const again = await madeAgain(evidence, plan, { memory, snapshot });
  if (!again) return [...checks, finding('plan', 'unproved', 'planMissing')];
  const isSame = planDigest(again) === planDigest(plan);
  return [...checks, isSame ? finding('plan', 'proved', 'planSame') : other(tool)];
}

/** What the ledger says of the approval of a file. */
function approvals(plan: Plan, runs: readonly AuditRun[]): readonly Check[] {
  const file = planDigest(plan);
  const of = runs.flatMap(({ epoch, plans }) =>
    plans.filter(({ planId }) => planId === plan.id).map(({ basis }) => ({ epoch, basis })),
  );
  const files = of.filter(({ basis }) => basis?.file !== undefined);
  if (files.length === 0) return [finding('plan', 'unproved', 'planUnapplied')];
  if (files.some(({ basis }) => basis?.file === file)) return [];
  const [{ epoch } = { epoch: 0 }] = files;
  return [finding('plan', 'broken', 'planNotNamed', { epoch })];
}

async function madeAgain(
  evidence: Evidence,
  plan: Plan,
  { memory, snapshot }: { readonly memory: Memory; readonly snapshot: Required<Recorded> },
): Promise<Plan | undefined> {
  const { shell, fleet } = evidence;
  const { service, commit, dirty = false, tool, documents: digest } = plan.inputs;
  const documents = await documentsOf(evidence, { commit, documents: digest }, commit);
  const base = plan.base && (await baseOf(evidence, plan.base));
  if (!documents || base === 'gone') return undefined;
  const parts = partsOf(documents, {
    target: service,
    commit: commit === undefined ? undefined : { commit, dirty },
    tool,
    expiresAfter: spanOf(plan.evaluatedAt, plan.expiresAt),
    ...(base && { base }),
  });
  const { file } = plan.inputs.snapshot;
  const recorded = { snapshot: snapshot.snapshot, digest: snapshot.digest };
  const kept = { ...recorded, ...(file !== undefined && { file }) };
  const now = parseInstant(plan.evaluatedAt) ?? 0;
  const again = (await decide(parts, memory, kept, now)).plan;
  return plan.origins && commit ? withOrigins(shell, fleet, again, commit) : again;
}

async function baseOf(
  { history }: Evidence,
  { ref, commit, documents: digest }: NonNullable<Plan['base']>,
): Promise<Base | 'gone'> {
  if (digest === undefined) return { ref, commit };
  const documents = await history.at(commit);
  if (typeof documents === 'string') return 'gone';
  return { ref, commit, documents };
}
