import { exitOfError } from '../../src/shell/exit.ts';
import { exitOfRun } from '../../src/shell/exit-of-run.ts';
import { accept } from '../../src/ledger/acceptor.ts';
import { fold } from '../../src/ledger/fold.ts';
import { WorldError } from '../../src/model/error.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Fault } from '../../src/twin/faults/fault.ts';
import { planNow, runOnce, type Ran } from '../support/rehearsal.ts';
import { admitted, doneTwice } from '../support/rehearsal-laws.ts';
import { createWorld, type RehearsalWorld, type Script } from '../support/rehearsal-world.ts';
import { aimOf, firstCall } from './aim.ts';
import type { Cell } from './cells.ts';
import { REHEARSAL, SCRIPT } from './fleet.ts';
import type { Injection } from './classes.ts';
import { inject, type Aim, type Injected } from './inject.ts';

/**
 * Which call of a kind meets the fault: the first of its run (of a POST in `apply` the second, which
 * is for a batch), every one, or the last of a run without faults.
 *
 * What the last call comes to, where one would not expect it:
 * - `list`: it is the reading after the last task was verified. One that is refused for good ends the
 *   run with 1 though every device is done: nobody knows what is left. One that shows a device off its
 *   target again says so, in the place of its `verified`; what it does not show is not missed.
 * - `read device / apply`: it is in the last look for the batch. A bad answer has it made again, that of
 *   a refused certificate among them, for nothing was sent; after a 404 the next reading of the fleet
 *   finds the device again.
 * - `token / apply` has one call, before anything is known; `token / resume` has it while an earlier
 *   attempt is looked after, which waits for better answers, but for an organization that is not there.
 *   A quarter of an hour of patience is enough for that attempt to settle before there is a plan:
 *   three changes are left.
 * - `ledger store / verify`: what ended well and could not be written is open for whoever comes next.
 * - 403 to a POST is no failure of the devices: no rule stops by it, as one does by 404.
 * - A POST that was reset before its first byte is in doubt (P11) and stays so, for it did not happen and
 *   negative evidence settles nothing by default; one that was cut later has happened, which shows.
 */
export const VARIANTS = ['first', 'every', 'last'] as const;
export type Variant = (typeof VARIANTS)[number];

export interface CellResult {
  readonly name: string;
  /** What is declared of a cell: rows of POSTs, how the run with the fault ended, and how it all ended. */
  readonly outcome: string;
  /** Laws that the cell broke. */
  readonly broken: readonly string[];
  /** How long the run with the fault took, in virtual minutes. */
  readonly minutes: number;
  /** How many of the faults were met. */
  readonly met: number;
}

const DAY_MS = 86_400_000;

/**
 * How long a run may take: the deadlines of a firmware task, to wait, to work
 * and to be verified, and a tenth more. What the service told us to wait comes on top of it.
 */
export const LONGEST_MINUTES = 1.1 * (30 + 60 + 30);

/** More than that is not waited, whatever the service says (protocol P07). */
const LONGEST_WAIT_MINUTES = 15;

/** Runs one cell in virtual time: the run with the fault, then two in peace, a day apart. */
export async function runCell(cell: Cell, variant: Variant): Promise<CellResult> {
  const nth =
    variant === 'last' ? await lastCall(cell) : variant === 'every' ? 'every' : firstCall(cell);
  return runFaults([{ cell, nth }]);
}

/** A fault of one class, and which call of its endpoint and phase meets it. */
export interface Struck {
  readonly cell: Cell;
  readonly nth: Aim['nth'];
}

/** Runs the phase of the first cell with the faults of all. */
export async function runFaults(struck: readonly Struck[]): Promise<CellResult> {
  const name = struck.map(({ cell }) => cell.name).join(' + ');
  const faults = struck.flatMap(({ cell }) => taskFaults(cell.fault.injection));
  const fresh = createWorld({ ...SCRIPT, faults });
  const broken: string[] = [];
  const [first] = struck;
  if (!first) throw new Error('without a fault there is nothing to run');
  const { cell } = first;
  if (cell.phase === 'resume') await interrupted(fresh);
  const began = fresh.clock.now();
  const { world, injected } = injectAll(fresh, struck);
  const watched = (): unknown =>
    injected.map((one) => one.watched()).find((told) => told !== undefined);
  const faulted = await attempt(world, cell, { broken, watched });
  const minutes = (fresh.clock.now() - began) / 60_000;
  if (minutes > LONGEST_MINUTES + toldToWait(struck, injected))
    broken.push(`it took ${Math.round(minutes)} minutes`);
  for (const one of injected) one.disarm();
  fresh.store.troubles.length = 0;
  const last = await inPeace(fresh, broken);
  const twice = doneTwice(fresh.twin.world).filter((what) => !isLawful(what, struck));
  broken.push(...twice.map((what) => `done twice: ${what}`));
  broken.push(...untrue(fresh, last));
  if (injected.every(({ hits }) => hits === 0)) broken.push('the fault was never met');
  const { records } = fresh.store;
  const rows = records.flatMap(({ body }) => (body.type === 'RESULT' ? [body.row] : []));
  const stopped = records.some(({ body }) => body.type === 'STOP') ? '; stopped' : '';
  const outcome = `${faulted}; rows ${[...new Set(rows)].sort().join(' ')}; in the end ${endOf(fresh)}${stopped}`;
  const met = injected.filter(({ hits }) => hits > 0).length;
  return { name, outcome, broken, minutes, met };
}

function toldToWait(struck: readonly Struck[], injected: readonly Injected[]): number {
  const waits = struck.map(({ cell: { fault } }, nth) => {
    const { injection } = fault;
    const isTold = 'status' in injection && injection.status === 429 && injection.headers;
    return isTold ? (injected[nth]?.hits ?? 0) : 0;
  });
  return LONGEST_WAIT_MINUTES * waits.reduce((all, one) => all + one, 0);
}

/**
 * A service that takes one POST for two has done it twice, not we. Where somebody else undid what
 * was done on a device, it is wanted anew.
 */
function isLawful(twice: string, struck: readonly Struck[]): boolean {
  return struck.some(({ cell: { fault } }) => {
    if (fault.id === 'accepted twice') return true;
    const undone = 'disturbs' in fault.injection && fault.injection.disturbs;
    return undone && undone.type === 'outsider' && twice.includes(` ${undone.deviceId} `);
  });
}

/** The ledger is one that may be, and the last report tells of everything that is open in it. */
function untrue({ store }: RehearsalWorld, last: RunReport | undefined): readonly string[] {
  const told = admitted(last);
  const untold = fold(store.records)
    .open()
    .filter(({ device }) => !told.has(device));
  return [
    ...accept(store.records).violations.map(({ rule, subject }) => `${rule}: ${subject}`),
    ...untold.map(({ id }) => `open and untold: ${id}`),
  ];
}

function injectAll(
  fresh: RehearsalWorld,
  struck: readonly Struck[],
): { readonly world: RehearsalWorld; readonly injected: readonly Injected[] } {
  let world = fresh;
  const injected = struck.map(({ cell, nth }) => {
    const one = inject(world, cell.fault.injection, aimOf(cell, nth));
    ({ world } = one);
    return one;
  });
  return { world, injected };
}

const CALLS = new Map<string, Promise<number>>();

/** How many calls of the endpoint and phase of a cell an undisturbed run has. */
function lastCall(cell: Cell): Promise<number> {
  const key = `${cell.endpoint} ${cell.phase}`;
  const known = CALLS.get(key) ?? countCalls(cell);
  CALLS.set(key, known);
  return known;
}

async function countCalls(cell: Cell): Promise<number> {
  const fresh = createWorld(SCRIPT);
  if (cell.phase === 'resume') await interrupted(fresh);
  const injected = inject(fresh, cell.fault.injection, aimOf(cell, 'none'));
  await attempt(injected.world, cell, { broken: [], watched: () => undefined });
  return injected.seen;
}

/** The first process dies once its first POST, for one device alone, has been accepted. */
async function interrupted(world: RehearsalWorld): Promise<void> {
  const stopAt = { n: 1, what: 'POST /v1/tasks', when: 'after' } as const;
  await runOnce(REHEARSAL, world, { process: 1, stopAt });
}

interface Attempt {
  readonly broken: string[];
  /** What everybody who watches does. */
  readonly watched: () => unknown;
}

async function attempt(
  world: RehearsalWorld,
  { phase }: Cell,
  { broken, watched }: Attempt,
): Promise<string> {
  try {
    if (phase === 'plan') {
      const { counts } = await planNow(REHEARSAL, world, {
        trace: watched,
        onProgress: watched,
      });
      return `plans ${counts.run}`;
    }
    return endOfRun(
      await runOnce(REHEARSAL, world, {
        process: phase === 'resume' ? 2 : 1,
        isTraced: true,
        onTrace: watched,
        onProgress: watched,
      }),
      broken,
    );
  } catch (error) {
    if (error instanceof WorldError) return `${error.code}, exit ${exitOfError(error.code)}`;
    broken.push(`uncaught: ${String(error)}`);
    return 'uncaught';
  }
}

function endOfRun({ report }: Ran, broken: string[]): string {
  if (report === undefined) return 'refused before it began';
  if (report.failure && !(report.failure instanceof WorldError))
    broken.push(`a bug: ${String(report.failure.stack)}`);
  return `exit ${exitOfRun(report)} ${countsOf(report, broken)}`;
}

/** I7: the classes of a report add up to its plan. */
function countsOf({ counts, endings }: RunReport, broken: string[]): string {
  const sum = Object.values(counts).reduce((all, one) => all + one, 0);
  if (sum !== endings.length) broken.push(`${sum} counted of ${endings.length}`);
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([name, count]) => `${name} ${count}`).join(', ') || 'nothing';
}

async function inPeace(world: RehearsalWorld, broken: string[]): Promise<RunReport | undefined> {
  let last: RunReport | undefined;
  for (const process of [3, 4]) {
    world.clock.skip(DAY_MS);
    const { report } = await runOnce(REHEARSAL, world, { process });
    if (report?.failure) broken.push(`in peace: ${String(report.failure)}`);
    last = report;
  }
  return last;
}

/** Where the four devices ended in truth. */
function endOf({ twin }: RehearsalWorld): string {
  const ours = twin.world.state.devices.filter(({ id }) => /^dev-[1-4]$/.test(id));
  const there = ours.filter(({ firmwareVersion }) => firmwareVersion === '11.11.160');
  return `${there.length} of ${ours.length}`;
}

function taskFaults(injection: Injection): Script['faults'] & object {
  if (!('works' in injection)) return [];
  return [{ match: { deviceId: 'dev-1' }, fault: WORKS[injection.works] }];
}

const WORKS: Readonly<Record<'liar' | 'thankless' | 'vanished' | 'unknown60s', Fault>> = {
  liar: { type: 'liar' },
  thankless: { type: 'failingDevice', result: 'failed', effect: true },
  vanished: { type: 'vanishedTask' },
  unknown60s: { type: 'unknownTask', ms: 60_000 },
};
