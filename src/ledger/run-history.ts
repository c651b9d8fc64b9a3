import type {
  AuditAttempt,
  AuditEvent,
  AuditIntent,
  AuditPlan,
  AuditRun,
  AuditSettlement,
  EvidenceLevel,
} from '../model/ledger/audit.ts';
import { approvalTerms, type ApprovalTerms } from '../model/ledger/approval.ts';
import {
  isLeaseless,
  type AllowedBy,
  type Leaseless,
  type LedgerRecord,
  type RecordBody,
} from '../model/ledger/record.ts';
import type { RunSums } from '../model/ledger/run-sums.ts';

/** What no run shows; a new record type must be added here or handled. */
type Unshown = Body<'GENESIS' | 'BEAT' | 'ROLLOUT' | 'OBSERVED' | 'SEEN' | 'CHECKPOINT'>;

/** The position of a record. */
type Placed = Pick<AuditSettlement, 'seq' | 'at' | 'epoch'>;

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

interface RunDraft {
  readonly run: Omit<AuditRun, 'endedAt' | 'sums' | 'plans' | 'attempts' | 'events'>;
  endedAt?: string;
  sums?: RunSums | undefined;
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

/**
 * The runs of a ledger, built record by record. Reading all runs costs as much as all of them,
 * reading one run only as much as that run.
 */
export class RunHistory {
  readonly #runs: RunDraft[] = [];
  readonly #byEpoch = new Map<number, RunDraft>();
  readonly #attempts = new Map<string, AttemptDraft>();
  readonly #approvals = new Map<number, ApprovalTerms>();
  /** The latest attempt of an intent. */
  readonly #lastOf = new Map<string, AttemptDraft>();

  add({ seq, at, epoch, tool, body }: LedgerRecord): void {
    if (isLeaseless(body)) return this.#addAct(body, { seq, at, epoch, tool });
    if (body.type === 'LOCK') this.#begin(begun(body, { epoch, tool, startedAt: at }));
    const run = this.#byEpoch.get(epoch);
    const event = this.#addTo(run, body, { seq, at, epoch });
    if (event) run?.events.push({ seq, at, ...event } as AuditEvent);
  }

  /** The run of an epoch; undefined if there is none yet. */
  run(epoch: number): AuditRun | undefined {
    const draft = this.#byEpoch.get(epoch);
    return draft && toAuditRun(draft, this.#approvals);
  }

  runs(): readonly AuditRun[] {
    return this.#runs.map((run) => toAuditRun(run, this.#approvals));
  }

  /** Adds a record to its run, and returns the event that it is there. */
  #addTo(run: RunDraft | undefined, body: Exclude<RecordBody, Leaseless>, at: Placed) {
    switch (body.type) {
      case 'RELEASE':
        if (run) [run.endedAt, run.sums] = [at.at, body.sums];
        return undefined;
      case 'PLAN': {
        const { type: _, ...plan } = body;
        run?.plans.push({ ...plan, seq: at.seq, at: at.at });
        return undefined;
      }
      case 'ATTEMPT':
        return this.#attempt(body, { seq: at.seq, at: at.at }, run);
      case 'RESULT':
        return this.#answer(body, run);
      case 'SETTLED':
        this.#settle(body, at);
        return body.by === 'person' ? this.#resolved(body) : undefined;
      case 'STOP': {
        const { scope, rule, action } = body;
        return { is: 'stop', scope, rule, abort: action === 'abort' };
      }
      case 'LOCK':
        return body.who === undefined
          ? undefined
          : {
              is: 'unlock',
              who: body.who,
              why: body.why ?? '',
              ...(body.lost && { lost: Math.max(...body.lost.map(({ seq }) => seq)) }),
              ...(body.rejected && { rejected: Math.max(...body.rejected.map(({ seq }) => seq)) }),
            };
      case 'ANOMALY':
        return { is: 'anomaly', what: body.what, ids: body.ids };
      case 'RENAMED':
        return { is: 'rename', from: body.from, to: body.to };
      default:
        // A newer version may write types that this one does not know; no run shows them.
        return void (body satisfies Unshown);
    }
  }

  /** A person pauses or unpauses, or a gate approves, beside any run: the record stands alone. A mere reading is no event. */
  #addAct(body: Leaseless, { seq, at, epoch, tool }: Placed & { readonly tool: string }): void {
    if (body.type === 'APPROVED') this.#approvals.set(seq, body);
    const own = this.#byEpoch.get(epoch);
    const what = toEvent(body);
    if (what === undefined) return;
    const label = actor(body) ?? own?.run.label ?? '';
    const event = { seq, at, ...what };
    // A run withdraws and lifts what its documents no longer want under its own lease.
    if (own?.endedAt === undefined && own?.run.label === label) return void own.events.push(event);
    const run = { epoch, record: seq, label, tool, startedAt: at };
    this.#runs.push({ run, endedAt: at, plans: [], attempts: [], events: [event] });
  }

  #begin(draft: RunDraft): void {
    this.#runs.push(draft);
    this.#byEpoch.set(draft.run.epoch, draft);
  }

  #attempt(body: Body<'ATTEMPT'>, at: AttemptDraft['at'], run: RunDraft | undefined): void {
    const attempt: AttemptDraft = { body, at, settled: new Map() };
    this.#attempts.set(body.attemptId, attempt);
    for (const { id } of body.intents) this.#lastOf.set(id, attempt);
    run?.attempts.push(attempt);
  }

  /**
   * A late acceptance corrects the doubt before it, and with it the sums that its run counted when
   * it released the lease.
   */
  #answer(body: Body<'RESULT'>, run: RunDraft | undefined): void {
    const attempt = this.#attempts.get(body.attemptId);
    if (attempt) attempt.result = body;
    if (run?.endedAt !== undefined) run.sums = undefined;
  }

  #settle(body: Body<'SETTLED'>, settlement: Placed): void {
    const settled = this.#lastOf.get(body.intentId)?.settled;
    const { verdict, who, why, seconds } = body;
    settled?.set(body.intentId, [
      ...(settled.get(body.intentId) ?? []),
      {
        verdict,
        level: evidenceLevel(body),
        ...(who !== undefined && { who }),
        ...(why !== undefined && { why }),
        ...(seconds !== undefined && { seconds }),
        ...settlement,
      },
    ]);
  }

  #resolved({ intentId, verdict, who = '', why = '' }: Body<'SETTLED'>): object {
    const intents = this.#lastOf.get(intentId)?.body.intents ?? [];
    const { device = '', policy = '' } = intents.find(({ id }) => id === intentId) ?? {};
    return { is: 'resolve', intentId, device, policy, verdict, who, why };
  }
}

/** Who appended a record without a lease; undefined where it is whoever runs. */
function actor(body: Leaseless): string | undefined {
  if (body.type === 'APPROVED') return body.run;
  return body.type === 'FACTS' ? undefined : body.who;
}

/** The event of a record that needs no lease; none where it only says what was read. */
function toEvent(body: Leaseless): WithoutPlace<AuditEvent> | undefined {
  switch (body.type) {
    case 'PAUSE': {
      const { type: _, ...pause } = body;
      return { is: 'pause', ...pause };
    }
    case 'LIFT': {
      const { scope, who, why, ticket, what = 'stop' } = body;
      return { is: 'lift', scope, who, why, ticket, what };
    }
    case 'APPROVED': {
      const ids = body.changes.map(([id]) => id);
      return { is: 'approval', ...approvalTerms(body), expires: body.expires, ids };
    }
    case 'WITHDRAWN': {
      const { type: _, ...withdrawal } = body;
      return { is: 'withdrawal', ...withdrawal };
    }
    case 'GROUND': {
      const { type: _, ...ground } = body;
      return { is: 'ground', ...ground };
    }
    case 'FACTS':
      return body.distrust && { is: 'distrust', ...body.distrust };
  }
}

type WithoutPlace<T> = T extends AuditEvent ? Omit<T, 'seq' | 'at'> : never;

function begun(
  { label }: Body<'LOCK'>,
  opening: Pick<AuditRun, 'epoch' | 'tool' | 'startedAt'>,
): RunDraft {
  return { run: { label, ...opening }, plans: [], attempts: [], events: [] };
}

function toAuditRun(
  { run, endedAt, sums, plans, attempts, events }: RunDraft,
  approvals: Approvals,
): AuditRun {
  return {
    ...run,
    ...(endedAt !== undefined && { endedAt }),
    ...(sums && { sums }),
    plans: [...plans],
    attempts: attempts.map((attempt) => auditAttempt(attempt, approvals)),
    events: [...events],
  };
}

function auditAttempt(
  { body, at, result, settled }: AttemptDraft,
  approvals: Approvals,
): AuditAttempt {
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
    intents: body.intents.map(({ id, device, policy, target, towards, allowed }): AuditIntent => ({
      intentId: id,
      device,
      policy,
      target,
      ...(towards !== undefined && { towards }),
      ...allowedParts(allowed, approvals),
      settled: settled.get(id) ?? [],
    })),
  };
}

/** The approvals of the ledger, by the number of their first record. */
type Approvals = ReadonlyMap<number, ApprovalTerms>;

/** What an attempt says of its approval, with what that record says. */
function allowedParts(
  allowed: AllowedBy | undefined,
  approvals: Approvals,
): Pick<AuditIntent, 'allowed'> {
  if (!allowed) return {};
  const { commit = '', approvers = [], pulls = [] } = approvals.get(allowed.approval) ?? {};
  return {
    allowed: {
      record: allowed.approval,
      commit,
      approvers,
      pulls,
      preapproved: allowed.preapproved === true,
    },
  };
}

/** Evidence that comes from the service's task alone, not from a read of the device. */
const RESULT_ALONE = 'task';

function evidenceLevel({ by: settledBy, evidence }: Body<'SETTLED'>): EvidenceLevel {
  if (settledBy === 'person') return 'person';
  return evidence.some(({ source }) => source !== RESULT_ALONE) ? 'readBack' : 'resultOnly';
}
