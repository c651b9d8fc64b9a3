import type { Change } from '../model/plan/change.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Ending, Outcome } from '../model/ledger/run-report.ts';
import type { RecordBody, ResultVerdict } from '../model/ledger/record.ts';
import type { Plan, GuardrailVerdict } from '../model/plan/plan.ts';
import type { Reason } from '../model/plan/reason.ts';
import { toEnded } from '../model/progress.ts';
import type { Ports } from './ports.ts';

/** The result of one change in this run; the last one counts. */
export type Said = Omit<Ending, 'change'>;

/**
 * The class in reports of how the ledger closed an intent (protocol Z2). A device that shows an
 * intermediate version is not verified yet.
 */
export function classOf(
  { target, towards = target }: Pick<IntentState, 'target' | 'towards'>,
  verdict: ResultVerdict,
): Outcome {
  return verdict === 'done' && towards !== target ? 'betweenSteps' : CLASS_OF[verdict];
}

const CLASS_OF: Readonly<Record<ResultVerdict, Outcome>> = {
  done: 'verified',
  unverified: 'unverified',
  failed: 'failed',
  rolledBack: 'rolledBack',
  aborted: 'aborted',
  notDone: 'notStarted',
  unknown: 'inDoubt',
};

export function intentChangeId({ task, device }: Pick<IntentState, 'task' | 'device'>): string {
  return `${task}/${device}`;
}

/** The parts of its change that an intent contains. */
export function intentChange({ task, device, policy }: IntentState): Ended {
  return { task, device: { id: device }, policy };
}

type Ended = Pick<Change, 'task' | 'device' | 'policy'>;

/** Outcomes that a later reading of the fleet may replace. */
const MAY_CHANGE: ReadonlySet<Outcome> = new Set(['betweenSteps', 'skipped', 'notStarted']);

/** The results of a run's changes and its other events, which are collected until the report. */
export class Outcomes {
  readonly #progress: Ports['progress'];
  /** By change id. */
  readonly #said = new Map<string, Said>();
  readonly #anomalies: string[] = [];
  readonly #tried = new Set<string>();
  /** Intents whose ATTEMPT this run wrote: the report has their outcome, whichever run recorded it. */
  readonly touched = new Set<string>();
  /** Changes that were sent or have ended since the last reading: its plan does not know that. */
  readonly sinceSurvey = new Set<string>();
  #answersFor: Plan | undefined;
  /** Guardrails that refused the run; none where none did. */
  refused: readonly GuardrailVerdict[] = [];
  #recordedPlan: string | undefined;
  attempts = 0;
  /** Approved outcomes that this run has withdrawn, because the documents no longer require them. */
  withdrawn = 0;
  /** The number of changes that have ended, or that the run no longer waits for. */
  ended = 0;

  constructor(progress: Ports['progress']) {
    this.#progress = progress;
  }

  /** The plan of the report: the approved one, or the first of a run without a file. */
  get answersFor(): Plan | undefined {
    return this.#answersFor;
  }

  /** The fleet was read again. The plan of the report is this one, if it is the first. */
  answerFor(plan: Plan): void {
    this.sinceSurvey.clear();
    this.#answersFor ??= plan;
  }

  /** By change id. */
  get said(): ReadonlyMap<string, Said> {
    return this.#said;
  }

  /** Sets the result of a change, whatever it was before. */
  say(changeId: string, said: Said): void {
    this.#said.set(changeId, said);
  }

  /** Sets the result of a change unless an attempt has already set it. */
  sayBefore(changeId: string, said: Said): void {
    const before = this.#said.get(changeId);
    if (!before || MAY_CHANGE.has(before.outcome)) this.#said.set(changeId, said);
  }

  /** A change is waiting. */
  park(changeId: string, reason: Reason): void {
    this.#said.set(changeId, { outcome: 'notStarted', reason });
  }

  /** Removes the result of a change that may start now, unless an attempt has set it. */
  reopen(changeId: string): void {
    const said = this.#said.get(changeId);
    if (said && MAY_CHANGE.has(said.outcome)) this.#said.delete(changeId);
  }

  /** Sets the result of a change and tells it. */
  end({ task, device, policy }: Ended, said: Said): void {
    const change = intentChangeId({ task, device: device.id });
    this.#said.set(change, said);
    this.sinceSurvey.add(change);
    this.ended += 1;
    this.#progress(toEnded({ change, policy, device: device.id, ...said }));
  }

  /**
   * The ledger has an ATTEMPT of these changes, so the results from before it are removed. The
   * ledger has their outcome, whichever run closes them.
   */
  setOut({ planId, task, intents }: RecordBody & { type: 'ATTEMPT' }): void {
    this.attempts += 1;
    this.#recordedPlan = planId;
    for (const { id, device } of intents) {
      const changeId = intentChangeId({ task, device });
      this.#said.delete(changeId);
      this.sinceSurvey.add(changeId);
      this.touched.add(id);
    }
  }

  /** Whether this run has appended the PLAN record of a plan. */
  hasRecorded(planId: string): boolean {
    return this.#recordedPlan === planId;
  }

  /** The attempt of an intent is over, so this run does not attempt it again. */
  noteTried(intentId: string): void {
    this.#tried.add(intentId);
  }

  hasTried(intentId: string): boolean {
    return this.#tried.has(intentId);
  }

  get anomalies(): readonly string[] {
    return this.#anomalies;
  }

  /** Records unexpected behavior for the report. */
  noteAnomaly(what: string, ids: readonly string[]): void {
    this.#anomalies.push(anomalyText(what, ids));
  }

  hasAnomaly(what: string, ids: readonly string[]): boolean {
    return this.#anomalies.includes(anomalyText(what, ids));
  }
}

function anomalyText(what: string, ids: readonly string[]): string {
  return `${what}: ${ids.join(', ')}`;
}
