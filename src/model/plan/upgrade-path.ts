import { compareVersions } from '../../lib/version-order.ts';
import type { Values } from './plan.gen.ts';

/** What is left of an upgrade path for a device, seen from its installed version. */
export interface PathAhead {
  /** The steps to take, the target last. */
  readonly hops: readonly string[];
  /** Whether the path has begun: the service lists the installed version as one of its steps. */
  readonly begun: boolean;
  /** A step past the one after it: from there, the path would lead back. */
  readonly astray?: string;
  /** Two versions of the path of which it is unclear whether the second is newer, although the target is. */
  readonly unordered?: readonly [string, string];
}

/**
 * What is left of an upgrade path (semantics F11). A service may list the path of a whole model:
 * steps before the installed version, and steps that lead away from the target, are left out. On
 * the way to an older target, steps that are not older are.
 * @param stated the order of versions that documents state (semantics M21)
 * @param path the steps as the service lists them, the target last
 */
export function findPathAhead(
  {
    vendor,
    firmwareVersion: installed,
    stated,
  }: {
    readonly vendor?: string;
    readonly firmwareVersion: string;
    readonly stated?: readonly string[] | undefined;
  },
  path: readonly string[],
): PathAhead {
  const direction = (from: string, to: string): number | undefined => {
    const order = compareVersions(vendor, to, from, stated);
    return order === undefined ? undefined : Math.sign(order);
  };
  const here = path.findIndex((hop) => direction(installed, hop) === 0);
  const rest = path.slice(here + 1);
  const begun = here >= 0;
  const goal = direction(installed, rest.at(-1) ?? installed);
  if (goal === undefined) return { hops: rest, begun };
  const hops = rest.filter((hop) => (direction(installed, hop) ?? goal) === goal);
  const astray = hops.find((hop, at) => direction(hop, hops[at + 1] ?? hop) === -goal);
  const unordered = hops
    .flatMap((hop, at) => [[installed, hop] as const, [hops[at - 1] ?? installed, hop] as const])
    .find(([from, to]) => direction(from, to) === undefined);
  return {
    hops,
    begun,
    ...(astray !== undefined && { astray }),
    ...(unordered && { unordered }),
  };
}

/**
 * The values after the next step. If it is not the last one, they include the versions in between
 * and the final version.
 */
export function afterHop([hop = '', ...later]: readonly string[]): Values {
  const final = later.at(-1);
  if (final === undefined) return { firmwareVersion: hop };
  const between = later.slice(0, -1).join(', ');
  return { firmwareVersion: hop, ...(between && { via: between }), finalVersion: final };
}

/** How many tasks a change still takes: the steps of its upgrade path. */
export function countSteps({ after }: { readonly after: Values }): number {
  const { finalVersion, via } = after;
  if (finalVersion === undefined) return 1;
  return 2 + (typeof via === 'string' ? via.split(', ').length : 0);
}

/** The version before an upgrade and the one at the end of its path, from what a change shows. */
export function readPath({ before, after }: Record<'before' | 'after', Values>): {
  readonly from: string | undefined;
  readonly final: string | undefined;
} {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const { finalVersion, firmwareVersion: next } = after;
  return { from: text(before.firmwareVersion), final: text(finalVersion ?? next) };
}
