import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/shell/clock.ts';
import { randomFrom, type SeededRandom } from '../../src/twin/world/random.ts';
import { createPlace, type Done, type Env, type Place, type Running } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';
import { PAYLOAD_SECRET } from '../support/canary.ts';
import { PAYLOAD_VARIABLE } from '../support/canary-run.ts';
import { prepare } from './documents.ts';
import { judged } from './judge.ts';

export interface LaneSettings {
  readonly seed: number;
  readonly store: 'directory' | 'git';
  /** Processes to kill before the fleet is left in peace. */
  readonly kills: number;
}

/** What one fleet went through, and what it ended as. */
export interface LaneResult extends LaneSettings {
  readonly killed: number;
  /** SIGSTOP and SIGCONT, with or without another run in between. */
  readonly stopped: number;
  readonly rivals: number;
  /** SIGINT, after which a run ends what it began. */
  readonly interrupted: number;
  readonly runs: number;
  readonly tasks: number;
  readonly inDoubt: number;
  /** Devices that the service was given a second task of one intent for. */
  readonly duplicates: readonly string[];
  /** Open intents that the last report does not tell of. */
  readonly untold: readonly string[];
  /** What else is wrong: a ledger that is not accepted, an exit code that must not be. */
  readonly problems: readonly string[];
  /** Where ledger, documents and world are kept of a fleet that something is wrong with. */
  readonly folder?: string;
}

/** What says that a run is at its work; anything may be happening between two of these. */
const MOMENTS = [/reading/i, /started: /];
/** How a run may end of which nothing more is to be expected; 7 where it had nothing to send. */
const ENDS = [0, 4, 5, 7];
const MOST_RUNS = 6;

/**
 * Applies to one fleet with real processes that are killed, stopped and overtaken at random
 * moments; then lets it end in peace and looks at what the service was asked to do.
 */
export async function runLane(settings: LaneSettings): Promise<LaneResult> {
  using place = createPlace();
  const random = randomFrom(settings.seed);
  prepare(place, settings);
  const twin = await startTwin(place, { devices: devicesFor(settings), world: 'world.json' });
  const lane: Lane = {
    place,
    random,
    env: { ...twin.as('admin'), [PAYLOAD_VARIABLE]: PAYLOAD_SECRET },
    killed: 0,
    stopped: 0,
    rivals: 0,
    interrupted: 0,
    runs: 0,
  };
  const problems: string[] = [];
  for (let calm = 0; lane.killed < settings.kills && calm < 2;) {
    const { code, err, isLeftAlone } = await disturbed(lane);
    if (code === 1 || code === 8 || code === 9) problems.push(`exit ${code}: ${err.slice(-600)}`);
    calm = isLeftAlone && ENDS.includes(Number(code)) ? calm + 1 : 0;
  }
  const last = await inPeace(lane, problems);
  await twin.stop();
  const result = { ...settings, ...lane, ...judged(place, settings, { last, problems }) };
  return isGood(result) ? result : { ...result, folder: kept(place) };
}

/** Nothing was done twice, left untold or is wrong otherwise. */
export function isGood({ duplicates, untold, problems }: LaneResult): boolean {
  return duplicates.length + untold.length + problems.length === 0;
}

/** A copy of all that a fleet left behind, for whoever looks for what went wrong. */
function kept({ folder }: Place): string {
  const copy = mkdtempSync(join(tmpdir(), 'fleetform-chaos-'));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Enough for something to be left to do at the last kill; no more, since what is left is done in peace. */
function devicesFor({ kills }: LaneSettings): number {
  return 20 + 3 * kills;
}

interface Lane {
  readonly place: Place;
  readonly random: SeededRandom;
  readonly env: Env;
  killed: number;
  stopped: number;
  rivals: number;
  interrupted: number;
  runs: number;
}

/**
 * One run of apply to which something happens. Few come to their end by themselves: what is done
 * leaves nothing to be killed at.
 */
async function disturbed(lane: Lane): Promise<Ended> {
  const { random } = lane;
  const run = start(lane);
  await moment(run, random);
  if (random.next() < 0.3) {
    lane.stopped += 1;
    run.signal('SIGSTOP');
    const rival = random.next() < 0.5 ? start(lane, '--take-over') : undefined;
    if (rival) await overtaken(lane, rival);
    else await systemClock.sleep(random.between(50, 600));
    run.signal('SIGCONT');
    if (rival) await endOf(lane, rival);
  }
  return endOf(lane, run);
}

/** A rival takes over while the other one stands still, and that wakes up while it is at work. */
async function overtaken(lane: Lane, rival: Running): Promise<void> {
  lane.rivals += 1;
  await moment(rival, lane.random);
}

type Ended = Done & { readonly isLeftAlone?: true };

/** Mostly it is killed; now and then asked to stop; rarely left to its end. */
async function endOf(lane: Lane, run: Running): Promise<Ended> {
  const chance = lane.random.next();
  if (chance < 0.85) return kill(lane, run);
  if (chance > 0.97) return { ...(await run.done), isLeftAlone: true };
  lane.interrupted += 1;
  run.signal('SIGINT');
  return run.done;
}

function start(lane: Lane, flags = ''): Running {
  lane.runs += 1;
  return lane.place.start(`apply --yes ${flags}`.trim(), lane.env);
}

/** Waits for something that a run says, or for its time, and then a little. */
async function moment(run: Running, random: SeededRandom): Promise<void> {
  const awaited = random.pick(MOMENTS);
  if (random.next() < 0.8) await Promise.race([run.says(awaited), run.done]).catch(() => undefined);
  await systemClock.sleep(random.next() < 0.5 ? random.between(0, 30) : random.between(0, 600));
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
