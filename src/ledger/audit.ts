import type {
  AuditAttempt,
  AuditEvent,
  AuditIntent,
  AuditPlan,
  AuditQuestion,
  AuditRun,
  AuditSettlement,
  AuditView,
  EvidenceLevel,
} from '../model/audit.ts';
import type { LedgerRecord, RecordBody } from '../model/record.ts';
import { asked } from './audit-question.ts';
import { EMPTY_HEAD, headOf } from './chain.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/**
 * The history in a ledger, run by run: which plan, what was sent, what came of each device and how
 * that is known, who paused, lifted, resolved or unlocked. A verdict stands with the attempt that it
 * is about, whichever run wrote it.
 */
export function auditOf(records: readonly LedgerRecord[], question: AuditQuestion = {}): AuditView {
  const history = new History();
  for (const record of records) history.add(record);
  const all = history.runs();
  const runs = all.flatMap((run) => asked(run, question)).filter(hasSomethingToTell);
  const told = all.filter(hasSomethingToTell).length;
  const genesis = records.find(({ body }) => body.type === 'GENESIS')?.body as
    Body<'GENESIS'> | undefined;
  return {
    ledgerId: genesis?.ledgerId ?? '',
    fingerprint: genesis?.fingerprint ?? '',
    head: headOf(records, EMPTY_HEAD),
    runs,
    idle: all.length - told,
  };
}

function hasSomethingToTell({ plans, attempts, events }: AuditRun): boolean {
  return plans.length + attempts.length + events.length > 0;
}

interface Draft {
  readonly run: Omit<AuditRun, 'endedAt' | 'plans' | 'attempts' | 'events'>;
  endedAt?: string;
  readonly plans: AuditPlan[];
  readonly attempts: AttemptDraft[];
  readonly events: AuditEvent[];
}

interface AttemptDraft {
  readonly body: Body<'ATTEMPT'>;
  readonly at: Pick<AuditAttempt, 'seq' | 'at'>;
  result?: Body<'RESULT'>;
  readonly settled: Map<string, AuditSettlement[]>;
}

class History {
  readonly #runs: Draft[] = [];
  readonly #attempts = new Map<string, AttemptDraft>();
  /** The last attempt of an intent. */
  readonly #lastOf = new Map<string, AttemptDraft>();

  add({ seq, at, epoch, tool, body }: LedgerRecord): void {
    if (body.type === 'LOCK') this.#runs.push(begun(body, { epoch, tool, startedAt: at }));
    const run = this.#runs.findLast((one) => one.run.epoch === epoch);
    if (body.type === 'RELEASE' && run) run.endedAt = at;
    if (body.type === 'PLAN') {
      const { type: _, ...plan } = body;
      run?.plans.push({ ...plan, seq, at });
    }
    if (body.type === 'ATTEMPT') this.#attempt(body, { seq, at }, run);
    if (body.type === 'RESULT') this.#answer(body);
    if (body.type === 'SETTLED') this.#settle(body, { seq, at, epoch });
    const event = this.#eventOf(body);
    if (event) run?.events.push({ seq, at, ...event } as AuditEvent);
  }

  runs(): readonly AuditRun[] {
    return this.#runs.map(({ run, endedAt, plans, attempts, events }) => ({
      ...run,
      ...(endedAt !== undefined && { endedAt }),
      plans,
      attempts: attempts.map(told),
      events,
    }));
  }

  #attempt(body: Body<'ATTEMPT'>, at: AttemptDraft['at'], run: Draft | undefined): void {
    const attempt: AttemptDraft = { body, at, settled: new Map() };
    this.#attempts.set(body.attemptId, attempt);
    for (const { id } of body.intents) this.#lastOf.set(id, attempt);
    run?.attempts.push(attempt);
  }

  /** A late acceptance tells more than the doubt before it. */
  #answer(body: Body<'RESULT'>): void {
    const attempt = this.#attempts.get(body.attemptId);
    if (attempt) attempt.result = body;
  }

  #settle(body: Body<'SETTLED'>, by: Pick<AuditSettlement, 'seq' | 'at' | 'epoch'>): void {
    const settled = this.#lastOf.get(body.intentId)?.settled;
    const { verdict, who, why, seconds } = body;
    settled?.set(body.intentId, [
      ...(settled.get(body.intentId) ?? []),
      {
        ...by,
        verdict,
        level: levelOf(body),
        ...(who !== undefined && { who }),
        ...(why !== undefined && { why }),
        ...(seconds !== undefined && { seconds }),
      },
    ]);
  }

  #eventOf(body: RecordBody): object | undefined {
    switch (body.type) {
      case 'STOP':
        return {
          is: 'stop',
          scope: body.scope,
          rule: body.rule,
          abort: body.action === 'abort',
        };
      case 'LIFT': {
        const { scope, who, why, ticket } = body;
        return { is: 'lift', scope, who, why, ticket };
      }
      case 'LOCK':
        return body.who === undefined
          ? undefined
          : { is: 'unlock', who: body.who, why: body.why ?? '' };
      case 'ANOMALY':
        return { is: 'anomaly', what: body.what, ids: body.ids };
      case 'SETTLED':
        return body.by === 'person' ? this.#resolved(body) : undefined;
      default:
        return undefined;
    }
  }

  #resolved({ intentId, verdict, who = '', why = '' }: Body<'SETTLED'>): object {
    const intents = this.#lastOf.get(intentId)?.body.intents ?? [];
    const { device = '', policy = '' } = intents.find(({ id }) => id === intentId) ?? {};
    return { is: 'resolve', intentId, device, policy, verdict, who, why };
  }
}

function begun({ label }: Body<'LOCK'>, by: Pick<AuditRun, 'epoch' | 'tool' | 'startedAt'>): Draft {
  return { run: { label, ...by }, plans: [], attempts: [], events: [] };
}

function told({ body, at, result, settled }: AttemptDraft): AuditAttempt {
  const { attemptId, planId, task, window } = body;
  const { outcome, status, taskId } = result ?? {};
  return {
    attemptId,
    ...at,
    planId,
    task,
    window,
    ...(outcome !== undefined && { outcome }),
    ...(status !== undefined && { status }),
    ...(taskId !== undefined && { taskId }),
    intents: body.intents.map(({ id, device, policy, target, towards }): AuditIntent => ({
      intentId: id,
      device,
      policy,
      target,
      ...(towards !== undefined && { towards }),
      settled: settled.get(id) ?? [],
    })),
  };
}

/** The source of evidence that is the word of the service's task, and nothing that a device showed. */
const RESULT_ALONE = 'task';

function levelOf({ by, evidence }: Body<'SETTLED'>): EvidenceLevel {
  if (by === 'person') return 'person';
  return evidence.some(({ source }) => source !== RESULT_ALONE) ? 'readBack' : 'resultOnly';
}
