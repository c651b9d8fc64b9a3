import { createClient } from '../../src/api/client.ts';
import { execute, type Survey } from '../../src/apply/run/execute.ts';
import { pauseOn } from '../../src/operations/intervene/pause.ts';
import { recordRenames } from '../../src/operations/apply.ts';
import { liftOn, type LiftFlags } from '../../src/operations/intervene/lift.ts';
import { compileSelector } from '../../src/desired/select.ts';
import { withVerdicts } from '../../src/guard/guard.ts';
import { readLiveFleet } from '../../src/live/read-fleet.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { WorldError } from '../../src/model/error.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Selector } from '../../src/model/documents/policy.ts';
import {
  TransportError,
  type Clock,
  type Journal,
  type ResultSpool,
  type LedgerStore,
  type Service,
  type Stop,
} from '../../src/model/ports.ts';
import { reportOutage, type ProgressEvent } from '../../src/model/progress.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import { parseDuration, type Milliseconds } from '../../src/lib/time.ts';
import { knownDevices } from '../../src/plan/known-devices.ts';
import { commonPart, toPartIds } from '../../src/model/plan/part.ts';
import { resolvePart, type PartFlags } from '../../src/plan/part/resolve-part.ts';
import { underPresentNames } from '../../src/plan/present-names.ts';
import { plan, type Approval, type PlannerInput } from '../../src/plan/plan.ts';
import { needs } from './needs.ts';
import { openJournal, type GroundKeeping } from '../../src/store/journal.ts';
import { payloadSecrets, searchNow, traceOf, writtenOf } from './canary-run.ts';
import { createEffects, type Effects, type OnEffect, type StopPoint } from './effects.ts';
import { tenantFingerprint } from '../../src/ledger/ground-due.ts';
import { approvalsIn, groundIn, TENANT } from './rehearsal-gate.ts';
import { chance } from './rehearsal-chance.ts';
import { inputsOf } from './rehearsal-inputs.ts';
import { storeOf } from './rehearsal-store.ts';
import {
  CREDENTIALS,
  transportTo,
  type Rehearsal,
  type RehearsalWorld,
  type ScriptedLift,
  type ScriptedPause,
} from './rehearsal-world.ts';

const POLL_EVERY = 120_000;

export interface RunOptions {
  /** Tells processes apart: their pid, and the seed of their chance. */
  readonly process: number;
  readonly stopAt?: StopPoint;
  /** What is counted and stopped besides, where the run is only a part of its process. */
  readonly effects?: Effects;
  /** The machine it runs on; all run on the same one without. */
  readonly host?: string;
  /** How long it waits for the lease; not at all without. */
  readonly lockWait?: Milliseconds;
  /** As that of a ledger in git, where it is not a directory. */
  readonly leaseTtl?: Milliseconds;
  readonly stop?: Stop;
  readonly approved?: Plan;
  readonly onProgress?: (progress: ProgressEvent) => void;
  /** How long evidence about what is in doubt is waited for. */
  readonly watchDoubts?: Milliseconds;
  readonly pollEvery?: Milliseconds;
  /** The requests a second to each endpoint family; a thousand without. */
  readonly requestsPerSecond?: number;
  /** What a person pauses while it is at work. */
  readonly pause?: ScriptedPause;
  /** What a person lets go on while it is at work. */
  readonly lift?: ScriptedLift;
  /** How long the run stays for what may start later. */
  readonly wait?: Milliseconds;
  /** Whether the default branch has other documents by now. */
  readonly isOvertaken?: () => Promise<boolean>;
  /** The part of the fleet that the run, or the plan, is limited to. */
  readonly part?: PartFlags;
  readonly kept?: ResultSpool;
  /** It reads the fleet again wherever it could plan from its last reading, or end without another plan of a closed wave. */
  readonly rereads?: boolean;
  /** Hears of each plan that it makes. */
  readonly onPlan?: (survey: Survey) => void;
  /**
   * Hears every effect once it has happened, with the method and path of a request, or the types of
   * an append.
   */
  readonly onEffect?: OnEffect;
  /** Its requests are written as `--trace` writes them, to be searched for secrets: half as much work again. */
  readonly isTraced?: boolean;
  /** Hears each line of that trace. */
  readonly onTrace?: (line: string) => void;
  /** Opens the ledger, where that is not the one in memory. */
  readonly openStore?: (effects: Effects) => Promise<LedgerStore>;
}

export interface Ran {
  /** Absent where the process died, or ended, before it could say anything. */
  readonly report?: RunReport;
  readonly effects: number;
}

/**
 * One process of apply from start to end, or to its death: the real client, planner, journal and
 * executor on the twin, with nothing kept from the process before but ledger and world.
 */
export async function runOnce(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  options: RunOptions,
): Promise<Ran> {
  const { effects = createEffects(options.stopAt, options.onEffect) } = options;
  const trace = traceOf();
  const before = world.store.records.length;
  const isTraced = options.isTraced && {
    trace: (line: string) => {
      trace.line(line);
      effects.watched();
      return options.onTrace?.(line);
    },
  };
  const life = processOf(rehearsal, { world, effects, options, ...isTraced });
  const beside = Promise.all([
    options.pause && pauseNow(world, options, options.pause),
    options.lift && liftBeside(rehearsal, world, options, options.lift),
  ]);
  const end = await world.clock.run(Promise.race([life.catch(refused), effects.died]));
  // A run that died early leaves the person asleep: time passes until the pause, or its end.
  await world.clock.run(beside);
  searchNow([
    { name: 'trace of a run', text: trace.text() },
    { name: 'ledger of a run', text: writtenOf(world.store.records.slice(before)) },
    { name: 'report of a run', text: writtenOf(end) },
  ]);
  const isReport = end !== 'died' && end !== 'refused';
  return { effects: effects.count, ...(isReport && { report: end }) };
}

/** What the world does to a process before it runs: it ends, as the command line would end. */
function refused(error: unknown): 'refused' {
  if (error instanceof WorldError) return 'refused';
  throw error;
}

interface Process {
  readonly world: RehearsalWorld;
  readonly effects: Effects;
  readonly options: RunOptions;
  /** Hears every request that the process sends. */
  readonly trace?: (line: string) => void;
  readonly onProgress?: (progress: ProgressEvent) => void;
}

async function processOf({ documents, merged }: Rehearsal, process: Process): Promise<RunReport> {
  const { world, effects, options } = process;
  const clock = clockOf(world.clock, effects);
  const random = chance(options.process);
  const onProgress = (progress: ProgressEvent): void => {
    effects.watched();
    return options.onProgress?.(progress);
  };
  const service = serviceOf(documents, { ...process, onProgress }, clock);
  const store = await openStore(process);
  const onOutage = reportOutage(onProgress);
  const ground = groundIn(merged, options);
  const journal = await journalOf({ store, clock, random, options, onOutage, ground });
  await takeLease(journal, options);
  const named = await recordRenames(journal, documents);
  const {
    stop = nobodyStops(),
    approved,
    watchDoubts = 0,
    wait = 0,
    kept,
    pollEvery = POLL_EVERY,
  } = options;
  return execute({
    documents: named,
    survey: async (approved, lists) => {
      const { followed, ...survey } = await surveyOf({
        documents,
        ...(merged && { merged }),
        service,
        journal,
        clock,
        approved,
        onProgress,
        patient: true,
        ...(options.part && { part: options.part }),
        ...(options.rereads !== true && { lists }),
      });
      options.onPlan?.(survey);
      return { ...survey, ...(followed && options.rereads !== true && { followed }) };
    },
    service,
    journal,
    clock,
    random,
    dialect: resolveDialect(documents.service.value.dialect),
    watchDoubts,
    wait,
    pollEvery,
    stop,
    ...(approved && { approved }),
    ...(options.isOvertaken && { isOvertaken: options.isOvertaken }),
    ...(kept && { spool: kept }),
    onProgress,
  });
}

async function openStore({ world, effects, options }: Process): Promise<LedgerStore> {
  return options.openStore ? options.openStore(effects) : storeOf(world, effects);
}

/** Nobody requests to stop. */
function nobodyStops(): Stop {
  const { signal } = new AbortController();
  return { requested: 'no', draining: signal, signal };
}

/** Who watches a process: its trace and its progress. */
export interface Watchers {
  readonly trace?: (line: string) => void;
  readonly onProgress?: (progress: ProgressEvent) => void;
}

/** A plan of the world as it stands, made outside of any run. */
export async function planNow(...where: Parameters<typeof surveyNow>): Promise<Plan> {
  return (await surveyNow(...where)).plan;
}

/** The same with the reading that it is of. */
export async function surveyNow(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  watchers: Watchers & Pick<Reading, 'part' | 'lists'> = {},
): Promise<Survey> {
  const process = { world, effects: createEffects(), options: { process: 99 }, ...watchers };
  const { clock } = world;
  const service = serviceOf(rehearsal.documents, process, clock);
  const journal = await journalOf({ ...world, random: chance(99), options: process.options });
  const { documents, merged } = rehearsal;
  const planning = surveyOf({
    documents,
    ...(merged && { merged }),
    service,
    journal,
    clock,
    ...watchers,
    patient: false,
  });
  return clock.run(planning);
}

/**
 * A process that lets paused rollouts go on, as `unpause SCOPE --reason` does before all else.
 * Rejects as that does; ends early where it dies.
 */
export async function liftNow(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  options: RunOptions,
  flags: LiftFlags,
): Promise<void> {
  const { effects = createEffects() } = options;
  const lifting = liftWith(rehearsal, world, { ...options, effects }, flags);
  await world.clock.run(Promise.race([lifting, effects.died]));
}

/** A person who unpauses while a process is at work, as `unpause` does. */
async function liftBeside(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  { process, openStore }: Pick<RunOptions, 'process' | 'openStore'>,
  { at, ...flags }: ScriptedLift,
): Promise<void> {
  await world.clock.sleep(parseDuration(at ?? '') ?? 0);
  const by = { process: process + 3_000, ...(openStore && { openStore }) };
  await liftWith(rehearsal, world, { ...by, effects: createEffects() }, flags);
}

async function liftWith(
  { documents }: Rehearsal,
  world: RehearsalWorld,
  options: RunOptions & { readonly effects: Effects },
  flags: LiftFlags,
): Promise<void> {
  const { effects, process } = options;
  const clock = clockOf(world.clock, effects);
  const store = await openStore({ world, effects, options });
  const journal = await journalOf({ store, clock, random: chance(process), options });
  const who = `process ${process}`;
  await liftOn(journal, documents, { ...flags, who, now: clock.now() });
}

/** A person who pauses, as `pause` does, beside any process at work. */
export async function pauseNow(
  world: RehearsalWorld,
  options: Pick<RunOptions, 'process' | 'openStore'>,
  { scope, sites, reason, ticket, for: long, at }: ScriptedPause,
): Promise<void> {
  const { clock } = world;
  const by = { ...options, process: options.process + 2_000 };
  if (at !== undefined) await clock.sleep(parseDuration(at) ?? 0);
  const store = await openStore({ world, effects: createEffects(), options: by });
  const journal = await journalOf({ store, clock, random: chance(by.process), options: by });
  const now = clock.now();
  const order = {
    scope,
    who: 'Ada',
    why: reason,
    ...(sites && { sites: sites.map((id) => ({ id })) }),
    ...(ticket !== undefined && { ticket }),
    ...(long !== undefined && { until: now + (parseDuration(long) ?? 0) }),
  };
  await pauseOn(journal, order, now);
}

async function takeLease(journal: Journal, { process, lockWait = 0 }: RunOptions): Promise<void> {
  await journal.take({ waitMs: lockWait, takeOver: false, label: `process ${process}` });
}

/** A journal of a process, on any store. */
export function journalOf(of: {
  readonly store: LedgerStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: RunOptions;
  readonly onOutage?: ReturnType<typeof reportOutage>;
  readonly ground?: GroundKeeping | undefined;
}): Promise<Journal> {
  const { options, ground, ...ports } = of;
  const { process: pid, host = 'runner', leaseTtl } = options;
  return openJournal({
    ...ports,
    fingerprint: tenantFingerprint(TENANT),
    tool: '0.0.0',
    host,
    pid,
    processStartedAt: String(pid),
    isAlive: (other) => other === pid,
    ...(leaseTtl !== undefined && { leaseTtl }),
    ...(ground && { ground }),
  });
}

function serviceOf(
  documents: Rehearsal['documents'],
  { world, effects, options: { requestsPerSecond = 1_000 }, trace, onProgress }: Process,
  clock: Clock,
): Service {
  const send = transportTo(world);
  return createClient({
    transport: (request) =>
      effects.perform(
        `${request.method} ${new URL(request.url).pathname}`,
        () => send(request),
        new TransportError('sent', 'ECONNRESET'),
      ),
    clock,
    random: chance(0),
    baseUrl: 'https://twin.test',
    organization: world.twin.organization,
    credentials: () => Promise.resolve(CREDENTIALS),
    dialect: resolveDialect(documents.service.value.dialect),
    pace: { requestsPerSecond, tokenRequestsPerMinute: 60 },
    secrets: payloadSecrets,
    trace,
    onRetry: (retried) => onProgress?.({ type: 'waiting', reason: 'retrying', ...retried }),
  });
}

interface Reading extends Pick<Rehearsal, 'documents' | 'merged'> {
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly approved?: Approval | undefined;
  readonly part?: PartFlags;
  readonly onProgress?: (progress: ProgressEvent) => void;
  /** As `apply` is, and `plan` is not. */
  readonly patient: boolean;
  readonly lists?: Snapshot | undefined;
}

/** Read through the same front door as the command line, and planned. */
async function surveyOf(reading: Reading): Promise<Survey> {
  const { documents, service, journal, clock, approved, onProgress, patient } = reading;
  const { memory } = journal;
  const inputFor = (rows: Snapshot): PlannerInput => ({
    ...underPresentNames({ documents, memory }),
    snapshot: rows,
    ...(approved && { approved }),
    ...limited(reading, rows),
    now: clock.now(),
    dialect: resolveDialect(documents.service.value.dialect),
    expiresAfter: 86_400_000,
    inputs: inputsOf(rows, memory.head),
  });
  const snapshot = await readLiveFleet({
    service,
    clock,
    random: chance(0),
    onboards: documents.onboarding.size > 0,
    known: knownDevices(documents, memory),
    patient,
    lists: reading.lists,
    ...(onProgress && { onProgress }),
    needs: (rows) => needs(inputFor(rows)),
  });
  const asked = inputFor(snapshot);
  const input = { ...asked, ...approvalsIn(asked, reading.merged ?? []) };
  const planned = plan(input);
  const members = (select: Selector) => compileSelector(select, input);
  const judging = { ...input, members, pending: planned.pending };
  return { ...planned, plan: withVerdicts(planned.plan, judging), snapshot };
}

/** What the flags of a part name, within what was approved. */
function limited(
  { documents, approved, part }: Reading,
  rows: Snapshot,
): Pick<PlannerInput, 'part'> {
  const named = resolvePart(part ?? {}, [documents], rows);
  const common = commonPart(approved?.part && toPartIds(approved.part), named);
  return common ? { part: common } : {};
}

function clockOf(clock: Clock, effects: Effects): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => effects.perform('sleep', () => clock.sleep(ms, signal)),
  };
}
