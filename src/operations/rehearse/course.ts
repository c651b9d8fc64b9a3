import { createClient } from '../../api/client.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { WorldError } from '../../model/error.ts';
import type { Transport } from '../../model/ports.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { REHEARSER } from '../../rehearse/clone.ts';
import { ledgerInMemory } from '../../rehearse/ledger-in-memory.ts';
import { countOutages } from '../../rehearse/outages.ts';
import { NO_WAY, openSimulator, type SimulatorOptions } from '../../rehearse/simulator.ts';
import { createVirtualClock, type VirtualClock } from '../../rehearse/virtual-clock.ts';
import { createStopSignal } from '../../shell/stop-signal.ts';
import type { Output, Shell } from '../../shell/shell.ts';
import type { Fact } from '../../facts/fact.ts';
import { executeWith } from '../apply.ts';
import type { ServiceTarget } from '../target.ts';
import { factsInMemory } from './facts-in-memory.ts';
import { RunTally } from './course-tally.ts';
import { nextRun } from './next-run.ts';

export interface CourseInput extends Omit<SimulatorOptions, 'clock' | 'onRequest' | 'onOutage'> {
  readonly documents: Documents;
  readonly target: ServiceTarget;
  /** What the real ledger says. */
  readonly memory: Memory;
  readonly facts: readonly Fact[];
  readonly from: Instant;
  readonly until: Instant;
  /** The longest pause between two runs; a day if absent. */
  readonly atMost?: Milliseconds;
  /** The folder of the real run: git knows the commits of its documents. */
  readonly cwd: string;
  /** A request to stop ends the course before its next run. */
  readonly stop: Pick<Shell['stop'], 'requested'>;
  /** Receives the progress of the simulation. */
  readonly onTime: (now: Instant) => void;
}

export interface Course {
  readonly runs: number;
  readonly tally: RunTally;
  readonly requests: { readonly total: number; readonly busiestDay: number };
  /** The most devices that tasks kept down at once in each step, by site. */
  readonly outages: ReadonlyMap<string, readonly number[]>;
}

/**
 * Runs apply on a simulator of the fleet in virtual time, from one instant to another: again whenever
 * something may start, and at least once a day. It changes neither the service, the ledger nor the
 * facts of earlier runs. Throws `cut` after a request to stop.
 */
export async function runCourse(input: CourseInput): Promise<Course> {
  const { from, until } = input;
  const clock = createVirtualClock(from);
  const days = new Map<number, number>();
  const outages = countOutages(from, until);
  const ledger = ledgerInMemory(input.memory.head);
  const stop = createStopSignal();
  const transport = openSimulator({
    ...input,
    clock,
    onRequest: (at) => count(days, Math.floor((at - from) / DAY)),
    onOutage: outages.note,
  });
  void clock.sleep(until - from).then(() => stop.request());
  const facts = factsInMemory(input.facts);
  const tally = new RunTally(input.memory.intents, until);
  let runs = 0;
  while (clock.now() < until && stop.requested === 'no') {
    if (input.stop.requested !== 'no') throw new WorldError('cut', { cause: 'cancelled' });
    const shell = createShell(input, { clock, stop, pid: (runs += 1) });
    const seen = ledger.records.length;
    let report: RunReport | undefined;
    const life = executeWith({
      shell,
      documents: input.documents,
      ...connectTo(input, shell, transport),
      judgedBy: 'rehearsed',
      expiresAfter: DAY,
      lockWait: 0,
      takeOver: true,
      format: 'none',
      command: 'apply',
      inMemory: { ledger, memory: input.memory, facts },
      onReport: (each) => (report = each),
    });
    const failed = await clock.run(life.then(() => undefined, errorCode));
    const records = ledger.records.slice(seen);
    tally.see(report, records);
    if (failed !== undefined) count(tally.ended, failed);
    input.onTime(clock.now());
    const { documents, atMost = DAY } = input;
    const next = nextRun(report, { documents, now: clock.now(), atMost });
    clock.skip(Math.max(0, Math.min(until, next) - clock.now()));
  }
  return { runs, tally, requests: sumDays(days), outages: outages.counts() };
}

function sumDays(days: ReadonlyMap<number, number>): Course['requests'] {
  const all = [...days.values()];
  const total = all.reduce((sum, each) => sum + each, 0);
  return { total, busiestDay: Math.max(0, ...all) };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const DAY: Milliseconds = 86_400_000;

function errorCode(error: unknown): string {
  if (error instanceof WorldError) return error.code;
  throw error;
}

/** A shell that reaches nothing: no environment, no files of its own, no way to the service. */
function createShell(
  { cwd, seed }: CourseInput,
  { clock, stop, pid }: { clock: VirtualClock; stop: Shell['stop']; pid: number },
): Shell {
  const silent: Output = { write: () => undefined, isTerminal: false, columns: 80 };
  return {
    env: {},
    cwd,
    out: silent,
    err: silent,
    ask: undefined,
    clock,
    random: chance(seed * 10_007 + pid),
    stop,
    isQuiet: true,
    identity: {
      host: 'rehearsal',
      pid,
      startedAt: String(pid),
      label: 'rehearsal',
      isAlive: () => false,
    },
    openTransport: () => Promise.resolve({ transport: NO_WAY, close: () => Promise.resolve() }),
  };
}

function connectTo(
  { documents, target, dialect, seed }: CourseInput,
  shell: Shell,
  transport: Transport,
) {
  const { organization, pace } = documents.service.value;
  const client = createClient({
    transport,
    clock: shell.clock,
    random: chance(seed),
    baseUrl: 'https://rehearsal.invalid',
    organization,
    credentials: () => Promise.resolve(REHEARSER),
    dialect,
    pace,
    // Secrets of payloads stay where they are: the simulator takes any.
    secrets: () => 'rehearsal',
    hurry: shell.stop.draining,
    signal: shell.stop.signal,
  });
  const nothing = (): undefined => undefined;
  return { client, target, dialect, onProgress: nothing, close: () => Promise.resolve() };
}

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
