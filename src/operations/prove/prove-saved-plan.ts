import { type AuditRun, type AuditCheck, finding } from '../../model/ledger/audit.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { toPartIds } from '../../model/plan/part.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { decisionDigest, planDigest } from '../../plan/compare/basis.ts';
import type { Recorded } from '../plan.ts';
import { withOrigins, type LineSource } from '../origins.ts';
import {
  findDocuments,
  missingHead,
  missingInput,
  memoryAt,
  planMismatch,
  type Missing,
  type ProofInput,
  decideAgain,
} from './prove-parts.ts';
import { documentsAt, type ComparisonBase } from '../repository.ts';
import { whileMerged } from '../sides.ts';
import { folderHere } from '../here.ts';

/** Checks a saved plan with everything that it shows to readers. */
export async function ofFile(evidence: ProofInput, plan: Plan): Promise<readonly AuditCheck[]> {
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
