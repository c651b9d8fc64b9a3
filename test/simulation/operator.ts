import type { DeviceState } from '../../src/twin/world/state.ts';
import type { Chance } from './chance.ts';
import { chanceOf } from './chance.ts';
import type { Feature } from './features.ts';
import { HOUR, OTHER, type Scene } from './scene.ts';

/** Something that somebody else does in the service's console, or that happens to a device. */
export interface Deed {
  readonly at: number;
  readonly what: Feature;
}

/**
 * What the outside does in phase one, in order of time: half of it at any time, and half while some run
 * that starts at one of these instants may be between a look and what it does on it.
 */
export function deedsOf({ seed, has, brief }: Scene, starts: readonly number[]): readonly Deed[] {
  const chance = chanceOf(seed, 'deeds');
  const kinds = kindsOf(has);
  const when = (): number =>
    chance.is(0.5)
      ? chance.int(brief.start, brief.end)
      : chance.pick(starts) + chance.magnitude(1_000, HOUR);
  return kinds
    .flatMap((what) =>
      Array.from({ length: chance.int(1, 4) }, () => ({
        at: when(),
        what,
      })),
    )
    .toSorted((a, b) => a.at - b.at);
}

function kindsOf(has: ReadonlySet<Feature>): readonly Feature[] {
  return (Object.keys(DEEDS) as Feature[]).filter((name) => has.has(name));
}

/**
 * What somebody does when a process has made its plan for the nth time, and has not looked again yet: a
 * moment that no clock would hit.
 */
export function interruptionOf(
  { seed, has }: Scene,
  process: number,
): { readonly nth: number; readonly what: Feature } | undefined {
  const chance = chanceOf(seed, `interruption ${process}`);
  const kinds = kindsOf(has);
  if (kinds.length === 0 || !chance.is(0.3)) return undefined;
  return { nth: chance.magnitude(1, 3), what: chance.pick(kinds) };
}

/** Does it; returns the devices that it touched and how long they may be restless after it. */
export function doDeed(
  scene: Scene,
  { what }: Pick<Deed, 'what'>,
  chance: Chance,
): readonly string[] {
  const { world } = scene.twin;
  const target = world.state.devices[chance.int(0, Math.max(0, world.state.devices.length - 1))];
  const act = DEEDS[what];
  if (!target || !act) return [];
  return act({ scene, target, chance, now: scene.clock.now() });
}

interface Act {
  readonly scene: Scene;
  readonly target: DeviceState;
  readonly chance: Chance;
  readonly now: number;
}

const DEEDS: Partial<Record<Feature, (act: Act) => readonly string[]>> = {
  upgradesByHand: ({ scene, target }) => {
    const { firmware } = scene.twin.world;
    const { targets } = firmware.facts(target.vendor, target.model, target.firmwareVersion);
    target.firmwareVersion = targets.at(-1)?.version ?? target.firmwareVersion;
    return [target.id];
  },
  downgradesByHand: ({ scene, target, chance }) => {
    const line = scene.twin.world.state.lines.find(
      ({ vendor, models }) => vendor === target.vendor && models.includes(target.model),
    );
    if (line) target.firmwareVersion = chance.pick(line.releases);
    return [target.id];
  },
  passwordsByHand: ({ target, now }) => {
    target.accounts = target.accounts.map((account) => ({ ...account, lastChanged: now }));
    return [target.id];
  },
  maintenance: ({ scene, target, chance }) => {
    target.maintenance = true;
    later(scene, chance.int(1, 30) * HOUR, () => (target.maintenance = false));
    return [target.id];
  },
  outages: ({ scene, target, chance, now }) => {
    const site = chance.is(0.3);
    const condition = chance.pick(['dark', 'dark', 'stuck', 'unknown'] as const);
    const struck = scene.twin.world.state.devices.filter((device) =>
      site ? device.siteId === target.siteId : device === target,
    );
    for (const device of struck) {
      device.condition = condition;
      if (condition !== 'stuck') device.lastSeen = now;
      later(scene, chance.int(1, 40) * HOUR, () => (device.condition = 'well'));
    }
    return struck.map(({ id }) => id);
  },
  renames: ({ target, chance }) => {
    target.name = `renamed-${chance.int(1, 999)}`;
    return [target.id];
  },
  removals: ({ scene, target }) => {
    const { world } = scene.twin;
    if (world.state.devices.length < 3) return [];
    world.state.devices = world.state.devices.filter((device) => device !== target);
    world.index();
    return [target.id];
  },
  ownTasks: ({ scene, target, chance }) => {
    const taskType = chance.pick(['restartDevice', 'rotatePassword', 'upgradeFirmware']);
    void post(scene, { taskType, devices: [{ deviceId: target.id }] });
    return [target.id];
  },
};

/** After so much time, whatever happens meanwhile. */
function later({ clock }: Scene, ms: number, act: () => void): void {
  void clock.sleep(ms).then(act);
}

/**
 * The operator's own request, with his own token; what comes of it is his business. Each goes to the service as it is
 * then: to one whose faults have ended meanwhile, the old one would make ids a second time.
 */
async function post(scene: Scene, body: unknown): Promise<void> {
  const url = (path: string): string => `https://twin.test${path}`;
  const send = (path: string, authorization: string, text: string): Promise<Response | undefined> =>
    scene.turnstile.pass(() =>
      scene.twin
        .handle(
          new Request(url(path), {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body: text,
          }),
        )
        .catch(() => undefined),
    );
  const basic = Buffer.from('o:o').toString('base64');
  const answer = await send('/v1/auth/acme', `Basic ${basic}`, '{}');
  if (answer?.status !== 200) return;
  const { access_token: token } = (await answer.json().catch(() => ({}))) as {
    access_token?: string;
  };
  if (token !== undefined) await send('/v1/tasks', `Bearer ${token}`, JSON.stringify(body));
}

/** The user of tasks that are not ours. */
export const FOREIGN = OTHER;
