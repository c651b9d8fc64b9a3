import { EFFECTS } from './effects/index.ts';
import { oneOf } from './shape-rules.ts';
import { WORLD, type WorldState } from './world/state.ts';

/**
 * The first error in data that should be a world, with its place; undefined if there is none. It
 * quotes no values, because a world contains secrets.
 */
export function findFlaw(world: unknown): string | undefined {
  return WORLD(world, '') ?? unknownTask(world as WorldState) ?? strangerIn(world as WorldState);
}

/** Finds a task of a type that the twin does not know. */
function unknownTask({ tasks }: WorldState): string | undefined {
  const known = oneOf(...Object.keys(EFFECTS));
  const found = tasks.map(({ type }, index) => known(type, `tasks[${index}].type`));
  return found.find((flaw) => flaw !== undefined);
}

/** Finds two items with one ID, or an item at a site that does not exist. */
function strangerIn({
  sites,
  sources,
  devices,
  discovered,
  tasks,
}: WorldState): string | undefined {
  const everybody = [...devices, ...discovered.map(({ device }) => device)];
  for (const [name, items] of Object.entries({ sites, sources, devices, tasks })) {
    const seen = new Set<unknown>();
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) return `${name}[${index}].id is there twice`;
      seen.add(id);
    }
  }
  const places = new Set(sites.map(({ id }) => id));
  const homeless = everybody.findIndex(({ siteId }) => !places.has(siteId));
  if (homeless < 0) return undefined;
  const isManaged = homeless < devices.length;
  const index = isManaged ? homeless : homeless - devices.length;
  return `${isManaged ? `devices[${index}]` : `discovered[${index}].device`}.siteId names no site`;
}
