import type { Change } from '../model/plan/change.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Ending, Outcome } from '../model/ledger/outcome.ts';
import type { ResultVerdict } from '../model/ledger/record.ts';
import type { Plan, GuardrailVerdict } from '../model/plan/plan.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { Ports } from './ports.ts';

/** What the run found out about one change; the last word counts. */
export type Said = Omit<Ending, 'change'>;

/** What each verdict of the ledger is in a report (protocol Z2). */
export const CLASS_OF: Readonly<Record<ResultVerdict, Outcome>> = {
  done: 'verified',
  unverified: 'unverified',
  failed: 'failed',
  rolledBack: 'rolledBack',
  aborted: 'aborted',
  notDone: 'notStarted',
  unknown: 'inDoubt',
};

/** The id of the change that an intent belongs to. */
export function changeIdOf({ task, device }: Pick<IntentState, 'task' | 'device'>): string {
  return `${task}/${device}`;
}

/** As much of its change as an intent knows. */
export function changeOf({ task, device }: IntentState): Pick<Change, 'task' | 'device'> {
  return { task, device: { id: device } };
}

/** What a later reading of the fleet may say otherwise. */
const MAY_CHANGE: ReadonlySet<Outcome> = new Set(['skipped', 'notStarted']);

/** What became of the changes of a run, and what it did: everything that only grows until the report. */
export class Outcomes {
  readonly #progress: Ports['progress'];
  /** By change id. */
  readonly #said = new Map<string, Said>();
  readonly #anomalies: string[] = [];
  readonly #tried = new Set<string>();
  readonly #touched = new Set<string>();
  #answersFor: Plan | undefined;
  #refused: readonly GuardrailVerdict[] = [];
  #recordedPlan: string | undefined;
  #attempts = 0;
  #startable = 0;
  #ended = 0;

  constructor(progress: Ports['progress']) {
    this.#progress = progress;
  }

  /** The plan that the report answers for: the approved one, or the first of a run without a file. */
  get answersFor(): Plan | undefined {
    return this.#answersFor;
  }

  /** @returns the plan that the report answers for: this one, if it is the first */
  answerFor(plan: Plan): Plan {
    return (this.#answersFor ??= plan);
  }

  /** By change id. */
  get said(): ReadonlyMap<string, Said> {
    return this.#said;
  }

  /** Says where a change stands, whatever was said of it before. */
  say(changeId: string, said: Said): void {
    this.#said.set(changeId, said);
  }

  /** Says where a change stands unless an attempt has already said more. */
  sayBefore(changeId: string, said: Said): void {
    const before = this.#said.get(changeId);
    if (!before || MAY_CHANGE.has(before.outcome)) this.#said.set(changeId, said);
  }

  /** A change waits for its turn. */
  park(changeId: string, reason: Reason): void {
    this.#said.set(changeId, { outcome: 'notStarted', reason });
  }

  /** What was said of a change that may start now is over, unless an attempt has said it. */
  reopen(changeId: string): void {
    const said = this.#said.get(changeId);
    if (said && MAY_CHANGE.has(said.outcome)) this.#said.delete(changeId);
  }

  /** Says what a change ended as, and tells whoever watches. */
  end({ task, device }: Pick<Change, 'task' | 'device'>, said: Said): void {
    this.#said.set(changeIdOf({ task, device: device.id }), said);
    this.#ended += 1;
    const total = Math.max(this.#ended, this.#startable);
    const { outcome } = said;
    this.#progress({ kind: 'ended', task, device: device.id, outcome, done: this.#ended, total });
  }

  /** How many changes have ended, or are waited for no longer. */
  get ended(): number {
    return this.#ended;
  }

  /** So many changes may start by this reading of the fleet: for progress. */
  countStartable(changes: number): void {
    this.#startable = Math.max(this.#startable, changes);
  }

  /**
   * The ledger has an ATTEMPT of these changes: what was said of them while they waited is over, and from
   * here on the ledger tells, whoever closes it.
   */
  setOut(
    planId: string,
    intents: readonly { readonly id: string; readonly changeId: string }[],
  ): void {
    this.#attempts += 1;
    this.#recordedPlan = planId;
    for (const { id, changeId } of intents) {
      this.#said.delete(changeId);
      this.#touched.add(id);
    }
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** Intents whose ATTEMPT this run wrote: what became of them is told, whoever found it out. */
  get touched(): Iterable<string> {
    return this.#touched;
  }

  /** Whether this run has appended the PLAN record of a plan. */
  hasRecorded(planId: string): boolean {
    return this.#recordedPlan === planId;
  }

  /** The attempt of an intent is over, so that it is not taken up again in this run. */
  noteTried(intentId: string): void {
    this.#tried.add(intentId);
  }

  hasTried(intentId: string): boolean {
    return this.#tried.has(intentId);
  }

  /** Guardrails that refused the run; none where none did. */
  get refused(): readonly GuardrailVerdict[] {
    return this.#refused;
  }

  refuse(verdicts: readonly GuardrailVerdict[]): void {
    this.#refused = verdicts;
  }

  get anomalies(): readonly string[] {
    return this.#anomalies;
  }

  /** Notes something that the world must not do; it stands in the report. */
  noteAnomaly(what: string, ids: readonly string[]): void {
    this.#anomalies.push(`${what}: ${ids.join(', ')}`);
  }
}
