import { statusOf } from '../../../src/twin/condition.ts';
import { OURS } from '../scene.ts';
import { cappedSets, type Capped } from './budgets.ts';
import { isOpen, type AttemptFile, type CaseFile, type ProcessFile } from './case-file.ts';
import { memberOf, type Member } from './selecting.ts';

const MINUTE = 60_000;

/** How long a device must have been down for every reading of a last look to show it. */
const SEEN_AFTER = 2 * MINUTE;

/** Maintenance is shown by the reading of the fleet that a run begins with. */
const SHOWN_AFTER = 6 * 60 * MINUTE;

/**
 * I6 at an ATTEMPT: of every capped set, what is down in truth for long enough to have been read so,
 * what has an open intent, what just ended unverified, and the whole batch. Devices that somebody
 * else touched a moment ago are left out: nobody can know of them yet.
 */
export function onAttemptDown(file: CaseFile, attempt: AttemptFile, by: ProcessFile): void {
  if (attempt.body.task === 'onboardDevice') return;
  const batch = new Set(attempt.body.intents.map(({ device }) => device));
  const down = downIn(file, batch);
  for (const { name, members, mostDown } of cappedSets(by.wishes, fleetOf(file))) {
    const before = members.filter(({ id }) => down.has(id));
    const added = members.filter(({ id }) => batch.has(id) && !down.has(id));
    if (added.length > 0 && before.length + added.length > mostDown)
      file.violate(
        'I6',
        `${name}: ${before.length} + ${added.length} of ${mostDown} (${added.map(({ id }) => id).join()}; down ${before.map(({ id }) => id).join()})`,
      );
  }
}

/** Everything down before the batch; its own members count by their status alone. */
function downIn(file: CaseFile, batch: ReadonlySet<string>): ReadonlySet<string> {
  const { world } = file.scene.twin;
  const now = file.scene.clock.now();
  const down = new Set<string>();
  const busy = foreignTasks(file);
  const isTold = !file.scene.has.has('staleReads');
  for (const device of isTold ? world.state.devices : []) {
    const isRestless = now - (file.touched.get(device.id) ?? -Infinity) < SEEN_AFTER;
    if (isRestless || busy.has(device.id)) continue;
    const age = now - (file.touched.get(device.id) ?? -Infinity);
    if (device.maintenance && age > SHOWN_AFTER) down.add(device.id);
    if (statusOf(device) !== 'online' && device.lastSeen < now - SEEN_AFTER) down.add(device.id);
  }
  for (const [id, intents] of file.byDevice) {
    const isHeld = intents.some(
      (intent) =>
        (isOpen(intent) && intent.task !== 'onboardDevice') ||
        (intent.standing === 'unverified' && now - intent.settledAt < 10 * MINUTE),
    );
    if (isHeld && !batch.has(id)) down.add(id);
  }
  return down;
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
  const down = world.state.devices.filter((device) => statusOf(device) !== 'online');
  if (down.length === 0) return;
  const ids = new Set(down.map(({ id }) => id));
  for (const { name, members, mostDown } of sets) {
    const count = members.filter(({ id }) => ids.has(id)).length;
    if (count > Math.max(mostDown, 0))
      file.violate('I6', `${name}: ${count} of ${mostDown} are down in truth`);
  }
}
