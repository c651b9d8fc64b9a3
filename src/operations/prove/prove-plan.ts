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
  type Missing,
} from './prove-parts.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { decisionDigest, planDigest } from '../../plan/compare/basis.ts';
import { isWanted } from '../../model/plan/change.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { toPartIds } from '../../model/plan/part.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { withOrigins, type LineSource } from '../origins.ts';
import { documentsAt, type ComparisonBase } from '../repository.ts';
import { whileMerged } from '../sides.ts';
import { folderHere } from '../here.ts';

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

/** Checks a saved plan with everything that it shows to readers. */
async function ofFile(evidence: ProofInput, plan: Plan): Promise<readonly AuditCheck[]> {
  const { runs, records, snapshot } = evidence;
  const { ledger, tool } = plan.inputs;
  const checks: AuditCheck[] = [];
  const memory = memoryAt(records, ledger);
  if (!memory) checks.push(missingHead(evidence, ledger));
  checks.push(...approvals(plan, runs));
  const said = plan.inputs.snapshot;
  const isOf =
    snapshot && said.digest === snapshot.digest && (said.file ?? snapshot.file) === snapshot.file;
  if (!snapshot || !memory) return checks;
  if (!isOf)
    return [...checks, finding('plan', 'unproved', 'planLacksSnapshot', { at: said.takenAt })];
  const again = await madeAgain(evidence, plan, { memory, snapshot });
  if ('lacks' in again) return [...checks, await missingInput(evidence, again)];
  if (planDigest(again) === planDigest(plan))
    return [...checks, finding('plan', 'proved', 'planSame')];
  // What is said beside the decisions needs commits that may be gone; the decisions do not.
  const gone = await findGone(evidence, plan);
  if (gone && decisionDigest(again) === decisionDigest(plan))
    return [...checks, finding('plan', 'proved', gone.why, { commit: gone.commit })];
  return [...checks, planMismatch(tool)];
}

/** The commit without which a plan cannot be the same byte for byte: that of its lines, or its base. */
async function findGone(
  { history }: ProofInput,
  { inputs: { commit }, base }: Plan,
): Promise<{ readonly why: string; readonly commit: string } | undefined> {
  const isGone = async (id: string | undefined): Promise<boolean> =>
    id !== undefined && (await history.at(id)) === 'gone';
  if (commit !== undefined && (await isGone(commit))) return { why: 'planSameDecided', commit };
  if (base && (await isGone(base.commit))) return { why: 'planSameAlone', commit: base.commit };
  return undefined;
}

/** Checks the recorded approval of a file. */
function approvals(plan: Plan, runs: readonly AuditRun[]): readonly AuditCheck[] {
  const file = planDigest(plan);
  const applied = runs.flatMap(({ epoch, plans }) =>
    plans.filter(({ planId }) => planId === plan.id).map(({ basis }) => ({ epoch, basis })),
  );
  const files = applied.filter(({ basis }) => basis?.file !== undefined);
  if (files.length === 0) return [finding('plan', 'unproved', 'planUnapplied')];
  if (files.some(({ basis }) => basis?.file === file)) return [];
  const [{ epoch } = { epoch: 0 }] = files;
  return [finding('plan', 'broken', 'planNotNamed', { epoch })];
}

interface Grounds {
  readonly memory: Memory;
  readonly snapshot: Required<Recorded>;
}

/**
 * Makes a plan again; a plan of a merge is made from the same merge. Where that cannot be made any
 * more, another commit may have its documents: the one that a branch was squashed to.
 */
async function madeAgain(
  evidence: ProofInput,
  plan: Plan,
  grounds: Grounds,
): Promise<Plan | Missing> {
  const { history } = evidence;
  const { commit } = plan.inputs;
  const isHere = commit !== undefined && (await history.at(commit)) !== 'gone';
  const merged = isHere ? await fromMerge(evidence, plan, { ...grounds, commit }) : undefined;
  if (merged) return merged;
  const documents = await findDocuments(evidence, plan.inputs, commit);
  if (!documents) return { lacks: 'documents', commit };
  const reading = isHere ? { ref: commit } : {};
  return remakePlan(evidence, plan, { ...grounds, documents, reading });
}

/** Undefined for a plan of no merge, and where the merge cannot be made or gives other documents. */
async function fromMerge(
  evidence: ProofInput,
  plan: Plan,
  { commit: branch, ...grounds }: Grounds & { readonly commit: string },
): Promise<Plan | Missing | undefined> {
  const { shell, fleet, history } = evidence;
  const { base } = plan;
  if (base?.behind?.is !== 'merged' || (await history.at(base.commit)) === 'gone') return undefined;
  const here = folderHere(shell, fleet);
  return whileMerged(here, { base: base.commit, branch }, async (merge) => {
    if (merge.is !== 'merged') return undefined;
    const { env, own: unmade, commit: ref } = merge;
    const { documents } = await documentsAt(here, ref, { env });
    if (documents?.digest !== plan.inputs.documents) return undefined;
    return remakePlan(evidence, plan, { ...grounds, documents, reading: { ref, unmade, env } });
  });
}

async function remakePlan(
  evidence: ProofInput,
  plan: Plan,
  grounds: Grounds & { readonly documents: Documents; readonly reading: LineSource },
): Promise<Plan | Missing> {
  const { memory, snapshot, documents, reading } = grounds;
  const { shell, fleet } = evidence;
  const { inputs, evaluatedAt: at, expiresAt } = plan;
  const base = plan.base && (await findBase(evidence, plan.base));
  const again = await decideAgain(evidence, snapshot, {
    ...inputs,
    documents,
    memory,
    target: inputs.service,
    at,
    expiresAt,
    part: plan.part && toPartIds(plan.part),
    base,
    file: inputs.snapshot.file,
  });
  if ('lacks' in again || !plan.origins || inputs.commit === undefined) return again;
  const here = { shell, documents: { ...documents, ...folderHere(shell, fleet).documents } };
  return withOrigins(here, again, { reading, ...(base && { base }) });
}

/** The base with its documents; undefined where these are in no commit here: decisions do not rest on it. */
async function findBase(
  { history }: ProofInput,
  { ref, commit, behind, documents: digest, scope }: NonNullable<Plan['base']>,
): Promise<ComparisonBase | undefined> {
  const scopes = scope?.trailers.map((trailer) => ({ commit: trailer.commit, text: trailer.text }));
  const base = { ref, commit, ...(behind && { behind }), ...(scopes && { scopes }) };
  if (digest === undefined) return base;
  const documents = await history.at(commit);
  if (typeof documents !== 'string') return { ...base, documents };
  const elsewhere = documents === 'gone' ? await history.withDigest?.(digest) : undefined;
  return elsewhere && { ...base, documents: elsewhere.documents };
}
