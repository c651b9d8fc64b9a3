import type { Reason } from '../../src/model/plan/reason.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import { isOpen, type CaseFile, type IntentFile } from './auditor/case-file.ts';
import { allowed } from './amending.ts';
import { PLANNER, UNHARMED } from './fates.ts';
import { planOnly, type End } from './process.ts';
import { commit, DAY, endFaults, head, HOUR, type Scene } from './scene.ts';
import { ordersOf, run, type Stage } from './stage.ts';

/**
 * Runs after which a world that still moves is left alone: a large one is looked at less often, and one where
 * something is open more often, since it has to close.
 */
function mostRuns({ scene: { brief }, auditor: { file } }: Stage): number {
  if (stillOpen(file).length > 0) return 12;
  return brief.devices.length > 100 ? 4 : 6;
}

/** Records that a run in an unchanged world may append (I18). */
const LEASE = new Set(['LOCK', 'BEAT', 'RELEASE']);

/**
 * T_max of I20, but for the window: the deadlines of the slowest task and of its verification, the
 * quarantine of a doubt, and how late a lost request may run. Until then the world is not unchanged,
 * as long as the service works on something or an outcome is in doubt.
 */
const AT_REST = 3 * HOUR;

/** After so many runs in a row that wrote nothing, another one that comes soon would do the same. */
const STILL = 2;

/** Numbers of the processes of phase two start here. */
const FIRST = 101;

/**
 * Phase two: no fault, nobody else, no commit. Every intent closes or is reported in doubt, and then
 * nothing is left to run and nothing more is written (I20, I18).
 */
export async function settle(stage: Stage): Promise<void> {
  await calm(stage);
  const { scene, auditor } = stage;
  const { violate } = auditor.file;
  const atRest = scene.clock.now() + AT_REST;
  let id = FIRST;
  let report: RunReport | undefined;
  let next: number | undefined = scene.clock.now();
  let idle = 0;
  for (; next !== undefined && id < FIRST + mostRuns(stage); id += 1) {
    if (next > scene.clock.now()) scene.clock.skip(next - scene.clock.now());
    const before = scene.ledger.head.seq;
    const end = await run(stage, ordersOf(stage, id, UNHARMED));
    idle = writtenSince(scene, before).length > 0 ? 0 : idle + 1;
    if (end.is !== 'reported') return violate('I20', `${id}: ${whyNot(end)}`);
    ({ report } = end);
    if (report.ended !== undefined)
      return violate('I20', `${id}: ended ${report.ended} ${String(report.failure ?? '')}`);
    next = nextOf(report, { now: scene.clock.now(), isStill: idle >= STILL });
    if (next === undefined && scene.clock.now() < atRest && isMoving(scene, report)) next = atRest;
  }
  nothingOpen(stage);
  if (next === undefined && report) await nothingLeft(stage, id, { report, isIdle: idle > 0 });
}

/**
 * What the faults of phase one left standing comes to an end, and devices are as they should be. A request
 * that somebody left on the wire is answered first, by the twin that it was sent to.
 */
async function calm({ scene }: Stage): Promise<void> {
  while (!scene.turnstile.isEmpty) await scene.clock.sleep(1_000);
  endFaults(scene);
  const { world } = scene.twin;
  const { state } = world;
  for (const device of state.devices) {
    device.maintenance = false;
    if (device.condition !== 'well') device.condition = 'well';
  }
  for (const { deviceTasks } of state.tasks)
    for (const one of deviceTasks) {
      const isStuck = one.status === 'running' && one.steps[one.current]?.stuck === true;
      if (one.mishap === 'stuck') Object.assign(one, { mishap: undefined });
      for (const step of one.steps) Object.assign(step, { stuck: false });
      if (!isStuck) continue;
      one.status = 'completed';
      one.result = 'failed';
      delete state.busy[one.deviceId];
      const device = world.device(one.deviceId);
      if (device) device.silent = false;
    }
  commit(scene, allowed(head(scene).wishes, scene.clock.now() + 170 * DAY));
}

function whyNot(end: End): string {
  return end.is === 'refused' ? `refused ${end.why}` : end.is;
}

/**
 * When to run again: the first instant that something which waits names, and whatever else is named
 * within hours of it; or soon, where waits end by themselves. What only falls due with time is left.
 */
function nextOf(
  { endings, attempts }: RunReport,
  { now, isStill }: { readonly now: number; readonly isStill: boolean },
): number | undefined {
  const waiting = endings.filter(({ outcome }) => outcome === 'notStarted');
  const reasons = waiting.flatMap(({ reason }) => (reason && !isDistant(reason) ? [reason] : []));
  const instants = reasons.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const first = Math.min(...instants);
  if (instants.length > 0 && first < now + 60 * DAY) {
    const together = instants.filter((at) => at <= Math.max(first, now) + 2 * HOUR);
    return Math.max(now, ...together) + 1_000;
  }
  if (isStill) return undefined;
  const isOn = endings.some(({ outcome }) => ['timedOut', 'atWork', 'verified'].includes(outcome));
  const isSoon = attempts > 0 || isOn || reasons.some(({ code }) => SOON.has(code));
  return isSoon ? now + HOUR : undefined;
}

/** What nobody knows of yet may show itself: a lost answer's task runs, or one begins late. */
function isMoving({ twin }: Scene, { endings }: RunReport): boolean {
  return twin.world.state.events.length > 0 || endings.some(({ outcome }) => outcome === 'inDoubt');
}

/** Falls due by the calendar alone, some day; what backs off or cools down is near. */
function isDistant({ code, why }: Reason): boolean {
  return code === 'notDue' && why !== 'backoff' && why !== 'cooldown';
}

/** Waits that end by themselves, though nobody can say when. */
const SOON = new Set(['busy', 'waveNotOpen', 'gatePending', 'budgetExhausted', 'interrupted']);

function nothingOpen({ auditor: { file } }: Stage): void {
  for (const { task, device, standing } of stillOpen(file))
    file.violate('I20', `${task}/${device} is still ${standing}`);
}

/** Neither closed nor told to be in doubt. */
function stillOpen({ intents }: CaseFile): readonly IntentFile[] {
  return [...intents.values()].filter((one) => isOpen(one) && one.standing !== 'doubt');
}

interface LastRun {
  readonly report: RunReport;
  /** It wrote nothing. */
  readonly isIdle: boolean;
}

/**
 * A last run that had nothing to run and wrote nothing has shown both by itself; after any other there is
 * one more plan and one more run. Now and then there are three.
 */
async function nothingLeft(stage: Stage, from: number, last: LastRun): Promise<void> {
  const { scene, auditor } = stage;
  const { violate } = auditor.file;
  const isShown = last.isIdle && last.report.endings.every(({ change }) => change.action !== 'run');
  if (!isShown) {
    const planner = 2_000;
    auditor.started({ id: planner, ...head(scene), ...PLANNER });
    const plan = await planOnly(ordersOf(stage, planner, UNHARMED), stage.around);
    const left = [...plan.changes].filter(({ action }) => action === 'run');
    if (left.length > 0)
      violate('I20', `the plan still has ${left[0]?.id} to run (${left[0]?.reason.code})`);
  }
  let further = scene.seed % 10 === 0 ? 3 : Number(!isShown);
  for (let id = from; id < from + further; id += 1) {
    const before = scene.ledger.head.seq;
    await run(stage, ordersOf(stage, id, UNHARMED));
    const more = writtenSince(scene, before);
    const isLate = id === from && !last.isIdle && more.length > 0 && more.every(isSeen);
    if (isLate) further += 1;
    else if (more.length > 0) violate('I18', `${id} appends ${more.join(' ')}`);
  }
}

/** What the end of the last task means for its rollout is for the next reading to see: once, and no more. */
function isSeen(type: string): boolean {
  return type === 'SEEN';
}

/** Types of the records after this one, but for those of the lease. */
function writtenSince({ ledger }: Scene, seq: number): readonly string[] {
  return ledger.readAfter(seq).flatMap(({ body }) => (LEASE.has(body.type) ? [] : [body.type]));
}
