import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/cli/clock.ts';
import { accept } from '../../src/ledger/acceptor.ts';
import { checkChain, EMPTY_HEAD } from '../../src/ledger/chain.ts';
import { fold } from '../../src/ledger/fold.ts';
import type { LedgerRecord } from '../../src/model/record.ts';
import { randomFrom, type Random } from '../../src/twin/random.ts';
import { createPlace, type Done, type Env, type Place, type Running } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

export interface LaneSettings {
  readonly seed: number;
  readonly store: 'directory' | 'git';
  readonly devices: number;
  /** Processes to kill before the fleet is left in peace. */
  readonly kills: number;
}

/** What one fleet went through, and what it ended as. */
export interface LaneResult extends LaneSettings {
  readonly killed: number;
  /** SIGSTOP and SIGCONT, with or without another run in between. */
  readonly stopped: number;
  readonly rivals: number;
  readonly runs: number;
  readonly tasks: number;
  readonly inDoubt: number;
  /** Devices that the service was given a second task of one intent for. */
  readonly duplicates: readonly string[];
  /** Open intents that the last report does not tell of. */
  readonly untold: readonly string[];
  /** What else is wrong: a ledger that is not accepted, an exit code that must not be. */
  readonly problems: readonly string[];
}

const LEDGER_BRANCH = 'fleetform-ledger';
/** What says that a run is at its work; anything may be happening between two of these. */
const MOMENTS = [/read|reading/i, /sending: /, /accepted: /, /completed/];
/** How a run may end of which nothing more is to be expected; 7 where it had nothing to send. */
const ENDS = [0, 4, 5, 7];
const MOST_RUNS = 6;

/**
 * Applies to one fleet with real processes that are killed, stopped and overtaken at random moments
 * (apply protocol 5.2); then lets it end in peace and looks at what the service was asked to do.
 */
export async function runLane(settings: LaneSettings): Promise<LaneResult> {
  using place = createPlace();
  const random = randomFrom(settings.seed);
  prepare(place, settings);
  const twin = await startTwin(place, { devices: settings.devices, world: 'world.json' });
  const lane: Lane = {
    place,
    random,
    env: twin.as('admin'),
    killed: 0,
    stopped: 0,
    rivals: 0,
    runs: 0,
  };
  const problems: string[] = [];
  for (let calm = 0; lane.killed < settings.kills && calm < 2;) {
    const { code, err } = await disturbed(lane);
    if (code === 1 || code === 8 || code === 9) problems.push(`exit ${code}: ${err.slice(-600)}`);
    calm = ENDS.includes(Number(code)) ? calm + 1 : 0;
  }
  const last = await inPeace(lane, problems);
  await twin.stop();
  return { ...settings, ...lane, ...judged(place, settings, { last, problems }) };
}

interface Lane {
  readonly place: Place;
  readonly random: Random;
  readonly env: Env;
  killed: number;
  stopped: number;
  rivals: number;
  runs: number;
}

/** One run of apply to which something happens. */
async function disturbed(lane: Lane): Promise<Done> {
  const { random } = lane;
  const run = start(lane);
  await moment(run, random);
  if (random.next() < 0.3) {
    lane.stopped += 1;
    run.signal('SIGSTOP');
    const rival = random.next() < 0.5 ? start(lane, '--take-over') : undefined;
    if (rival) lane.rivals += 1;
    await systemClock.sleep(random.between(50, 600));
    run.signal('SIGCONT');
    if (rival && random.next() < 0.5) await kill(lane, rival);
    else await rival?.done;
  }
  if (random.next() < 0.85) return kill(lane, run);
  return run.done;
}

function start(lane: Lane, flags = ''): Running {
  lane.runs += 1;
  return lane.place.start(`apply --yes ${flags}`.trim(), lane.env);
}

/** Waits for something that a run says, or for its time, and then a little. */
async function moment(run: Running, random: Random): Promise<void> {
  const awaited = random.pick(MOMENTS);
  if (random.next() < 0.8) await Promise.race([run.says(awaited), run.done]).catch(() => undefined);
  await systemClock.sleep(random.next() < 0.5 ? random.between(0, 30) : random.between(0, 900));
}

async function kill(lane: Lane, run: Running): Promise<Done> {
  run.signal('SIGKILL');
  const done = await run.done;
  if (done.code === 'SIGKILL') lane.killed += 1;
  return done;
}

/** Runs until nothing is left to be done; returns the last report. */
async function inPeace(lane: Lane, problems: string[]): Promise<Done> {
  for (let runs = 1; ; runs += 1) {
    const done = await lane.place.run('apply --yes --format json --take-over', lane.env);
    lane.runs += 1;
    if (ENDS.includes(Number(done.code)) && sentIn(done) === 0) return done;
    if (runs < MOST_RUNS && ENDS.includes(Number(done.code))) continue;
    problems.push(`in peace: exit ${done.code}: ${done.err.slice(-600)}`);
    return done;
  }
}

function sentIn({ out }: Done): number {
  return (JSON.parse(out) as { readonly attempts: number }).attempts;
}

interface World {
  readonly tasks: readonly {
    readonly type: string;
    readonly deviceTasks: readonly { readonly deviceId: string }[];
  }[];
}

function judged(
  place: Place,
  { store }: LaneSettings,
  { last, problems }: { readonly last: Done; readonly problems: readonly string[] },
): Pick<LaneResult, 'tasks' | 'inDoubt' | 'duplicates' | 'untold' | 'problems'> {
  const { tasks } = JSON.parse(place.read('world.json')) as World;
  const given = tasks.flatMap(({ type, deviceTasks }) =>
    deviceTasks.map(({ deviceId }) => `${type}/${deviceId}`),
  );
  const records = store === 'git' ? gitRecords(place) : directoryRecords(place);
  const violations = accept(records).map(
    ({ seq, rule, subject }) => `${rule} at ${seq}: ${subject}`,
  );
  const open = fold(records)
    .open()
    .map(({ task, device }) => `${task}/${device}`);
  return {
    tasks: tasks.length,
    inDoubt: open.length,
    duplicates: given.filter((one, nth) => given.indexOf(one) !== nth),
    untold: open.filter((change) => !last.out.includes(change)),
    problems: [...problems, ...violations, ...unchained(records)],
  };
}

function unchained(records: readonly LedgerRecord[]): readonly string[] {
  try {
    checkChain(records, EMPTY_HEAD);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function directoryRecords(place: Place): readonly LedgerRecord[] {
  const root = place.path('ledger/records');
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\d{9}\.json$/.test(name))
    .sort()
    .flatMap((name) => recordsIn(readFileSync(join(root, name), 'utf8')));
}

function gitRecords(place: Place): readonly LedgerRecord[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: place.path('origin.git'), encoding: 'utf8', stdio: 'pipe' });
  const commits = git('rev-list', '--reverse', LEDGER_BRANCH).trim().split('\n');
  return commits.flatMap((commit) => recordsIn(git('show', `${commit}:records.json`)));
}

function recordsIn(text: string): readonly LedgerRecord[] {
  return (JSON.parse(text) as { readonly records: readonly LedgerRecord[] }).records;
}

/** Documents that give every device one task, in small batches, and a ledger. */
function prepare(place: Place, { store, seed }: LaneSettings): void {
  const ledger =
    store === 'git'
      ? `{store: git, remote: origin, branch: ${LEDGER_BRANCH}}`
      : '{store: directory, path: ledger}';
  const task = seed % 2 === 0 ? 'rotateSslCertificate' : 'rotatePassword';
  rmSync(place.path('fleet'), { recursive: true });
  mkdirSync(place.path('fleet'));
  place.write(
    'fleet/fleet.yaml',
    `service:
  baseUrl: https://api.example.com
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: ${ledger}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
guardrails:
  default: {maxPercentOfFleet: 100%, maxChanges: 2000}
rollouts:
  at-once: {canary: none, batch: 2, maxInFlight: 6, waves: [{name: all, percent: 100%}]}
rotations:
  all: {task: ${task}, select: {vendor: "*"}, maxAge: 3650d, generation: 2, rollout: at-once, windows: anytime}
`,
  );
  if (store === 'git') prepareGit(place);
}

function prepareGit(place: Place): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: place.folder, stdio: 'pipe' });
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git('init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  git('init', '--quiet', '--initial-branch=main', '.');
  git('add', 'fleet');
  git(...person, 'commit', '--quiet', '-m', 'first');
  git('remote', 'add', 'origin', place.path('origin.git'));
  git('push', '--quiet', 'origin', 'main');
}
