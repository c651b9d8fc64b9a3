import type { Documents } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import {
  ADOPTED_SECTIONS,
  type AdoptedEntry,
  type AdoptedSection,
} from '../model/report/adoption.ts';

/** An entry of the documents and the one that describes the fleet, where they differ. */
interface EntryDifference {
  readonly section: AdoptedSection;
  readonly name: string;
  /** What the documents say; absent where they lack the entry. */
  readonly existing?: Sourced<unknown>;
  /** What the fleet gives; absent where nothing in it is like the entry. */
  readonly fresh?: AdoptedEntry;
}

/**
 * Compares documents with the entries that describe the fleet, by their meaning: windows, rollouts
 * and other fields that a person adds are no difference. An entry that the fleet no longer gives is
 * one only where an import wrote it.
 * @param fresh the same entries, loaded
 */
export function compareEntries(
  existing: Documents,
  { entries, fresh }: { readonly entries: readonly AdoptedEntry[]; readonly fresh: Documents },
  isOwn: (entry: Sourced<unknown>) => boolean,
): readonly EntryDifference[] {
  const given = entries.filter(({ isProposal }) => isProposal !== true);
  return ADOPTED_SECTIONS.flatMap((section) => {
    const written: ReadonlyMap<string, Sourced<unknown>> = existing[section];
    const names = new Set(given.filter((each) => each.section === section).map(({ name }) => name));
    const changed = given.flatMap((entry): EntryDifference[] => {
      if (entry.section !== section) return [];
      const { name } = entry;
      const old = written.get(name);
      if (!old) return [{ section, name, fresh: entry }];
      return meaning(existing, section, name) === meaning(fresh, section, name)
        ? []
        : [{ section, name, existing: old, fresh: entry }];
    });
    const vanished = [...written.values()]
      .filter((entry) => isOwn(entry) && section !== 'windows' && !names.has(entry.name))
      .map((entry): EntryDifference => ({ section, name: entry.name, existing: entry }));
    return [...changed, ...vanished];
  });
}

/** The part of an entry that an import decides, as text. */
function meaning(documents: Documents, section: AdoptedSection, name: string): string {
  return JSON.stringify(MEANING[section](documents, name) ?? null);
}

const MEANING: Readonly<Record<AdoptedSection, (documents: Documents, name: string) => unknown>> = {
  sites: ({ sites }, name) => sites.get(name)?.value.timeZone,
  windows: () => undefined,
  groups({ groups }, name) {
    const group = groups.get(name)?.value;
    return group?.is === 'devices' ? group.devices.toSorted() : group?.select;
  },
  firmware({ firmware }, name) {
    const policy = firmware.get(name)?.value;
    return policy && [policy.select, policy.minVersion, policy.priority];
  },
  rotations({ rotations }, name) {
    const policy = rotations.get(name)?.value;
    if (!policy) return undefined;
    const { due } = policy;
    return [policy.task, policy.select, due];
  },
  onboarding: ({ onboarding }, name) =>
    onboarding
      .get(name)
      ?.value.devices.map(({ id }) => id)
      .toSorted(),
};
