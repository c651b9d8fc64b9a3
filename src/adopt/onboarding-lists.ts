import { groupBy } from '../lib/group-by.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { AdoptedEntry, AdoptNotice, WrittenFields } from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';
import { isListable } from './listed-groups.ts';

interface OnboardingLists {
  readonly entries: readonly AdoptedEntry[];
  readonly notices: readonly AdoptNotice[];
}

const MOST_NAME = 500;

/**
 * A list for each source: the discovered devices that are managed. Those that only wait to be
 * onboarded are a proposal, since listing them would start tasks.
 */
export function onboardingLists(
  { discovered, devices }: Pick<Snapshot, 'discovered' | 'devices'>,
  {
    windows,
    names,
    isWanted,
    isListed,
  }: {
    readonly windows: string;
    readonly names: EntryNames;
    /** Whether lists are wanted; else the devices are only counted. */
    readonly isWanted: boolean;
    isListed(deviceId: string): boolean;
  },
): OnboardingLists {
  const entries: AdoptedEntry[] = [];
  let open = 0;
  for (const [source, found] of bySource(discovered)) {
    const listable = found.filter(({ id }) => isListable(id) && !isListed(id));
    const isManaged = ({ id }: DiscoveredDevice): boolean => devices.rowOf(id) !== undefined;
    const managed = listable.filter(isManaged);
    const ready = listable.filter(
      (each) => !isManaged(each) && each.onboardingStatus === 'readyToOnboard',
    );
    open += ready.length;
    const name = names.claim(source);
    const list = (rows: readonly DiscoveredDevice[]): WrittenFields => ({
      devices: rows.map(listedFields),
      windows,
    });
    if (managed.length > 0) entries.push({ section: 'onboarding', name, fields: list(managed) });
    if (ready.length > 0) {
      const isProposal = true as const;
      const proposal = names.claim(name, 'next');
      entries.push({ section: 'onboarding', name: proposal, fields: list(ready), isProposal });
    }
  }
  return {
    entries: isWanted ? entries : [],
    notices: open > 0 ? [{ code: 'notOnboarded', devices: open, isListed: isWanted }] : [],
  };
}

/** The ID decides; the name is for the reader, and left out where it cannot be written. */
function listedFields({ id, name }: DiscoveredDevice): WrittenFields {
  const isShown = name !== undefined && name !== '' && name.length <= MOST_NAME;
  return isShown ? { id, name } : { id };
}

function bySource(
  discovered: readonly DiscoveredDevice[],
): readonly (readonly [string, readonly DiscoveredDevice[]])[] {
  const lists = groupBy(discovered, ({ sources }) => {
    const source = sources?.[0];
    return source?.name ?? source?.id ?? 'discovered';
  });
  return [...lists]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([key, list]) => [key, list.toSorted((a, b) => compareTexts(a.id, b.id))] as const);
}
