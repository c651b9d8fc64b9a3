import { createHash, randomBytes } from 'node:crypto';
import type { DeviceState, Role, SourceState, TaskState, User } from '../world/state.ts';
import type { World } from '../world/world.ts';

const NAMES: Readonly<Record<Role, string>> = {
  admin: 'Ada Admin',
  operator: 'Otto Operator',
  viewer: 'Vera Viewer',
};

/**
 * One user for each role; the viewer sees only the given site. The credentials are random, or
 * derived from a seed: anyone with the seed can compute them.
 */
export function createUsers(viewerSiteId: number, seed?: number): readonly User[] {
  const user = (role: Role): User => {
    const bytes = seed === undefined ? randomBytes(32) : hashText(`${seed} ${role}`);
    return {
      userName: NAMES[role],
      role,
      clientId: `${role}-${bytes.toString('hex', 24, 28)}`,
      clientSecret: bytes.toString('base64url', 0, 24),
    };
  };
  return [user('admin'), user('operator'), { ...user('viewer'), siteIds: [viewerSiteId] }];
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(`credentials of a twin: ${text}`).digest();
}

export function seesSite(user: User, siteId: number): boolean {
  return user.siteIds === undefined || user.siteIds.includes(siteId);
}

/** The items that a user may see: the same list if all, else those on the user's sites. */
export function visibleItems<T>(
  user: User,
  items: readonly T[],
  siteOf: (item: T) => number,
): readonly T[] {
  if (user.siteIds === undefined) return items;
  return items.filter((item) => seesSite(user, siteOf(item)));
}

/** A device, if it exists and the user may see it. */
export function visibleDevice(world: World, user: User, id: string): DeviceState | undefined {
  const device = world.device(id);
  return device && seesSite(user, device.siteId) ? device : undefined;
}

/** A user sees a source if the user sees a device that it reports. */
export function visibleSources(world: World, user: User): readonly SourceState[] {
  if (user.siteIds === undefined) return world.state.sources;
  const reported = [...world.state.devices, ...world.state.discovered.map(({ device }) => device)]
    .filter((device) => seesSite(user, device.siteId))
    .flatMap((device) => device.sourceIds);
  const ids = new Set(reported);
  return world.state.sources.filter((source) => ids.has(source.id));
}

export function seesTask(user: User, task: TaskState): boolean {
  return task.deviceTasks.every((deviceTask) => seesSite(user, deviceTask.siteId));
}
