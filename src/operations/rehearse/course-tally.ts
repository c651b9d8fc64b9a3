import { parseInstant, type Instant } from '../../lib/time.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { LedgerRecord, RecordBody } from '../../model/ledger/record.ts';
import { isOpen, isRemaining, type Ending, type RunReport } from '../../model/ledger/run-report.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { isWanted } from '../../model/plan/change.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';

/** How one change of a course ended, or why it was left. */
export interface ChangeFate {
  readonly policy: string;
  readonly task: TaskType;
  readonly wave?: string;
  readonly is: 'done' | 'failed' | 'late' | 'blocked';
  /** When it was verified. */
  readonly at?: Instant;
  readonly reason?: ReasonCode;
  /** The window that it waits for, or that it missed. */
  readonly window?: string;
}

/** A window that closed while changes of a policy waited for it. */
export interface ClosedWindow {
  readonly policy: string;
  readonly window: string;
  readonly left: number;
}

/** Only time is missing: the work continues automatically. */
const PASSING: ReadonlySet<ReasonCode> = new Set([
  'orderPending',
  'waveNotOpen',
  'gatePending',
  'frozen',
  'windowClosed',
  'pastCutoff',
  'budgetExhausted',
  'apiBudget',
  'busy',
  'notRead',
  'act',
]);

const WINDOWS: ReadonlySet<ReasonCode> = new Set(['windowClosed', 'pastCutoff']);

type Known = Pick<IntentState, 'task' | 'device' | 'policy' | 'target' | 'towards'>;

/** The sums of the runs of one course, taken run by run, because a report of each is large. */
export class RunTally {
  readonly closed: ClosedWindow[] = [];
  readonly stops = new Set<string>();
  /** Runs that ended early, by why. */
  readonly ended = new Map<string, number>();
  tasks = 0;
  readonly #before: ReadonlyMap<string, IntentState>;
  readonly #intents = new Map<string, Known>();
  readonly #settled = new Map<string, ChangeFate>();
  readonly #waves = new Map<string, string>();
  #left: ReadonlyMap<string, ChangeFate> | undefined;
  readonly #until: Instant;

  /** A tally of a course that ends at an instant, and whose ledger began with these intents. */
  constructor(before: ReadonlyMap<string, IntentState>, until: Instant) {
    this.#before = before;
    this.#until = until;
  }

  /** Takes down one run and the records that it appended. */
  see(report: RunReport | undefined, records: readonly LedgerRecord[]): void {
    const started = new Set<string>();
    for (const { body, at } of records) this.#record(body, parseInstant(at) ?? 0, started);
    if (!report) return;
    if (report.ended !== undefined && report.ended !== 'interrupted') this.#count(report);
    this.#left = new Map(report.endings.flatMap((ending) => this.#leftBy(ending)));
    this.#seeWindows(report, started);
  }

  /** The fate of every change with work in the course, by its id. */
  fates(): ReadonlyMap<string, ChangeFate> {
    const all = new Map<string, ChangeFate>(this.#settled);
    for (const [id, fate] of this.#left ?? []) {
      const isFailed = all.get(id)?.is === 'failed' && fate.is === 'blocked';
      all.set(id, isFailed ? { ...fate, is: 'failed' } : fate);
    }
    return new Map(
      [...all].map(([id, fate]) => {
        const wave = this.#waves.get(id);
        return [id, { ...fate, ...(wave !== undefined && { wave }) }];
      }),
    );
  }

  #record(body: RecordBody, at: Instant, started: Set<string>): void {
    switch (body.type) {
      case 'ATTEMPT':
        this.tasks += 1;
        for (const { id, ...intent } of body.intents) {
          this.#intents.set(id, { ...intent, task: body.task });
          started.add(intent.policy);
        }
        return;
      case 'SETTLED':
        return this.#settle(body, at);
      case 'STOP':
        this.stops.add(`${body.scope} (${body.rule})`);
        return;
      default:
    }
  }

  #settle({ intentId, verdict }: RecordBody & { readonly type: 'SETTLED' }, at: Instant): void {
    const intent = this.#intents.get(intentId) ?? this.#before.get(intentId);
    if (!intent) return;
    const { task, device, policy, target, towards = target } = intent;
    const isDone = verdict === 'done';
    if (isDone && towards !== target) return;
    const fate = isDone ? ({ is: 'done', at } as const) : ({ is: 'failed' } as const);
    this.#settled.set(`${task}/${device}`, { policy, task, ...fate });
  }

  #leftBy({ change, outcome, reason = change.reason }: Ending): readonly [string, ChangeFate][] {
    if (change.wave !== undefined) this.#waves.set(change.id, change.wave);
    const isAwaited = isOpen({ outcome });
    if (!isAwaited && !(isRemaining({ outcome }) && isWanted(change))) return [];
    const { policy, task, window } = change;
    const { code, next } = reason;
    // What falls due too late to start before the end is as little late as what is not due yet.
    const isNew = this.#left?.has(change.id) === false;
    if (code === 'notDue' || (isNew && Number(next) >= this.#until)) return [];
    const isBlocked = isAwaited || next === 'never' || !PASSING.has(code);
    const fate = isBlocked ? ({ is: 'blocked' } as const) : ({ is: 'late' } as const);
    return [
      [
        change.id,
        {
          policy,
          task,
          ...fate,
          ...(window && { window: window.name }),
          reason: isAwaited ? 'inDoubt' : code,
        },
      ],
    ];
  }

  /** Windows in which work of a policy started, and that left some of it. */
  #seeWindows({ endings }: RunReport, started: ReadonlySet<string>): void {
    const left = new Map<string, ClosedWindow>();
    for (const { change, outcome, reason = change.reason } of endings) {
      const { policy, window } = change;
      if (!isRemaining({ outcome }) || !WINDOWS.has(reason.code) || !started.has(policy)) continue;
      const name = window?.name ?? '';
      const key = `${policy} ${name}`;
      left.set(key, { policy, window: name, left: (left.get(key)?.left ?? 0) + 1 });
    }
    this.closed.push(...left.values());
  }

  #count({ ended = 'error', refused = [] }: RunReport): void {
    const whys =
      refused.length > 0 ? refused.map(({ guardrail }) => `guardrail ${guardrail}`) : [ended];
    for (const why of whys) this.ended.set(why, (this.ended.get(why) ?? 0) + 1);
  }
}
