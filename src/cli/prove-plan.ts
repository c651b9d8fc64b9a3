import { fold } from '../ledger/fold.ts';
import { hashOf } from '../ledger/chain.ts';
import { resolveDialect } from '../model/dialect.ts';
import type { AuditPlan, AuditRun, Check, CheckName } from '../model/audit.ts';
import type { Memory } from '../model/memory.ts';
import type { Plan } from '../model/plan.ts';
import type { Documents } from '../model/policy.ts';
import type { LedgerHead, LedgerRecord, PlanBasis } from '../model/record.ts';
import { parseInstant } from '../model/time.ts';
import { decisionDigest, planDigest } from '../plan/evidence.ts';
import { isWanted } from '../plan/identify.ts';
import { decide, type Base, type DecideParts, type Recorded } from './decide.ts';
import { withOrigins } from './origins.ts';
import type { Commits } from './prove-documents.ts';
import type { Shell } from './shell.ts';
import { toolVersion } from './version.ts';

/** What plans are made again from. */
export interface Evidence {
  readonly shell: Shell;
  readonly fleet: string;
  readonly records: readonly LedgerRecord[];
  readonly runs: readonly AuditRun[];
  readonly fingerprint: string;
  readonly history: Pick<Commits, 'at'>;
  readonly snapshot: Required<Recorded> | undefined;
  readonly plan: Plan | undefined;
  /** The records may end before those that a plan was made on. */
  readonly isOldCopy: boolean;
}

/** Makes every plan again whose parts are here, and holds it and what was sent for it against the record. */
export async function provePlans(evidence: Evidence): Promise<readonly Check[]> {
  const { snapshot, plan, runs } = evidence;
  const checks: Check[] = [];
  if (plan) checks.push(...(await ofFile(evidence, plan)));
  if (!snapshot) {
    const isAsked = plan === undefined || !checks.some(({ result }) => result === 'broken');
    return isAsked ? [...checks, finding('snapshot', 'unproved', 'snapshotMissing')] : checks;
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

/** By the digest of the file where that is on record: it covers the moment of the reading, too. */
function restsOn({ basis }: AuditPlan, { digest, file }: Required<Recorded>): boolean {
  if (basis?.snapshotFile !== undefined) return basis.snapshotFile === file;
  return basis?.snapshot === digest;
}

function named(
  { digest, file }: Required<Recorded>,
  plan: Plan | undefined,
  runs: readonly { readonly epoch: number }[],
): Check {
  const [run] = runs;
  if (run) return finding('snapshot', 'proved', 'snapshotNamed', { epoch: run.epoch });
  const said = plan?.inputs.snapshot;
  const isOfPlan = said?.digest === digest && (said.file === undefined || said.file === file);
  if (isOfPlan) return finding('snapshot', 'proved', 'snapshotOfPlan');
  return finding('snapshot', 'broken', 'snapshotUnknown');
}

interface Resting {
  readonly epoch: number;
  readonly plan: AuditPlan;
  readonly attempts: AuditRun['attempts'];
}

/** The plan of a run, from what the ledger says that it rests on. */
async function ofRecord(
  evidence: Evidence,
  snapshot: Required<Recorded>,
  { epoch, plan, attempts }: Resting,
): Promise<readonly Check[]> {
  const { basis } = plan;
  if (!basis) return [];
  const documents = await documentsOf(evidence, basis, plan.commit);
  if (!documents) return [finding('plan', 'unproved', 'planMissing')];
  const memory = memoryAt(evidence.records, basis.ledger);
  if (!memory) return [elsewhere(evidence, basis.ledger)];
  const { commit, dirty = false, tool } = basis;
  const recorded = { snapshot: snapshot.snapshot, digest: snapshot.digest };
  const kept = basis.snapshotFile === undefined ? {} : { file: snapshot.file };
  const service = { baseUrl: '', organization: '', from: 'document' } as const;
  const parts = partsOf(documents, {
    target: { ...service, fingerprint: evidence.fingerprint },
    commit: commit === undefined ? undefined : { commit, dirty },
    tool,
    expiresAfter: spanOf(basis.at, basis.expiresAt),
  });
  const now = parseInstant(basis.at) ?? 0;
  const again = (await decide(parts, memory, { ...recorded, ...kept }, now)).plan;
  if (decisionDigest(again) !== basis.digest) return [other(tool, epoch)];
  const same = finding('plan', 'proved', 'planDigestSame', { epoch });
  return [same, ...covered(again, attempts, epoch)];
}

/** A saved plan, with all that it tells its readers. */
async function ofFile(evidence: Evidence, plan: Plan): Promise<readonly Check[]> {
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

/** Of its own commit, or where that is not here of the one that it was applied at, if they are the same. */
async function documentsOf(
  { history }: Evidence,
  {
    commit,
    documents: digest,
  }: { readonly commit?: string | undefined; readonly documents: string },
  applied: string | undefined,
): Promise<Documents | undefined> {
  for (const id of [commit, applied]) {
    const documents = id === undefined || id === '' ? 'none' : await history.at(id);
    if (typeof documents !== 'string' && documents.digest === digest) return documents;
  }
  return undefined;
}

function partsOf(
  documents: Documents,
  of: Pick<DecideParts, 'commit' | 'expiresAfter'> & {
    readonly target: DecideParts['connection']['target'];
    readonly tool: string;
    readonly base?: Base;
  },
): DecideParts {
  const { target, ...rest } = of;
  const dialect = resolveDialect(documents.service.value.dialect);
  return { documents, connection: { target, dialect }, onProgress: () => undefined, ...rest };
}

/** What the ledger remembered at a head; undefined where it never was there. */
function memoryAt(records: readonly LedgerRecord[], { seq, hash }: LedgerHead): Memory | undefined {
  const last = records[seq - 1];
  const isThere = seq === 0 || (last !== undefined && hashOf(last) === hash);
  return isThere ? fold(records.slice(0, seq)) : undefined;
}

function spanOf(from: PlanBasis['at'], to: PlanBasis['expiresAt']): number {
  return (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0);
}

/** Everything that was sent is what the plan wanted of that device. */
function covered(plan: Plan, attempts: AuditRun['attempts'], epoch: number): readonly Check[] {
  const wanted = new Set<string>();
  for (const change of plan.changes)
    if (isWanted(change)) wanted.add(`${change.id} ${change.at.policy}`);
  const own = attempts.filter(({ planId }) => planId === plan.id);
  for (const { attemptId: attempt, task, intents } of own)
    for (const { device, policy } of intents)
      if (!wanted.has(`${task}/${device} ${policy}`))
        return [finding('attempts', 'broken', 'attemptUncovered', { attempt, device })];
  return [finding('attempts', 'proved', 'attemptsCovered', { attempts: own.length, epoch })];
}

function elsewhere({ records, isOldCopy }: Evidence, { seq }: LedgerHead): Check {
  const isAhead = isOldCopy && seq > records.length;
  return finding('plan', isAhead ? 'unproved' : 'broken', 'ledgerElsewhere', { seq });
}

/** Another version of the tool may decide in another way; this one may not. */
function other(tool: string, epoch?: number): Check {
  if (tool !== toolVersion()) return finding('plan', 'unproved', 'planOtherVersion', { tool });
  return finding('plan', 'broken', 'planOther', epoch === undefined ? {} : { epoch });
}

function finding(
  check: CheckName,
  result: Check['result'],
  why: string,
  params: Readonly<Record<string, string | number>> = {},
): Check {
  return { check, result, why, params };
}
