import { listFirst } from '../lib/text-order.ts';
import type { AbsencesInput } from './absences.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { isOfIncident, listPolicies } from '../model/documents/policies.ts';
import type { Selector, SelectorKeys } from '../model/documents/policy.ts';
import { locateValue, type Sourced } from '../model/documents/source.ts';
import { bitsIn } from './bit-set.ts';
import { matchBits } from './matcher.ts';
import { compile, type ExplainUnclear } from './select.ts';
import { type Selecting, selectorsIn } from './selecting.ts';

/** What becomes of the devices of which it is unclear whether an entry selects them. */
type Taken = 'held' | 'frozen' | 'counted' | 'member' | 'leftOut' | 'laterWave';

interface Entry extends Selecting {
  readonly taken: Taken;
  /** The selectors of the policies that a wave concerns; absent: any device. */
  readonly of?: readonly Selector[];
}

interface UnclearInput extends Pick<
  AbsencesInput,
  'documents' | 'snapshot' | 'exceptions' | 'facets'
> {
  readonly explain: ExplainUnclear;
}

/** How many devices a warning names. */
const NAMED = 3;

/**
 * Warns of each entry of which it is unclear whether it selects some devices, and names them (semantics M20): what
 * protects takes them in, what acts leaves them out. Policies list such devices themselves.
 */
export function unclearSelectors(input: UnclearInput): readonly Diagnostic[] {
  const { snapshot, facets, explain } = input;
  const isAnyUnread = facets.rows.unreadable.values.length > 1;
  const mayBeUnclear = ({ firmwareVersion, group }: SelectorKeys = {}): boolean =>
    isAnyUnread || firmwareVersion !== undefined || group !== undefined;
  const entries = listEntries(input).filter(
    ({ select }) => mayBeUnclear(select) || mayBeUnclear(select.not),
  );
  if (entries.length === 0) return [];
  const match = matchBits(
    entries.map(({ select }) => select),
    facets,
  );
  const found = new Map<Entry, number[]>();
  for (let row = 0; row < facets.rows.length; row += 1)
    for (const index of bitsIn(match(row).unclear)) {
      const entry = entries[index];
      if (entry) found.set(entry, [...(found.get(entry) ?? []), row]);
    }
  return [...found].flatMap(([{ address, entry, pointer, select, taken, of }, unclear]) => {
    const concerned = of?.map((each) => compile(each, facets));
    const rows = concerned
      ? unclear.filter((row) => concerned.some((selects) => selects(row) !== false))
      : unclear;
    const [first] = rows;
    if (first === undefined) return [];
    const ids = rows.map((row) => snapshot.devices.at(row).id);
    const devices = listFirst(ids, NAMED);
    const more = { count: rows.length, devices, ...explain(select, first) };
    const params = { policy: address, problem: taken, ...more };
    const at = locateValue(entry, pointer);
    return [{ code: 'selectorUnclear', severity: 'warning', at, params }];
  });
}

/** The selectors that no policy lists the unclear devices of, each with what becomes of these. */
function listEntries({ documents, exceptions }: UnclearInput): readonly Entry[] {
  const opening = exceptions.filter(
    ({ value: { type } }) => type === 'allow' || type === 'expedite',
  );
  const [unexpired, leavesOut] = [exceptions, opening].map((all) => new Set<Sourced<unknown>>(all));
  const users = listPolicies(documents).map(({ value }) => value);
  return selectorsIn(documents).flatMap((each): readonly Entry[] => {
    const { section, address, entry } = each;
    if (isOfIncident(address) || leavesOut?.has(entry)) return [{ ...each, taken: 'leftOut' }];
    if (section === 'rollouts') {
      const of = users.flatMap((value) =>
        value.rollout === entry.name && value.section !== 'onboarding' ? [value.select] : [],
      );
      return [{ ...each, taken: 'laterWave', of }];
    }
    const taken = section === 'exceptions' && !unexpired?.has(entry) ? undefined : TAKEN[section];
    return taken ? [{ ...each, taken }] : [];
  });
}

const TAKEN: Readonly<Record<string, Taken>> = {
  groups: 'member',
  budgets: 'counted',
  freezes: 'frozen',
  exceptions: 'held',
};
