import { compareVersions } from '../../lib/version-order.ts';

/** What is left of an upgrade path for a device, seen from its installed version. */
export interface PathAhead {
  /** The steps to take, the target last. */
  readonly hops: readonly string[];
  /** Whether the path has begun: the service lists the installed version as one of its steps. */
  readonly begun: boolean;
  /** A step past the one after it: from there, the path would lead back. */
  readonly astray?: string;
  /** A step that the vendor's order cannot compare with the installed version, although it orders the target. */
  readonly unordered?: string;
}

/**
 * What is left of an upgrade path (semantics F11). A service may list the path of a whole model:
 * steps before the installed version, and steps that lead away from the target, are left out. On
 * the way to an older target, steps that are not older are.
 * @param installed the version that the device runs
 * @param path the steps as the service lists them, the target last
 */
export function findPathAhead(
  vendor: string | undefined,
  installed: string,
  path: readonly string[],
): PathAhead {
  const direction = (from: string, to: string): number | undefined => {
    const order = compareVersions(vendor, to, from);
    return order === undefined ? undefined : Math.sign(order);
  };
  const here = path.findIndex((hop) => direction(installed, hop) === 0);
  const rest = path.slice(here + 1);
  const begun = here >= 0;
  const goal = direction(installed, rest.at(-1) ?? installed);
  if (goal === undefined) return { hops: rest, begun };
  const hops = rest.filter((hop) => (direction(installed, hop) ?? goal) === goal);
  const astray = hops.find((hop, at) => direction(hop, hops[at + 1] ?? hop) === -goal);
  const unordered = hops.find((hop) => direction(installed, hop) === undefined);
  return {
    hops,
    begun,
    ...(astray !== undefined && { astray }),
    ...(unordered !== undefined && { unordered }),
  };
}
