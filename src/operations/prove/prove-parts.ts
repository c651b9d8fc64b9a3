import { wholeApprovals } from '../../ledger/approval-records.ts';
import { hashRecord } from '../../ledger/chain.ts';
import { fold } from '../../ledger/fold.ts';
import { type AuditRun, type AuditCheck, finding } from '../../model/ledger/audit.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { LedgerHead, LedgerRecord, PlanBasis } from '../../model/ledger/record.ts';
import { parseInstant } from '../../lib/time.ts';
import { type DecideParts, type Recorded, decidePlan } from '../plan.ts';
import type { Commits } from './prove-documents.ts';
import type { Shell } from '../../shell/shell.ts';
import { toolVersion } from '../../shell/version.ts';
import type { FleetPart } from '../../model/plan/part.ts';
import type { ComparisonBase } from '../repository.ts';

export interface ProofInput {
  readonly shell: Shell;
  readonly fleet: string;
  readonly records: readonly LedgerRecord[];
  readonly runs: readonly AuditRun[];
  readonly fingerprint: string;
  readonly history: Pick<Commits, 'at' | 'withDigest'> & Partial<Pick<Commits, 'isShallow'>>;
  readonly snapshot: Required<Recorded> | undefined;
  readonly plan: Plan | undefined;
  /** The records may end before those that a plan was made on. */
  readonly isOldCopy: boolean;
}

/**
 * The documents of the plan's own commit; if that is missing, of the commit that it was applied at,
 * if they are the same, or of any commit that contains them.
 */
export async function findDocuments(
  { history }: ProofInput,
  { commit, documents: digest }: Pick<PlanBasis, 'commit' | 'documents'>,
  applied: string | undefined,
): Promise<Documents | undefined> {
  for (const id of [commit, applied]) {
    const documents = id === undefined || id === '' ? 'none' : await history.at(id);
    if (typeof documents !== 'string' && documents.digest === digest) return documents;
  }
  return (await history.withDigest?.(digest))?.documents;
}

/** An input of a plan that is not here: documents, and the commit that had them. */
export interface Missing {
  readonly lacks: 'documents' | 'approved';
  readonly commit: string | undefined;
}

/** The finding for a plan that cannot be computed again: what is missing, and the way to get it. */
export async function missingInput(
  { history }: ProofInput,
  { lacks, commit }: Missing,
): Promise<AuditCheck> {
  const why = lacks === 'approved' ? 'planLacksApproved' : 'planLacksDocuments';
  const fetched = (await history.isShallow) === true ? '--unshallow' : commit && `origin ${commit}`;
  const get = fetched ? { get: `git fetch ${fetched}` } : {};
  return finding('plan', 'unproved', why, { ...(commit && { commit }), ...get });
}

/** What a plan was made from, as it says itself or as a record has it. */
interface MadeFrom extends Pick<
  PlanBasis,
  'commit' | 'dirty' | 'tool' | 'approved' | 'at' | 'expiresAt'
> {
  readonly documents: Documents;
  readonly memory: Memory;
  readonly target: DecideParts['target'];
  readonly part?: FleetPart | undefined;
  readonly base?: ComparisonBase | undefined;
  /** The digest of the file of its snapshot, if it names one. */
  readonly file?: string | undefined;
}

/** Makes a plan again from its original input. */
export async function decideAgain(
  evidence: ProofInput,
  { snapshot, digest }: Recorded,
  from: MadeFrom,
): Promise<Plan | Missing> {
  const { documents, memory, target, commit, dirty = false, tool, at, expiresAt } = from;
  const newest = await recordedNewest(evidence, memory, from);
  if ('lacks' in newest) return newest;
  const parts = {
    documents,
    target,
    dialect: resolveDialect(documents.service.value.dialect),
    onProgress: () => undefined,
    ...(commit !== undefined && { commit: { commit, dirty } }),
    tool,
    expiresAfter: (parseInstant(expiresAt) ?? 0) - (parseInstant(at) ?? 0),
    ...(from.part && { part: from.part }),
    ...(from.base && { base: from.base }),
    ...newest,
  };
  const recorded = { snapshot, digest, ...(from.file !== undefined && { file: from.file }) };
  return (await decidePlan(parts, memory, recorded, parseInstant(at) ?? 0)).plan;
}

/** The memory of the ledger at a head; undefined if the ledger does not contain it. */
export function memoryAt(
  records: readonly LedgerRecord[],
  { seq, hash }: LedgerHead,
): Memory | undefined {
  const last = records[seq - 1];
  const isThere = seq === 0 || (last !== undefined && hashRecord(last) === hash);
  return isThere ? fold(records.slice(0, seq)) : undefined;
}

/**
 * The newest approved commit that a plan was made with: the recorded one, with its documents
 * (semantics N83). Where the ledger had approvals and the plan names none, it had lapsed. Missing
 * documents may be those of another commit: that of a squashed branch is gone.
 */
export async function recordedNewest(
  { history }: Pick<ProofInput, 'history'>,
  { approvals }: Memory,
  { approved: commit }: Pick<PlanBasis, 'approved'>,
): Promise<Pick<DecideParts, 'newest'> | Missing> {
  const plans = wholeApprovals(approvals?.plans);
  const last = plans.at(-1);
  if (!last) return {};
  if (commit === undefined) return { newest: { is: 'lapsed', commit: last.commit } };
  const approval = plans.findLast((plan) => plan.commit === commit);
  if (!approval) return { newest: { is: 'lapsed', commit: last.commit } };
  const own = await history.at(commit);
  const elsewhere = own === 'gone' ? await history.withDigest?.(approval.documents) : undefined;
  if (own === 'gone' && !elsewhere) return { lacks: 'approved', commit };
  const documents = typeof own === 'string' ? elsewhere?.documents : own;
  const found = documents ? { documents } : {};
  return { newest: { is: 'known', approval, ...found } };
}

/** The finding for records that do not contain the head that a plan was made on. */
export function missingHead({ records, isOldCopy }: ProofInput, { seq }: LedgerHead): AuditCheck {
  const isAhead = isOldCopy && seq > records.length;
  return finding('plan', isAhead ? 'unproved' : 'broken', 'ledgerElsewhere', { seq });
}

/**
 * The finding for a plan that differs. Another version of the tool may decide differently; this
 * version may not.
 */
export function planMismatch(tool: string, epoch?: number): AuditCheck {
  if (tool !== toolVersion()) return finding('plan', 'unproved', 'planOtherVersion', { tool });
  return finding('plan', 'broken', 'planOther', epoch === undefined ? {} : { epoch });
}
