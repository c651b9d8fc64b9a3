import type { Change } from '../model/plan/change.ts';
import type { IsEnded } from '../model/ledger/approval.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { commonPart, type FleetPart, toPartIds } from '../model/plan/part.ts';
import type { Plan, PlanInputs } from '../model/plan/plan.ts';
import type { Documents, Selector } from '../model/documents/policy.ts';
import { resolveDialect } from '../model/fleet/dialect.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { snapshotDigest } from '../live/snapshot-lines.ts';
import { once } from '../lib/compute-once.ts';
import { sumCounts } from '../lib/group-by.ts';
import { formatInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import {
  type Approval,
  type Planned,
  type PlannerInput,
  plan,
  withFindings,
} from '../plan/plan.ts';
import { guardFindings, withVerdicts } from '../guard/guard.ts';
import { compileSelector } from '../desired/select.ts';
import { type NewestApproved, approvalRules } from '../plan/preapproval.ts';
import { underPresentNames } from '../plan/present-names.ts';
import type { Connection } from './connect.ts';
import {
  changedEntries,
  findEdits,
  findFreezes,
  findRefusals,
} from '../plan/compare/changed-entries.ts';
import { findSettings } from '../plan/compare/changed-settings.ts';
import { settingTexts } from '../render/words/review/setting-words.ts';
import { isCode } from './gate/request-change.ts';
import { type Head, type ComparisonBase, baseName } from './repository.ts';
import { toolVersion } from '../shell/version.ts';
import { summarizeFacts } from '../facts/read-choice.ts';
import { compareWithBase } from '../plan/compare/counterfactual.ts';
import { withChangedLines } from '../plan/compare/changed-lines.ts';
import { judgeScope } from '../plan/compare/judge-scope.ts';

/** The inputs of a plan, besides a snapshot and the memory of the ledger. */
export interface DecideParts extends Pick<Connection, 'target' | 'dialect' | 'onProgress'> {
  readonly documents: Documents;
  readonly commit?: Head | undefined;
  /** How long the plan stays valid; absent: it is only shown. */
  readonly expiresAfter?: Milliseconds;
  /** Another commit, to show which changes the documents since then cause. */
  readonly base?: ComparisonBase;
  /** The limit of what a run of apply may do. */
  readonly approved?: Approval;
  /** The newest approved commit, where the ledger has approvals (semantics N73). */
  readonly newest?: NewestApproved | undefined;
  /** Approvals that ended by documents merged since (protocol M10); absent: none did. */
  readonly isEnded?: IsEnded;
  /** The part of the fleet to plan; an approval limits it further. */
  readonly part?: FleetPart;
  /** The version that made the plan, if it is not this one. */
  readonly tool?: string;
}

export interface PlannedSurvey extends Planned {
  readonly snapshot: Snapshot;
  readonly input: PlannerInput;
}

export interface Recorded {
  readonly snapshot: Snapshot;
  readonly digest: string;
  readonly file?: string;
}

/** A snapshot to plan on. Its digest is computed when something asks for it: a plan that is only shown has no use for it. */
export function recordedOf(snapshot: Snapshot, file?: string): Recorded {
  const digest = once(() => snapshotDigest(snapshot));
  return {
    snapshot,
    ...(file !== undefined && { file }),
    get digest() {
      return digest();
    },
  };
}

/**
 * Makes the plan of one moment from a snapshot, with guardrails and the comparison with a base. It
 * reads nothing else: the same arguments give the same bytes, now and later (`audit verify`).
 */
export async function decidePlan(
  parts: DecideParts,
  memory: Memory,
  recorded: Recorded,
  now: Instant,
): Promise<PlannedSurvey> {
  const { snapshot } = recorded;
  const own = {
    ...plannerInput(parts, memory, snapshot, now),
    inputs: planProvenance(parts, memory, recorded),
  };
  const { approvals: rules, findings } = await rulesFor(own, parts.newest);
  const { isEnded } = parts;
  const approvals = rules && { ...rules, ...(isEnded && { isEnded }) };
  const inputFor = (side: DecideParts): PlannerInput => ({
    ...(approvals && { approvals }),
    ...plannerInput(side, memory, snapshot, now),
    inputs: planProvenance({ ...side, newest: parts.newest }, memory, recorded),
  });
  const input = inputFor(parts);
  const decided = withFindings(judged(plan(input), input), findings);
  const planned = withFactsSummary(decided, recorded);
  const survey = { ...planned, snapshot, input };
  return parts.base ? comparedWithBase(survey, { ...parts, base: parts.base }, inputFor) : survey;
}

/**
 * The plan with what else the request changes: what decides of all policies, and code. One that changes what an
 * approval is, is judged by the value before it (semantics N70).
 */
function judgedBy(
  before: DecideParts | undefined,
  { documents, base, snapshot }: DecideParts & Pick<PlannedSurvey, 'snapshot'>,
  plan: Plan,
  basePlan: Plan | undefined,
): Plan {
  if (!plan.base) return plan;
  const old = before?.documents.service.value.approval.is;
  const isJudged = old !== undefined && old !== documents.service.value.approval.is;
  const changed = before && base && changedEntries(before.documents, documents, baseName(base));
  const entries = [...(changed?.keys() ?? [])];
  const code = (base?.changed ?? []).filter(isCode);
  const settings = findSettings(before, documents, snapshot);
  const edits = findEdits(entries, code);
  const freezes =
    before && basePlan
      ? findFreezes(entries, { ...before, plan: basePlan }, { documents, plan }, settings)
      : [];
  return {
    ...plan,
    base: {
      ...plan.base,
      ...(isJudged && { approval: old }),
      ...(edits.length > 0 && { edits }),
      ...settingTexts(settings),
      ...findRefusals(plan, basePlan, changed),
      ...(freezes.length > 0 && { freezes }),
    },
  };
}

/** The plan with the comparison with its base, and the changed lines behind the differences. */
async function comparedWithBase(
  survey: PlannedSurvey,
  parts: DecideParts & { readonly base: ComparisonBase },
  inputFor: (side: DecideParts) => PlannerInput,
): Promise<PlannedSurvey> {
  const before = baseParts(parts);
  const base = before && plan(inputFor(before)).plan;
  const counted = compareWithBase(survey.plan, base, { ...parts.base, ...survey });
  const grouped = judgedBy(before, { ...parts, ...survey }, counted, base);
  const compared = await withScope(grouped, base?.changes ?? [], { ...parts, ...survey });
  if (!before) return { ...survey, plan: compared };
  const explained = withChangedLines(compared, base?.changes ?? [], {
    before: before.documents,
    after: parts.documents,
    base: baseName(parts.base),
    ...survey,
  });
  return { ...survey, plan: explained };
}

/** The plan with the scopes that the commits since its base name, judged (semantics G9). */
async function withScope(
  plan: Plan,
  earlier: Iterable<Change>,
  { base, documents, snapshot }: Pick<DecideParts, 'base' | 'documents'> & PlannedSurvey,
): Promise<Plan> {
  if (!plan.base || !base?.scopes || base.scopes.length === 0) return plan;
  const sides = [documents, ...(base.documents ? [base.documents] : [])];
  const input = { trailers: base.scopes, earlier, sides, snapshot };
  return {
    ...plan,
    base: { ...plan.base, scope: judgeScope({ ...plan, base: plan.base }, input) },
  };
}

/** How the changes are approved; most fleets approve commits, and load nothing for it. */
async function rulesFor(
  input: PlannerInput,
  newest: NewestApproved | undefined,
): Promise<ReturnType<typeof approvalRules>> {
  const isCommit = input.documents.service.value.approval.is === 'commit';
  if (isCommit && input.memory.ground?.approval !== 'plan') return { findings: [] };
  return approvalRules(input, newest);
}

/** The plan with what it says of the values of single devices (semantics N25). */
function withFactsSummary(planned: Planned, { snapshot }: Recorded): Planned {
  const { plan } = planned;
  const { used, oldest } = summarizeFacts(snapshot.devices, (deviceId) => snapshot.facts(deviceId));
  const unread = plan.notes.filter(({ reason }) => reason.code === 'notRead');
  const facts = {
    used,
    ...(oldest !== undefined && { oldest: formatInstant(oldest) }),
    notRead: sumCounts(unread),
    ...(snapshot.maxReads !== undefined && { budget: snapshot.maxReads }),
  };
  return { ...planned, plan: { ...plan, inputs: { ...plan.inputs, facts } } };
}

/** The same parts with the documents of the base, and with its dialect; undefined if it has none. */
export function baseParts<P extends DecideParts>(parts: P): P | undefined {
  const documents = parts.base?.documents;
  if (!documents) return undefined;
  return { ...parts, documents, dialect: resolveDialect(documents.service.value.dialect) };
}

/**
 * The plan with the verdicts of the guardrails, and the exceptions that raise a limit without
 * effect.
 */
function judged(planned: Planned, input: PlannerInput): Planned {
  const { documents, snapshot, memory, now } = input;
  const judging = {
    documents,
    snapshot,
    memory,
    now,
    pending: planned.pending,
    members: (selector: Selector) => compileSelector(selector, { documents, snapshot }),
  };
  const plan = withVerdicts(planned.plan, judging);
  return withFindings({ ...planned, plan }, guardFindings(plan, judging));
}

export function plannerInput(
  parts: DecideParts,
  memory: Memory,
  snapshot: Snapshot,
  now: Instant,
): Omit<PlannerInput, 'inputs'> {
  const { documents, dialect, expiresAfter = 0, approved } = parts;
  const part = commonPart(approved?.part && toPartIds(approved.part), parts.part);
  return {
    ...(part && { part }),
    ...(approved && { approved }),
    ...underPresentNames({ documents, memory }),
    snapshot,
    now,
    dialect,
    expiresAfter,
  };
}

function repairCounts({ repair }: Snapshot): Pick<PlanInputs['snapshot'], 'repair'> {
  if (!repair) return {};
  const { present, absent, unknown } = repair;
  return { repair: { present, absent: absent.length, unknown: unknown.length } };
}

export function planProvenance(
  parts: Pick<DecideParts, 'documents' | 'target' | 'commit' | 'tool' | 'newest'>,
  memory: Memory,
  recorded: Recorded,
): PlanInputs {
  const { snapshot, file } = recorded;
  return {
    tool: parts.tool ?? toolVersion(),
    service: parts.target,
    ...parts.commit,
    documents: parts.documents.digest,
    snapshot: {
      get digest() {
        return recorded.digest;
      },
      ...(file !== undefined && { file }),
      takenAt: formatInstant(snapshot.takenAt),
      confidence: snapshot.confidence,
      ...repairCounts(snapshot),
      devices: snapshot.devices.length,
      sites: snapshot.sites.length,
      discovered: snapshot.discovered.length,
    },
    ledger: memory.head,
    ...(parts.newest?.is === 'known' && { approved: parts.newest.approval.commit }),
  };
}
