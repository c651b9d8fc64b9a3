import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { POLICY_SECTIONS } from '../../model/documents/policy.ts';
import { toList, placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { error, errorWith } from '../findings.ts';

type PolicyEntry = AuthoredEntry<(typeof POLICY_SECTIONS)[number]>;

/** An earlier name as one policy writes it. */
interface Claim {
  readonly entry: PolicyEntry;
  readonly name: string;
  readonly below: string;
}

/**
 * An earlier name of a policy is of its own section, is the name of no policy now, and is claimed once (semantics M23):
 * else two policies would share one past.
 */
export function* renamesAreClear(fleet: AuthoredFleet): Generator<Diagnostic> {
  const entries = POLICY_SECTIONS.flatMap((section): readonly PolicyEntry[] => fleet.of(section));
  const present = new Map(entries.map((entry) => [entry.address, entry]));
  const first = new Map<string, Claim>();
  for (const claim of entries.flatMap(claimsOf)) {
    const { entry, name, below } = claim;
    const at = placeIn(entry, below);
    const [other, before] = [present.get(name), first.get(name)];
    const params = { policy: entry.address, name };
    if (sectionOf(name) !== sectionOf(entry.address))
      yield error('renameOfOther', at, { ...params, section: sectionOf(entry.address) });
    else if (other) yield errorWith('renameExists', [at, placeIn(other, '', 'key')], params);
    else if (before)
      yield errorWith('renameTwice', [at, placeIn(before.entry, before.below)], params);
    first.set(name, before ?? claim);
  }
}

function sectionOf(address: string): string {
  return address.split('.', 1)[0] ?? '';
}

function claimsOf(entry: PolicyEntry): readonly Claim[] {
  const { renamedFrom } = entry.value;
  if (renamedFrom === undefined || renamedFrom === 'none') return [];
  const isList = Array.isArray(renamedFrom);
  return toList<string>(renamedFrom).map((name, index) => {
    return { entry, name, below: isList ? `/renamedFrom/${index}` : '/renamedFrom' };
  });
}
