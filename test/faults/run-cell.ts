import { exitOfError, exitOfRun } from '../../src/cli/exit.ts';
import { loadTexts } from '../../src/config/load.ts';
import { accept } from '../../src/ledger/acceptor.ts';
import { fold } from '../../src/ledger/fold.ts';
import { WorldError } from '../../src/model/error.ts';
import type { RunReport } from '../../src/model/outcome.ts';
import type { Documents } from '../../src/model/policy.ts';
import type { Fault } from '../../src/twin/fault.ts';
import { planNow, runOnce, type Ran } from '../support/rehearsal.ts';
import { admitted, doneTwice } from '../support/rehearsal-laws.ts';
import {
  createWorld,
  type Rehearsal,
  type RehearsalWorld,
  type Script,
} from '../support/rehearsal-world.ts';
import type { Cell } from './cells.ts';
import type { Injection } from './classes.ts';
import { inject, type Aim } from './inject.ts';

export interface CellResult {
  readonly name: string;
  /** What is declared of a cell: rows of POSTs, how the run with the fault ended, and how it all ended. */
  readonly outcome: string;
  /** Laws that the cell broke. */
  readonly broken: readonly string[];
}

const FLEET = `
service: { baseUrl: https://twin.test, organization: acme }
budgets:
  default-site: { per: site, maxUnavailable: 100% }
rollouts:
  at-once: { canary: none, waves: [{ name: all, percent: 100% }] }
firmware:
  axis: { select: { vendor: Axis }, version: 11.11.160, rollout: at-once, windows: anytime }
`;
const SCRIPT: Script = {
  about: 'four cameras that want a newer firmware: one alone, then three in a batch',
  devices: 4,
  sites: 1,
  every: {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    maintenance: false,
  },
  runs: [{}],
};

const REHEARSAL: Rehearsal = { name: 'faults', script: SCRIPT, documents: documentsOf(FLEET) };
const DAY_MS = 86_400_000;
/** Longer than a task may wait, work and be verified, with half an hour of a service that is away. */
const LONGEST_RUN_MS = 3 * 3_600_000;

/** Runs one cell in virtual time: the run with the fault, then two in peace, a day apart. */
export async function runCell(cell: Cell, nth: 1 | 'every'): Promise<CellResult> {
  const fresh = createWorld({ ...SCRIPT, faults: taskFaults(cell.fault.injection) });
  const broken: string[] = [];
  if (cell.phase === 'resume') await interrupted(fresh);
  const aim = aimOf(cell, nth);
  const injected = inject(fresh, cell.fault.injection, aim);
  const began = fresh.clock.now();
  const faulted = await attempt(injected.world, cell, broken);
  if (fresh.clock.now() - began > LONGEST_RUN_MS)
    broken.push(`it took ${Math.round((fresh.clock.now() - began) / 60_000)} minutes`);
  injected.disarm();
  fresh.store.troubles.length = 0;
  const last = await inPeace(fresh, broken);
  if (cell.fault.id !== 'accepted twice') {
    broken.push(...doneTwice(fresh.twin.world).map((what) => `done twice: ${what}`));
  }
  const { records } = fresh.store;
  broken.push(...accept(records).map(({ rule, subject }) => `${rule}: ${subject}`));
  const told = admitted(last);
  const untold = fold(records)
    .open()
    .filter(({ device }) => !told.has(device));
  broken.push(...untold.map(({ id }) => `open and untold: ${id}`));
  const rows = records.flatMap(({ body }) => (body.type === 'RESULT' ? [body.row] : []));
  if (injected.hits === 0) broken.push('the fault was never met');
  const stopped = records.some(({ body }) => body.type === 'STOP') ? '; stopped' : '';
  const outcome = `${faulted}; rows ${[...new Set(rows)].sort().join(' ')}; in the end ${endOf(fresh)}${stopped}`;
  return { name: cell.name, outcome, broken };
}

/** The first process dies once its first POST, for one device alone, has been accepted. */
async function interrupted(world: RehearsalWorld): Promise<void> {
  const stopAt = { n: 1, what: 'POST /v1/tasks', when: 'after' } as const;
  await runOnce(REHEARSAL, world, { process: 1, stopAt });
}

function aimOf({ fault, endpoint, phase }: Cell, nth: 1 | 'every'): Aim {
  if (endpoint === 'ledger store') {
    const append = { of: APPENDS[phase], trouble: fault.store ?? 'fails' };
    return { endpoint, nth, from: 'start', append };
  }
  const isBatch = endpoint === 'create task' && phase === 'apply' && nth === 1;
  return { endpoint, nth: isBatch ? 2 : nth, from: phase === 'verify' ? 'completed' : 'start' };
}

/** The append that a phase is about: writing ahead, writing what came of it, or taking the lease. */
const APPENDS: Readonly<Record<Cell['phase'], RegExp>> = {
  plan: /^$/,
  apply: /^ATTEMPT$/,
  verify: /^SETTLED$/,
  resume: /^LOCK$/,
};

async function attempt(world: RehearsalWorld, { phase }: Cell, broken: string[]): Promise<string> {
  try {
    if (phase === 'plan') {
      const { counts } = await planNow(REHEARSAL, world);
      return `plans ${counts.run}`;
    }
    return endOfRun(
      await runOnce(REHEARSAL, world, { process: phase === 'resume' ? 2 : 1 }),
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

function documentsOf(text: string): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}
