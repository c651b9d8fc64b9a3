import { connectivityStatus } from '../../../src/twin/world/connectivity.ts';
import { OURS } from '../scene.ts';
import { cappedSets, type Capped } from './budgets.ts';
import {
  isOpen,
  type AttemptFile,
  type CaseFile,
  type DeviceRead,
  type ProcessFile,
} from './case-file.ts';
import { memberOf, type Member } from './selecting.ts';

const MINUTE = 60_000;

/**
 * I6 at an ATTEMPT: of every capped set, what is down in truth since before it was read for the last time,
 * what has an open intent, what just ended unverified, and the whole batch. Devices that somebody
 * else touched a moment ago are left out: nobody can know of them yet.
 */
export function onAttemptDown(file: CaseFile, attempt: AttemptFile, by: ProcessFile): void {
  if (attempt.body.task === 'onboardDevice' || isSmaller(file, by)) return;
  const batch = new Set(attempt.body.intents.map(({ device }) => device));
  const down = downIn(file, batch, by);
  const held = new Set(heldDown(file));
  const isRotation = attempt.body.task.startsWith('rotate');
  for (const { name, members, mostDown, mostInHands } of cappedSets(by.wishes, fleetOf(file))) {
    const added = members.filter(({ id }) => batch.has(id));
    const staysUp = ({ deviceType }: Member): boolean =>
      isRotation && mostInHands !== undefined && deviceType === 'camera';
    const check = (before: ReadonlySet<string>, more: readonly Member[], most: number): void => {
      const first = members.filter(({ id }) => before.has(id));
      const rest = more.filter(({ id }) => !before.has(id));
      if (rest.length > 0 && first.length + rest.length > most)
        file.violate(
          'I6',
          `${name}: ${first.length} + ${rest.length} of ${most} (${rest.map(({ id }) => id).join()}; down ${first.map(({ id }) => id).join()})`,
        );
    };
    check(
      down,
      added.filter((member) => !staysUp(member)),
      mostDown,
    );
    if (added.some(staysUp)) check(held, added, mostInHands ?? 0);
  }
}

/** Devices are gone that the last list still had: whoever made his plan from it takes the sets for larger. */
function isSmaller({ scene, touched }: CaseFile, { lastListAt }: ProcessFile): boolean {
  const { world } = scene.twin;
  return [...touched].some(([id, at]) => at >= lastListAt && !world.device(id));
}

/**
 * Everything down before the batch. Its own members are down by the read that each was given just
 * now, whoever touched them and whatever happened since: I6 goes by reads, and a device that was
 * down when it was read costs its sets nothing more. What excuses a run from knowing that another
 * device is down (it was touched a moment ago, reads may be old copies) is no reason to take one of
 * its own for up.
 */
function downIn(file: CaseFile, batch: ReadonlySet<string>, by: ProcessFile): ReadonlySet<string> {
  const { reads } = by;
  const others = [...shownDown(file, by), ...heldDown(file)].filter((id) => !batch.has(id));
  return new Set([...others, ...[...batch].filter((id) => wasDown(reads.get(id)))]);
}

/** In truth, and since before the last look: it has to see them. */
function shownDown(file: CaseFile, { looks }: ProcessFile): readonly string[] {
  const { world } = file.scene.twin;
  const lookedAt = Math.min(...[...looks.values()].map(({ at }) => at));
  const busy = foreignTasks(file);
  if (file.scene.has.has('staleReads')) return [];
  const down = world.state.devices.filter((device) => {
    if ((file.touched.get(device.id) ?? -Infinity) >= lookedAt || busy.has(device.id)) return false;
    return (
      device.maintenance || (connectivityStatus(device) !== 'online' && device.lastSeen < lookedAt)
    );
  });
  return down.map(({ id }) => id);
}

/** By an open intent, or by one that just ended unverified. */
function heldDown(file: CaseFile): readonly string[] {
  const now = file.scene.clock.now();
  const held = [...file.byDevice].filter(([, intents]) =>
    intents.some(
      (intent) =>
        (isOpen(intent) && intent.task !== 'onboardDevice') ||
        (intent.standing === 'unverified' && now - intent.settledAt < 10 * MINUTE),
    ),
  );
  return held.map(([id]) => id);
}

function wasDown(read: DeviceRead | undefined): boolean {
  return read?.truth !== undefined && read.truth.status !== 'online';
}

function foreignTasks({ scene }: CaseFile): ReadonlySet<string> {
  const { tasks } = scene.twin.world.state;
  const foreign = tasks.filter(({ userName }) => userName !== OURS);
  return new Set(foreign.flatMap(({ deviceTasks }) => deviceTasks.map(({ deviceId }) => deviceId)));
}

export function fleetOf({ scene }: CaseFile): readonly Member[] {
  const { world } = scene.twin;
  return world.state.devices.map((device) => memberOf(world, device));
}

/** In truth, where devices fail by our attempts alone: the sets with more down than they may have. */
export function onCalmMoment(file: CaseFile, sets: readonly Capped[]): void {
  const { world } = file.scene.twin;
  const down = world.state.devices.filter((device) => connectivityStatus(device) !== 'online');
  if (down.length === 0) return;
  const ids = new Set(down.map(({ id }) => id));
  for (const { name, members, mostDown, mostInHands = 0 } of sets) {
    const count = members.filter(({ id }) => ids.has(id)).length;
    if (count > Math.max(mostDown, mostInHands))
      file.violate('I6', `${name}: ${count} of ${mostDown} are down in truth`);
  }
}
