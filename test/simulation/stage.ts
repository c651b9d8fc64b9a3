import { createHash } from 'node:crypto';
import { createAuditor, type Auditor } from './auditor/audit.ts';
import { chanceOf } from './chance.ts';
import { appendWeather } from './ledger.ts';
import type { Fate } from './life.ts';
import { runProcess, type End, type Orders, type Surroundings } from './process.ts';
import { head, HOUR, type Scene } from './scene.ts';
import { wireTo } from './wire.ts';

/** Everything a story is told with. */
export interface Stage {
  readonly scene: Scene;
  readonly auditor: Auditor;
  readonly around: Surroundings;
  readonly ends: { readonly id: number; readonly end: End }[];
  readonly alive: Set<number>;
  /** Appends that somebody else was faster than. */
  readonly lost: { count: number };
  /** What `--trace` would write, in a world that keeps it. */
  readonly trace: readonly string[];
  /** Set by whoever wants to do something when a process has made a plan. */
  readonly onPlan: { call?: (process: number) => void };
  /** Notes a line of what happens. */
  say(what: string): void;
  /** Digest of all these lines. */
  digest(): string;
}

/** A trace is half as much work again: one world of so many keeps it, to be searched for secrets. */
const TRACED = 20;

/** Puts a scene on, with an auditor watching; `trace` hears every line of what happens. */
export function stageOf(scene: Scene, trace?: (line: string) => void): Stage {
  const auditor = createAuditor(scene);
  const { seed, has, clock, ledger, turnstile } = scene;
  const hash = createHash('sha256');
  const alive = new Set<number>();
  const lost = { count: 0 };
  const say = (what: string): void => {
    const line = `${new Date(clock.now()).toISOString()} ${what}`;
    hash.update(line);
    trace?.(line);
  };
  const weather = weatherOf(scene);
  const wire = wireTo(() => scene.twin, {
    clock,
    turnstile,
    slow: has.has('latency'),
    chance: chanceOf(seed, 'wire'),
    onServed: () => auditor.served(),
  });
  const onPlan: Stage['onPlan'] = {};
  const witness: Surroundings['witness'] = {
    ...auditor,
    asked(id, asked) {
      say(`${id} ${asked.method} ${asked.path}${asked.query}`);
      auditor.asked(id, asked);
    },
    planned(id, plan, from) {
      auditor.planned(id, plan, from);
      onPlan.call?.(id);
    },
    appended(id, types, outcome) {
      say(`${id} append ${types} ${outcome}`);
      if (outcome === 'lost') lost.count += 1;
      auditor.appended(id, types, outcome);
    },
  };
  const isAlive = (id: number): boolean => alive.has(id);
  const lines: string[] = [];
  const keep = seed % TRACED === 0 && { trace: (line: string) => void lines.push(line) };
  const around = { clock, ledger, weather, wire, witness, isAlive, ...keep };
  const digest = (): string => hash.copy().digest('hex').slice(0, 16);
  return { scene, auditor, around, ends: [], alive, lost, trace: lines, onPlan, say, digest };
}

/** The ledger's troubles end with phase one, as all others do. */
function weatherOf({ seed, has, calmed }: Scene): Surroundings['weather'] {
  const stormy = appendWeather(chanceOf(seed, 'appends'), {
    unknown: has.has('unknownAppends') ? 0.06 : 0,
    fails: has.has('failedAppends') ? 0.02 : 0,
    slow: has.has('slowAppends'),
  });
  return {
    delayMs: () => (calmed.is ? 20 : stormy.delayMs()),
    trouble: () => (calmed.is ? undefined : stormy.trouble()),
  };
}

/** Runs a process under the auditor's eyes. */
export async function run(stage: Stage, orders: Orders): Promise<End> {
  const { scene, auditor, alive, around, ends } = stage;
  const { id, approved, fate, takeOver } = orders;
  const isHasty = fate.signals.length > 1;
  const isSuspended = fate.pauses?.suspended === true;
  auditor.started({
    id,
    ...head(scene),
    approved,
    skewMs: fate.skewMs,
    takeOver,
    isHasty,
    isSuspended,
  });
  stage.say(`${id} starts`);
  alive.add(id);
  const end = await runProcess(orders, around);
  alive.delete(id);
  stage.say(`${id} ${wordsOf(end)}`);
  auditor.ended(id, end);
  ends.push({ id, end });
  return end;
}

function wordsOf(end: End): string {
  if (end.is === 'refused') return `refused ${end.why}`;
  if (end.is === 'died') return end.is;
  const { ended = 'done', counts, attempts, failure } = end.report;
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return `${ended} ${String(failure ?? '')} attempts ${attempts} ${JSON.stringify(Object.fromEntries(told))}`;
}

export function ordersOf({ scene }: Stage, id: number, fate: Fate): Orders {
  const { seed, has } = scene;
  const chance = chanceOf(seed, 'habits');
  return {
    id,
    seed,
    host: has.has('sharedHost') ? 'host' : `host ${id}`,
    documents: head(scene).documents,
    fate,
    waitMs: HOUR,
    takeOver: false,
    stayMs: 0,
    watchMs: 0,
    leaseTtl: chance.pick([90_000, 600_000]),
    pollEvery: chance.pick([60_000, 120_000, 300_000]),
    requestsPerSecond: chance.pick([1, 10, 1_000]),
  };
}
