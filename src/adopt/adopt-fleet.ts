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
import type { AdoptedEntry, AdoptNotice } from '../model/report/adoption.ts';
import { createNames, type EntryNames } from './entry-names.ts';
import { foldFirmware, type CoveredBy } from './fold-firmware.ts';
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
  const sites = siteEntries(snapshot, timeZone, existing?.sites);
  const firmware = foldFirmware({
    devices: snapshot.devices,
    windows,
    names: namesFor(existing?.firmware),
    groupNames,
    coveredBy: coverage(others(existing?.firmware), input),
  });
  const rotated = pickRotations({
    snapshot,
    isZoned: sites.isZoned,
    now,
    windows,
    names: namesFor(existing?.rotations),
    groupNames,
    coveredBy: (task) =>
      coverage(
        rotations.filter(({ value }) => value.task === task),
        input,
      ),
  });
  const names = namesFor(existing?.onboarding);
  const onboarding = onboardingLists(snapshot, windows, names, (id) => listed.has(id));
  const parts = [sites, firmware, rotated, onboarding];
  const first = windows === FIRST_WINDOW.name ? [FIRST_WINDOW] : [];
  return {
    entries: [...first, ...parts.flatMap(({ entries }) => entries)],
    notices: parts.flatMap(({ notices }) => notices),
  };
}

/** The window of every policy: `nights`, else the first of the documents. */
function chooseWindow(existing: Documents | undefined): string {
  const { name } = FIRST_WINDOW;
  if (!existing || existing.windows.has(name)) return name;
  return [...existing.windows.keys()].toSorted()[0] ?? name;
}

/** Finds the policy among these that selects a row. */
function coverage(
  policies: readonly Sourced<FirmwarePolicy | RotationPolicy>[],
  { snapshot, existing }: AdoptInput,
): CoveredBy {
  if (!existing) return () => undefined;
  const tests = policies.map(({ value: { address, select } }) => ({
    address,
    selects: compileSelector(select, { documents: existing, snapshot }),
  }));
  return (row) => tests.find(({ selects }) => selects(row) !== false)?.address;
}
