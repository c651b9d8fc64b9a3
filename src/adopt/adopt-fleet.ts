import { compileSelector } from '../desired/select.ts';
import type { Instant } from '../lib/time.ts';
import type {
  Documents,
  EntriesByName,
  FirmwarePolicy,
  RotationPolicy,
} from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { AdoptedEntry, AdoptNotice, AdoptSubject } from '../model/report/adoption.ts';
import { createNames, type EntryNames } from './entry-names.ts';
import { floors, PRIORITY, type IsCovered } from './floors.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';
import { onboardingLists } from './onboarding-lists.ts';
import { pickRotations } from './pick-rotations.ts';
import { siteEntries } from './site-entries.ts';

interface AdoptInput {
  readonly snapshot: Snapshot;
  readonly now: Instant;
  /** The zone of sites that have none in the documents. */
  readonly timeZone: string | undefined;
  /** The documents that exist; what they say wins. */
  readonly existing: Documents | undefined;
  /** Whether lists of discovered devices are wanted. */
  readonly onboards: boolean;
  /** Whether an earlier import wrote an entry, and this one describes it again. */
  isOwn(entry: Sourced<unknown>): boolean;
}

export interface AdoptedFleet {
  readonly entries: readonly AdoptedEntry[];
  readonly notices: readonly AdoptNotice[];
}

/** The window of a first fleet, as `init` writes it. */
const FIRST_WINDOW: AdoptedEntry = {
  section: 'windows',
  name: 'nights',
  fields: { allow: [{ days: 'tue-thu', from: '01:00', to: '05:00' }] },
};

/**
 * Describes a fleet as it is, so that a plan of the result starts nothing. What existing policies
 * select is left to them. The same fleet gives the same entries, in the same order.
 */
export function adoptFleet(input: AdoptInput): AdoptedFleet {
  const { snapshot, now, timeZone, existing } = input;
  const windows = chooseWindow(existing);
  const others = <T>(entries: EntriesByName<T> | undefined): readonly Sourced<T>[] =>
    [...(entries?.values() ?? [])].filter((entry) => !input.isOwn(entry));
  const namesFor = (entries: EntriesByName<unknown> | undefined): EntryNames =>
    createNames(others(entries).map(({ name }) => name));
  const groupNames = namesFor(existing?.groups);
  const rotations = others(existing?.rotations);
  const listed = new Set(
    others(existing?.onboarding).flatMap(({ value }) =>
      value.devices.flatMap(({ id }) => id ?? []),
    ),
  );
  const leftOut = createLeftOut();
  const sites = siteEntries(snapshot, timeZone, existing?.sites);
  const shared = { windows, groupNames, leftOut };
  const firmware = floors({
    ...shared,
    devices: snapshot.devices,
    names: namesFor(existing?.firmware),
    isCovered: coverage('firmware', others(existing?.firmware), { ...input, leftOut }),
  });
  const rotated = pickRotations({
    ...shared,
    snapshot,
    isZoned: sites.isZoned,
    now,
    names: namesFor(existing?.rotations),
    isCovered: ({ task, what }) =>
      coverage(
        what,
        rotations.filter(({ value }) => value.task === task),
        { ...input, leftOut },
      ),
  });
  const onboarding = onboardingLists(snapshot, {
    windows,
    names: namesFor(existing?.onboarding),
    isWanted: input.onboards,
    isListed: (id) => listed.has(id),
  });
  const first = windows === FIRST_WINDOW.name ? [FIRST_WINDOW] : [];
  return {
    entries: [...first, ...sites.entries, ...firmware, ...rotated, ...onboarding.entries],
    notices: [...sites.notices, ...leftOut.notices(), ...onboarding.notices],
  };
}

/** The window of every policy: `nights`, else the first of the documents. */
function chooseWindow(existing: Documents | undefined): string {
  const { name } = FIRST_WINDOW;
  if (!existing || existing.windows.has(name)) return name;
  return [...existing.windows.keys()].toSorted()[0] ?? name;
}

/**
 * Whether existing policies decide about all of some devices, or one of no higher priority than an imported one about any:
 * the two would tie.
 */
function coverage(
  what: AdoptSubject,
  policies: readonly Sourced<FirmwarePolicy | RotationPolicy>[],
  { snapshot, existing, leftOut }: AdoptInput & { readonly leftOut: LeftOut },
): IsCovered {
  if (!existing || policies.length === 0) return () => false;
  const tests = policies.map(({ value: { address, select, priority } }) => ({
    address,
    isLow: priority <= PRIORITY,
    selects: compileSelector(select, { documents: existing, snapshot }),
  }));
  return (rows) => {
    const found = rows.map((row) => tests.filter(({ selects }) => selects(row) !== false));
    const first = found.flat().find(({ isLow }) => isLow) ?? found[0]?.[0];
    const isCovered = first?.isLow === true || found.every((each) => each.length > 0);
    if (isCovered && first) leftOut.cover(what, first.address, rows.length);
    return isCovered;
  };
}
