/**
 * A part of a fleet, resolved to sorted IDs (semantics N35): policies by address, sites, devices. A
 * change belongs to it where each list that is given names it; an absent list limits nothing.
 */
export interface FleetPart {
  readonly policies?: readonly string[];
  readonly sites?: readonly string[];
  readonly devices?: readonly string[];
}

/** The part of a plan, for readers: with names, and what it leaves out (semantics N40). */
export interface PlanPart extends FleetPart {
  /** Names of its sites and devices, by ID; of those alone that have one. */
  readonly names: Readonly<Record<string, string>>;
  readonly outside: {
    /** Visible devices that are not in the part. */
    readonly devices: number;
    /** Changes outside the part that may start now. */
    readonly run: number;
    /** Decisions outside the part that wait for a read, which a plan of a part does not make. */
    readonly notRead: number;
  };
}

/** The part alone, for records and digests: IDs, no names. */
export function toPartIds({ policies, sites, devices }: FleetPart): FleetPart {
  return {
    ...(policies && { policies }),
    ...(sites && { sites }),
    ...(devices && { devices }),
  };
}

/**
 * What two parts have in common: nothing that either leaves out (semantics N35). Absent where
 * neither limits anything.
 */
export function commonPart(
  a: FleetPart | undefined,
  b: FleetPart | undefined,
): FleetPart | undefined {
  if (!a || !b) return a ?? b;
  const common = {
    ...both('policies', a, b),
    ...both('sites', a, b),
    ...both('devices', a, b),
  };
  return common;
}

function both(key: keyof FleetPart, a: FleetPart, b: FleetPart): FleetPart {
  const [first, second] = [a[key], b[key]];
  if (!first || !second) return first || second ? { [key]: first ?? second } : {};
  const others = new Set(second);
  return { [key]: first.filter((id) => others.has(id)) };
}

/** Whether two parts are the same. */
export function isSamePart(a: FleetPart | undefined, b: FleetPart | undefined): boolean {
  return JSON.stringify(a && toPartIds(a)) === JSON.stringify(b && toPartIds(b));
}
