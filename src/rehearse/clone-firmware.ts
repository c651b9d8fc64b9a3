import { groupBy } from '../lib/group-by.ts';
import { compareVersions } from '../lib/version-order.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { Device } from '../model/fleet/device.ts';
import { findPathAhead } from '../model/plan/upgrade-path.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { GivenTargets, ProductLine } from '../twin/world/state.ts';

/** The versions that documents want on a model, for models whose approved firmware was not read. */
export type WantedVersions = (vendor: string, model: string) => readonly string[];

/** The firmware of a clone, and how many versions of models were answered from the documents alone. */
interface ClonedFirmware {
  readonly lines: readonly ProductLine[];
  readonly assumed: number;
}

/**
 * One product line per vendor and model: what was read of any device of it, and the steps that follow
 * from that; for a version without a reading, the targets of the model's other versions, else what the
 * documents want, in one step.
 */
export function cloneFirmware(
  devices: readonly Device[],
  facts: Snapshot['facts'],
  wanted: WantedVersions,
): ClonedFirmware {
  let assumed = 0;
  const models = groupBy(devices, ({ vendor = '', model = '' }) => JSON.stringify([vendor, model]));
  const lines = [...models.values()].map((all): ProductLine => {
    const { vendor = '', model = '', lifeCycle = 'unknown' } = all[0] ?? {};
    const read = targetsRead(all, facts);
    const finals = unique([...read.values()].flatMap((paths) => paths.map(last)));
    const versions = unique(all.map(({ firmwareVersion = '' }) => firmwareVersion));
    const isOffered = all.some(({ available }) => available[TASK_OF.firmware] === true);
    for (const version of versions) {
      if (read.has(version) || !isOffered) continue;
      const newer = (finals.length > 0 ? finals : wanted(vendor, model)).filter((target) =>
        isNewer(vendor, target, version),
      );
      if (newer.length > 0) assumed += 1;
      read.set(
        version,
        newer.map((target) => [target]),
      );
    }
    addSteps(read);
    const approved = sorted(vendor, unique([...read.values()].flatMap((paths) => paths.map(last))));
    const releases = sorted(vendor, unique([...versions, ...read.keys(), ...approved]));
    const targets = [...read].map(([from, paths]): GivenTargets => ({ from, paths }));
    const life = LIFE_CYCLES.find((each) => each === lifeCycle) ?? 'unknown';
    const empty = { waypoints: [], flaws: [] };
    return { vendor, models: [model], releases, approved, ...empty, lifeCycle: life, targets };
  });
  return { lines, assumed };
}

const LIFE_CYCLES: readonly ProductLine['lifeCycle'][] = ['current_product', 'eol', 'eos'];

/** The paths from each version of a model that some device of it was read to have. */
function targetsRead(
  devices: readonly Device[],
  facts: Snapshot['facts'],
): Map<string, readonly (readonly string[])[]> {
  const read = new Map<string, readonly (readonly string[])[]>();
  for (const { id, vendor, firmwareVersion = '' } of devices) {
    const { targetFirmware } = facts(id);
    if (read.has(firmwareVersion) || !Array.isArray(targetFirmware)) continue;
    read.set(
      firmwareVersion,
      targetFirmware.map(({ version, hops }) => {
        const path = hops.at(-1) === version ? hops : [...hops, version];
        return findPathAhead({ ...(vendor !== undefined && { vendor }), firmwareVersion }, path)
          .hops;
      }),
    );
  }
  return read;
}

/** From each step of a path, the rest of every path through it is left. */
function addSteps(read: Map<string, readonly (readonly string[])[]>): void {
  const paths = [...read.values()].flat();
  for (const step of unique(paths.flat()).filter((version) => !read.has(version))) {
    const rests = paths.flatMap((path) => {
      const rest = path.slice(path.indexOf(step) + 1);
      return path.includes(step) && rest.length > 0 ? [[rest.join(' '), rest] as const] : [];
    });
    read.set(step, [...new Map(rests).values()]);
  }
}

function last(path: readonly string[]): string {
  return path.at(-1) ?? '';
}

/** Versions that cannot be compared are different ones, and different is newer. */
function isNewer(vendor: string, target: string, version: string): boolean {
  const order = compareVersions(vendor, target, version);
  return order === undefined ? target !== version : order > 0;
}

function sorted(vendor: string, versions: readonly string[]): readonly string[] {
  return versions.toSorted((a, b) => compareVersions(vendor, a, b) ?? 0);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
