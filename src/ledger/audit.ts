import { pick } from '../lib/objects.ts';
import type {
  AuditQuestion,
  AuditRun,
  AuditView,
  AuditEvent,
  AuditIntent,
  AuditPlan,
} from '../model/ledger/audit.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import { chainedNames, earlierNames, type PresentNames } from '../model/ledger/renames.ts';
import { EMPTY_HEAD, headAfter } from './chain.ts';
import { RunHistory } from './run-history.ts';
import { FLEET, policyOfScope } from '../model/ledger/scopes.ts';

/**
 * The history in a ledger, run by run: the plan, the attempts, each device's outcome and its
 * evidence, and who paused, lifted, resolved or unlocked. A verdict is listed with its attempt,
 * whichever run wrote it.
 */
export function buildAudit(
  records: readonly LedgerRecord[],
  question: AuditQuestion = {},
): AuditView {
  const history = new RunHistory();
  for (const record of records) history.add(record);
  const all = history.runs();
  const policies = question.policy === undefined ? undefined : namesOf(question.policy, records);
  const asked = { ...question, ...(policies && { policies }) };
  const runs = all.flatMap((run) => selectRun(run, asked)).filter(isEventful);
  const eventful = all.filter(isEventful).length;
  const genesis = records.find(({ body }) => body.type === 'GENESIS')?.body as
    Extract<RecordBody, { readonly type: 'GENESIS' }> | undefined;
  return {
    ledgerId: genesis?.ledgerId ?? '',
    fingerprint: genesis?.fingerprint ?? '',
    head: headAfter(records, EMPTY_HEAD),
    runs,
    idle: all.length - eventful,
  };
}

/** Every address that a policy has had, by any of them (semantics M23). */
function namesOf(policy: string, records: readonly LedgerRecord[]): ReadonlySet<string> {
  let renamed: PresentNames = new Map();
  for (const { body } of records)
    if (body.type === 'RENAMED') renamed = chainedNames(renamed, body);
  const present = renamed.get(policy) ?? policy;
  return new Set([policy, present, ...earlierNames(present, renamed)]);
}

/** A run with stale or up-to-date changes is listed even if it sent nothing. */
function isEventful({ plans, attempts, events, sums }: AuditRun): boolean {
  const { converged = 0, stale = 0 } = sums?.classes ?? {};
  return plans.length + attempts.length + events.length + converged + stale > 0;
}

/** A question with every address of its policy; absent: of any policy. */
interface SelectedBy extends Omit<AuditQuestion, 'policy'> {
  readonly policies?: ReadonlySet<string>;
}

/** The part of a run that the question selects; undefined if it selects nothing. */
function selectRun(run: AuditRun, { commit, device, policies }: SelectedBy): readonly AuditRun[] {
  if (commit !== undefined && !run.plans.some((plan) => matchesCommit(plan, commit))) return [];
  if (device === undefined && policies === undefined) return [run];
  const isMeant = (intent: Pick<AuditIntent, 'device' | 'policy'>): boolean =>
    (device === undefined || intent.device === device) && (policies?.has(intent.policy) ?? true);
  const attempts = run.attempts
    .map((attempt) => ({ ...attempt, intents: attempt.intents.filter(isMeant) }))
    .filter(({ intents }) => intents.length > 0);
  const events = run.events.filter((event) => concerns(event, { run, isMeant, policies }));
  return attempts.length + events.length === 0 ? [] : [{ ...run, attempts, events }];
}

function matchesCommit({ commit, basis }: AuditPlan, commitPrefix: string): boolean {
  return [commit, basis?.commit].some((id) => id !== undefined && id.startsWith(commitPrefix));
}

interface Concern {
  readonly run: AuditRun;
  readonly isMeant: (intent: Pick<AuditIntent, 'device' | 'policy'>) => boolean;
  readonly policies: SelectedBy['policies'];
}

/** Whether an event concerns a device or policy; a stop concerns the devices that it stopped. */
function concerns(event: AuditEvent, { run, isMeant, policies = new Set() }: Concern): boolean {
  const intents = run.attempts.flatMap((attempt) =>
    attempt.intents
      .filter(isMeant)
      .map((intent) => ({ ...intent, ...pick(attempt, 'attemptId', 'taskId') })),
  );
  const isOfIds = (ids: readonly string[]): boolean =>
    ids.some((id) => isMeant({ device: deviceInId(id), policy: [...policies][0] ?? '' }));
  switch (event.is) {
    case 'resolve':
      return isMeant(event);
    case 'unlock':
    case 'ground':
    case 'distrust':
      return intents.length > 0;
    case 'rename':
      return policies.has(event.from) || policies.has(event.to);
    case 'withdrawal':
      if (event.policy !== undefined)
        return policies.has(event.policy) || intents.some((one) => one.policy === event.policy);
      return isOfIds(event.ids);
    case 'approval':
      return isOfIds(event.ids);
    case 'stop':
    case 'pause':
    case 'lift': {
      const stopped = policyOfScope(event.scope);
      const isOfIt = intents.some((intent) => intent.policy === stopped);
      return policies.has(stopped) || stopped === FLEET || isOfIt;
    }
    case 'anomaly':
      return intents.some(({ intentId, device, attemptId, taskId }) =>
        event.ids.some((id) => [intentId, device, attemptId, taskId].includes(id)),
      );
  }
}

function deviceInId(changeId: string): string {
  return changeId.slice(changeId.indexOf('/') + 1);
}
