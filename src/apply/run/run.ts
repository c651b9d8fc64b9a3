import type { Change } from '../../model/plan/change.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import { WorldError } from '../../model/error.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Clock, Dated, Journal, KeptResults, Random, Service } from '../../model/ports.ts';
import type { Plan, Verdict } from '../../model/plan/plan.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { harmless, type OnProgress } from '../../model/progress.ts';
import type { ApprovedBy, RecordBody } from '../../model/ledger/record.ts';
import type { ReadDevice, Snapshot } from '../../model/fleet/snapshot.ts';
import { parseInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import type { Approval, Planned } from '../../plan/input.ts';
import type { Said } from './accounting.ts';
import type { Observation } from '../../kinds/kind.ts';
import type { Stop } from './stop.ts';

/** A fresh reading of the fleet and the plan made of it, on the journal's memory as it is then. */
export interface Survey extends Planned {
  readonly snapshot: Snapshot;
}

/**
 * What a run of apply needs of the world. The caller has taken the lease; the run gives it back.
 */
export interface ExecuteInput {
  readonly documents: Documents;
  /**
   * Plans with what was approved so far, if anything was. Throws where the documents make a plan
   * that must not be applied.
   */
  survey(approved: Approval | undefined): Promise<Survey>;
  /** `apply FILE`: only what was approved there and still holds is run. */
  readonly approved?: Plan;
  /** How what is run came to be approved, for the record; a plan that is given was a file otherwise. */
  readonly approval?: { readonly by: ApprovedBy; readonly named: boolean };
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly pollEvery: Milliseconds;
  /** How long to go on looking for evidence about what is in doubt; no longer than the rest takes without. */
  readonly watchDoubts?: Milliseconds;
  /** What may start within this time is waited for; nothing without. */
  readonly wait?: Milliseconds;
  /** Where acceptances are kept that the ledger cannot take; nowhere without. */
  readonly kept?: KeptResults;
  readonly onProgress?: OnProgress;
  readonly stop: Stop;
}

/**
 * What a run has seen of one open intent; the ledger keeps the rest, so a new run starts with none
 * of it.
 */
export interface Flight {
  /** The service's time of the answer that first showed `completed` with `succeeded`. */
  completedAt?: Instant;
  /** That answer carried no time, so this is ours. */
  undated?: boolean;
  /** The id that the service gave the device when it was onboarded, as its device task shows it. */
  onboardedId?: string;
  /** What reads since then have shown without a change, and since when on the monotonic clock. */
  steady?: { readonly shows: string; readonly since: Milliseconds };
  runningSince?: Instant;
  /** Polls in a row that did not show its task, or not this device in it. */
  absences: number;
  absentSince?: Instant;
  /** When the last poll of its task got a bad answer, or none, on the monotonic clock; 0: a good one. */
  badAt?: Milliseconds;
  /** Past its deadline: polled on, but waited for no longer. */
  overdue: boolean;
  /**
   * From when on this process has had it in doubt, on the monotonic clock; for a task that was lost, not
   * before it should have ended.
   */
  doubtFrom?: Milliseconds;
  /** What this process saw first of the device since. */
  first?: Observation;
  /** Reads in a row that showed the device as it was before, and when the last counted one was made. */
  unchanged?: { readonly reads: number; readonly at: Milliseconds };
}

/** Rounds of polling in a row that came to nothing, since when on the monotonic clock, and why the last did. */
export interface Absence {
  readonly since: Milliseconds;
  readonly rounds: number;
  readonly why: WorldError;
}

/** One run while it lives: its ports, and what it has seen that the ledger does not say. */
export interface Run extends Omit<ExecuteInput, 'survey' | 'onProgress' | 'watchDoubts' | 'wait'> {
  readonly progress: OnProgress;
  /** Until when evidence about doubts is waited for, on the monotonic clock. */
  readonly watchesUntil: Milliseconds;
  /** What may start before this is waited for: an approval that has ended lets nothing start. */
  readonly waitsUntil: Instant;
  /** What this run knows about intents that are open, by intent id. */
  readonly flights: Map<string, Flight>;
  /** By change id. */
  readonly said: Map<string, Said>;
  readonly anomalies: string[];
  /**
   * Devices read by id, and those that the last reading of the down set listed: newer than the
   * snapshot.
   */
  readonly reads: Map<string, ReadDevice>;
  down: ReadonlyMap<string, ReadDevice>;
  /** A filter is no help, so that all rows are read and looked at. */
  unfiltered?: boolean;
  /** The filters were tried on what is known of the fleet. */
  filtersTried?: boolean;
  survey?: Survey;
  /**
   * The plan that the report answers for: the approved one, or the first of a run without a file.
   */
  answersFor?: Plan;
  /** The changes of the last reading that were approved and hold: what this run is about. */
  work: readonly Change[];
  /** Guardrails that refused it. */
  refused?: readonly Verdict[];
  /** Intents that this run attempted, so that none is taken up twice in one run. */
  readonly tried: Set<string>;
  /** Intents whose ATTEMPT this run wrote: what became of them is told, whoever found it out. */
  readonly touched: Set<string>;
  /** Discovered devices that this run set out to onboard, by id. */
  readonly sought: Map<string, DiscoveredDevice>;
  /** The user that each task has named, by its id. */
  readonly users: Map<string, string>;
  /** Gates that this run has looked at; one look a run. */
  readonly sampled: Set<string>;
  /** Known devices that the service did not show when they were asked for. */
  gone: number;
  /** The plan whose PLAN record this run has appended. */
  recordedPlan?: string;
  attempts: number;
  /** RESULTs that the ledger could not take yet, by attempt id: nothing is attempted meanwhile (I14). */
  readonly owed: Map<string, RecordBody & { readonly type: 'RESULT' }>;
  /**
   * Attempts whose ATTEMPT could not be written, as far as this process was told, and that it
   * therefore never sent.
   */
  readonly unsent: Set<string>;
  /** This process slept for longer than it meant to, and has not read the ledger since. */
  overslept: boolean;
  /** Changes that this run set out to make, and those that it ended: for progress. */
  wanted: number;
  ended: number;
  /** How far the service's clock is ahead of ours, by its last dated answer. */
  ahead: Milliseconds;
  /** The service has answered this run at least once. */
  answered: boolean;
  /** The service is away since its last answer. */
  absence?: Absence | undefined;
  /** The last failure; the run may have got over it. */
  failure?: Error | undefined;
}

/** A run that has seen nothing yet. */
export function createRun(input: ExecuteInput, service: Service): Run {
  const { survey: _, onProgress = () => undefined, watchDoubts = 0, wait = 0, ...ports } = input;
  const expiresAt = parseInstant(input.approved?.expiresAt ?? '') ?? Infinity;
  return {
    ...ports,
    service,
    progress: harmless(onProgress),
    watchesUntil: input.clock.monotonic() + watchDoubts,
    waitsUntil: Math.min(input.clock.now() + wait, expiresAt),
    flights: new Map(),
    said: new Map(),
    anomalies: [],
    reads: new Map(),
    down: new Map(),
    attempts: 0,
    work: [],
    answered: false,
    tried: new Set(),
    touched: new Set(),
    sought: new Map(),
    users: new Map(),
    owed: new Map(),
    unsent: new Set(),
    overslept: false,
    sampled: new Set(),
    gone: 0,
    wanted: 0,
    ended: 0,
    ahead: 0,
  };
}

/** Keeps what a read of a single device, or of its list, has shown since the last reading of the fleet. */
export function keepRead({ reads, clock }: Run, device: Device): void {
  reads.set(device.id, { device, readAt: clock.now() });
}

/** When to look after what is in flight again: `pollEvery` from now, give or take a tenth. */
export function nextPoll({ clock, pollEvery, random }: Run): Instant {
  return clock.now() + Math.round(pollEvery * (0.9 + 0.2 * random()));
}

/** Now by the service's clock, as well as its answers tell. */
export function serviceNow(run: Run): Instant {
  return run.clock.now() + run.ahead;
}

/**
 * Notes the service's time of an answer and returns it; ours, set to the service's, where it said
 * none.
 */
export function dateOf(run: Run, answer: Dated<unknown>): Instant {
  if (answer.date === undefined) return serviceNow(run);
  run.ahead = answer.date - run.clock.now();
  return answer.date;
}

/**
 * Appends records that do not depend on what the ledger holds besides. Where somebody else appended
 * first they go onto the new head, but for those that `stillHolds` says no longer belong there.
 */
export async function record(
  run: Run,
  bodies: readonly RecordBody[],
  stillHolds: (body: RecordBody, memory: Memory) => boolean = () => true,
): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const left = bodies.filter((body) => stillHolds(body, run.journal.memory));
    if (left.length === 0 || (await run.journal.append(left)) === 'acknowledged') return;
  }
  throw new WorldError('locked', { cause: 'appends lost' });
}

/** Reports something that the world must not do; it stands in the run's report. */
export async function anomaly(run: Run, what: string, ids: readonly string[]): Promise<void> {
  run.anomalies.push(`${what}: ${ids.join(', ')}`);
  await record(run, [{ type: 'ANOMALY', what, ids }]);
}
