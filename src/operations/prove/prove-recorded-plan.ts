import type { AuditPlan, AuditRun, AuditCheck } from '../../model/ledger/audit.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { parseInstant } from '../../lib/time.ts';
import { decisionDigest } from '../../plan/compare/basis.ts';
import { isWanted } from '../../model/plan/change.ts';
import { decidePlan, type Recorded } from '../plan.ts';
import {
  findDocuments,
  missingHead,
  missingInput,
  finding,
  memoryAt,
  planMismatch,
  recordedNewest,
  recordedParts,
  validSpan,
  type ProofInput,
} from './prove-parts.ts';

/** A plan of a run that was made on the given snapshot, and what was sent for it. */
export interface Resting {
  readonly epoch: number;
  readonly plan: AuditPlan;
  readonly attempts: AuditRun['attempts'];
}

/** Makes the plan of a run again from its recorded inputs. */
export async function ofRecord(
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
  const { commit, dirty = false, tool } = basis;
  const recorded = { snapshot: snapshot.snapshot, digest: snapshot.digest };
  const file = basis.snapshotFile === undefined ? {} : { file: snapshot.file };
  const service = { baseUrl: '', organization: '', from: 'document' } as const;
  const newest = await recordedNewest(evidence, memory, basis);
  if ('lacks' in newest) return [await missingInput(evidence, newest)];
  const parts = recordedParts(documents, {
    target: { ...service, fingerprint: evidence.fingerprint },
    commit: commit === undefined ? undefined : { commit, dirty },
    tool,
    expiresAfter: validSpan(basis.at, basis.expiresAt),
    ...(basis.part && { part: basis.part }),
  });
  const now = parseInstant(basis.at) ?? 0;
  const again = (await decidePlan({ ...parts, ...newest }, memory, { ...recorded, ...file }, now))
    .plan;
  if (decisionDigest(again) !== basis.digest) return [planMismatch(tool, epoch)];
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
