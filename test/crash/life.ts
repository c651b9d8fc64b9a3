import { fold } from '../../src/ledger/fold.ts';
import type { Lease } from '../../src/model/ledger/memory.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { Instant, Milliseconds } from '../../src/lib/time.ts';
import { LEASE_TTL } from '../../src/store/lease.ts';
import type { VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import type { StopPoint } from '../support/effects.ts';
import type { Ran, RunOptions } from '../support/rehearsal.ts';
import { createSteps } from '../support/rehearsal-steps.ts';
import type { GitLedger } from './git-ledger.ts';
import {
  createWorld,
  START,
  type Rehearsal,
  type RehearsalWorld,
  type ScriptedRun,
} from '../support/rehearsal-world.ts';

/**
 * Where a process that died is replaced: by another one on its machine, which sees that it is gone;
 * on another machine, which can judge the lease by its age alone; or there with the longer lease of
 * a ledger in git.
 */
export const HEIRS = ['same host', 'other host', 'git lease'] as const;
export type Heir = (typeof HEIRS)[number];

/** What becomes of one process of a rehearsal, and who comes after it. */
export interface Trouble {
  /** Which run of the script, from 0. */
  readonly run: number;
  readonly stopAt: StopPoint;
  readonly heir: Heir;
}

/** An effect, and which one of its process it was. */
export interface Step {
  readonly what: string;
  readonly n: number;
}

/** What a life is lived with, where that is not the rule. */
export interface Ways {
  /** Whether there is nothing left that further nights could bring; never without. */
  readonly isDone?: (world: RehearsalWorld) => boolean;
  /** A ledger in a real repository; in memory without. */
  readonly openLedger?: (clock: VirtualClock) => GitLedger;
}

/** A rehearsal lived through to its end, and past it until all is still. */
export interface Life {
  readonly world: RehearsalWorld;
  readonly effects: readonly string[];
  /** How many effects the process of each scripted run had. */
  readonly counts: readonly number[];
  /** The effects of each run that happened, with their numbers. */
  readonly steps: readonly (readonly Step[])[];
  readonly last: RunReport | undefined;
  /** How many records there were when the script had ended. */
  readonly scripted: number;
  /** What went wrong in our own code. */
  readonly failures: readonly Error[];
  /** What the last run appended, in a world where nothing had changed. */
  readonly tail: readonly string[];
  /** The lease that the dead process left behind, and when another was taken. */
  readonly inherited:
    { readonly lease: Lease; readonly at: Instant; readonly takenAt: Instant } | undefined;
}

/**
 * Runs after the script, with time between them, so that everything settles that ever will: soon,
 * then at the hour of the first run, when windows are open, and once more in an unchanged world.
 */
const SETTLING = ['soon', 'nightly', 'nightly', 'nightly', 'at once'] as const;

/**
 * Lives through the script and what settles after it. The process that meets its trouble is
 * replaced at once, with its memory lost and world and ledger kept; the next runs follow as they
 * would have. Further nights pass only until one of them had nothing to do in a world that `isDone`.
 */
export async function live(
  rehearsal: Rehearsal,
  trouble?: Trouble,
  { isDone = () => false, openLedger }: Ways = {},
): Promise<Life> {
  const world = createWorld(rehearsal.script);
  using ledger = openLedger?.(world.clock);
  const effects: string[] = [];
  const passed: Passed[] = [];
  let steps: Step[] = [];
  const onEffect = (what: string, n?: number): void => {
    effects.push(what);
    if (n !== undefined) steps.push({ what, n });
  };
  let process = 0;
  const take = createSteps(rehearsal, world);
  const begin: Begin = async (step, options = {}) => {
    const seed = (process += 1);
    const host = options.host ?? 'runner';
    steps = [];
    const ran = await take(step, {
      process: seed,
      leaseTtl: ledger ? LEASE_TTL.git : ttlOf(trouble),
      onEffect,
      isTraced: !trouble || trouble.stopAt.when === 'unwatched',
      ...(ledger && { openStore: (effects) => ledger.open({ host, seed, effects, onEffect }) }),
      ...options,
    });
    if (ledger) world.store.records = await ledger.records();
    return { ...ran, steps };
  };
  let [length, scripted] = [0, 0];
  let isStill = false;
  for (const [index, next] of [...rehearsal.script.runs, ...SETTLING].entries()) {
    if (next === 'nightly' && isStill) continue;
    const step = typeof next === 'string' ? settling(next, world) : next;
    ({ length } = world.store.records);
    passed.push(
      trouble?.run === index
        ? await passTrouble(trouble, step, { world, begin })
        : await begin(step),
    );
    if (index === rehearsal.script.runs.length - 1) scripted = world.store.records.length;
    isStill = next === 'nightly' && isQuiet(typesAfter(length, world)) && isDone(world);
  }
  return {
    world,
    effects,
    counts: passed.map((ran) => ran.effects),
    steps: passed.map(({ steps }) => steps),
    scripted,
    last: passed.at(-1)?.report,
    failures: passed.map(({ report }) => report?.failure).filter((one) => one !== undefined),
    tail: typesAfter(length, world),
    inherited: passed.find((ran) => ran.inherited)?.inherited,
  };
}

/** What a run appends that had nothing to do (I18). */
export function isQuiet(types: readonly string[]): boolean {
  return types.every((type) => ['LOCK', 'BEAT', 'RELEASE'].includes(type));
}

function typesAfter(length: number, { store }: RehearsalWorld): readonly string[] {
  return store.records.slice(length).map(({ body }) => body.type);
}

type Began = Ran & { readonly steps: readonly Step[] };
type Passed = Began & Partial<Pick<Life, 'inherited'>>;
type Begin = (step: ScriptedRun, options?: Partial<RunOptions>) => Promise<Began>;

/** A run whose process meets its trouble, and the one that follows it where that was its end. */
async function passTrouble(
  trouble: Trouble,
  step: ScriptedRun,
  { world, begin }: { readonly world: RehearsalWorld; readonly begin: Begin },
): Promise<Passed> {
  const ran = await begin(step, { stopAt: trouble.stopAt });
  if (ran.report) return ran;
  const lease = leaseOf(world);
  const at = world.clock.now();
  const next = await begin(againAs(step), heirOf(trouble, lease));
  const taken = world.store.records.find(({ epoch }) => epoch === (lease?.epoch ?? 0) + 1);
  return lease && taken
    ? { ...next, inherited: { lease, at, takenAt: Date.parse(taken.at) } }
    : next;
}

const DAY: Milliseconds = 86_400_000;

function settling(when: (typeof SETTLING)[number], { clock }: RehearsalWorld): ScriptedRun {
  if (when === 'at once') return {};
  if (when === 'soon') return { after: '40m' };
  const left = DAY - ((clock.now() - START) % DAY);
  return { after: `${Math.ceil(left / 60_000)}m` };
}

function leaseOf({ store }: RehearsalWorld): Lease | undefined {
  return store.records.length === 0 ? undefined : fold(store.records).lease;
}

/** The same command once more: what the world did before it is done, what was approved stays so. */
function againAs({ file, lift, watch, pollEvery }: ScriptedRun): ScriptedRun {
  return {
    ...(file && { file: 'again' as const }),
    ...(lift && { lift }),
    ...(watch !== undefined && { watch }),
    ...(pollEvery !== undefined && { pollEvery }),
  };
}

function heirOf({ heir }: Trouble, lease: Lease | undefined): Partial<RunOptions> {
  return heir === 'same host' ? {} : { host: 'another', lockWait: 3 * (lease?.ttl ?? 0) };
}

function ttlOf(trouble?: Trouble): Milliseconds {
  return trouble?.heir === 'git lease' ? LEASE_TTL.git : LEASE_TTL.directory;
}
