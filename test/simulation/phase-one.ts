import type { Plan } from '../../src/model/plan/plan.ts';
import { amend, amendmentsOf } from './amending.ts';
import { memberOf } from './auditor/selecting.ts';
import { nextStart } from './auditor/windows.ts';
import { chanceOf, type Chance } from './chance.ts';
import { fateOf, PLANNER } from './fates.ts';
import { deedsOf, doDeed, interruptionOf } from './operator.ts';
import { planOnly } from './process.ts';
import { commit, DAY, head, HOUR, type Scene } from './scene.ts';
import { ordersOf, run, type Stage } from './stage.ts';

/** Faults, kills, commits, and an operator: whatever happens, no invariant may break. */
export async function phaseOne(stage: Stage): Promise<void> {
  const { scene, auditor } = stage;
  const { seed, clock } = scene;
  const at = async (when: number, act: () => void | Promise<void>): Promise<void> => {
    await clock.sleep(Math.max(0, when - clock.now()));
    await act();
  };
  const chance = chanceOf(seed, 'deed');
  const starts = startsOf(scene);
  interrupt(stage, chanceOf(seed, 'interrupting'));
  await Promise.all([
    ...deedsOf(scene, starts).map((deed) =>
      at(deed.at, () => {
        stage.say(`operator ${deed.what}`);
        auditor.touched(doDeed(scene, deed, chance));
      }),
    ),
    ...amendmentsOf(scene).map((amendment) =>
      at(amendment.at, () => {
        stage.say(`commit ${amendment.what}`);
        commit(scene, amend(scene, amendment.what));
      }),
    ),
    ...starts.map((start, index) => at(start, () => runOne(stage, index + 1))),
  ]);
}

/** Lets the operator act in the middle of runs. */
function interrupt({ scene, auditor, onPlan, say }: Stage, chance: Chance): void {
  const plans = new Map<number, number>();
  onPlan.call = (id) => {
    plans.set(id, (plans.get(id) ?? 0) + 1);
    const { nth, what } = interruptionOf(scene, id) ?? {};
    if (what === undefined || plans.get(id) !== nth || scene.calmed.is) return;
    say(`operator ${what}, after plan ${nth} of ${id}`);
    auditor.touched(doDeed(scene, { what }, chance), scene.clock.now() - 1);
  };
}

/** When processes start: mostly where a window has just opened, and several at once. */
function startsOf(scene: Scene): readonly number[] {
  const { seed, has, brief, twin } = scene;
  const chance = chanceOf(seed, 'starts');
  const { wishes } = head(scene);
  const names = Object.keys(wishes.windows);
  const devices = twin.world.state.devices.map((device) => memberOf(twin.world, device));
  const first = Array.from({ length: chance.int(1, 3) }, () => {
    const from = chance.int(brief.start, brief.end);
    if (names.length === 0 || chance.is(0.3)) return from;
    const member = chance.pick(devices);
    return (
      (nextStart(wishes, [chance.pick(names)], member, { at: from, end: from + 9 * DAY }) ?? from) +
      chance.int(0, HOUR / 6)
    );
  });
  const besides = [has.has('secondRunner'), has.has('thirdRunner')].filter(Boolean).length;
  const others = first.flatMap((start) =>
    Array.from({ length: besides }, () => start + chance.magnitude(1, 40 * 60_000)),
  );
  return [...first, ...others].toSorted((a, b) => a - b);
}

/** One process of phase one, with a plan approved before it where somebody approves files. */
async function runOne(stage: Stage, id: number): Promise<void> {
  const { scene } = stage;
  const { seed, has } = scene;
  const chance = chanceOf(seed, `orders ${id}`);
  const approved = has.has('approvedFile') && chance.is(0.5) ? await approve(stage, id) : undefined;
  if (approved) await scene.clock.sleep(chance.magnitude(60_000, 12 * HOUR));
  await run(stage, {
    ...ordersOf(stage, id, fateOf(seed, id, has)),
    ...(approved && { approved }),
    takeOver: has.has('takeOver') && chance.is(0.5),
    waitMs: chance.pick([0, 60_000, 30 * 60_000]),
    stayMs: has.has('stays') && chance.is(0.5) ? chance.magnitude(HOUR / 6, 12 * HOUR) : 0,
    watchMs: has.has('watches') && chance.is(0.8) ? chance.magnitude(HOUR / 3, 4 * HOUR) : 0,
  });
}

async function approve(stage: Stage, id: number): Promise<Plan | undefined> {
  const planner = 1_000 + id;
  const orders = ordersOf(stage, planner, { signals: [], skewMs: 0, limitMs: DAY });
  stage.auditor.started({ id: planner, ...head(stage.scene), ...PLANNER });
  return planOnly(orders, stage.around).catch(() => undefined);
}
