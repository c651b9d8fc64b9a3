import { listFirst } from '../lib/text-order.ts';
import type { AbsencesInput } from './absences.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Selector, SelectorKeys } from '../model/documents/policy.ts';
import { listPolicies } from '../model/documents/policies.ts';
import { locateValue, type Sourced } from '../model/documents/source.ts';
import { bitsIn } from './bit-set.ts';
import { matchBits } from './matcher.ts';
import { compile, type ExplainUnclear } from './select.ts';

/** What becomes of the devices of which it is unclear whether an entry selects them. */
type Taken = 'held' | 'frozen' | 'counted' | 'member' | 'leftOut' | 'laterWave';

interface Entry {
  readonly address: string;
  readonly entry: Sourced<unknown>;
  readonly pointer: string;
  readonly select: Selector;
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
  const entries = [...listEntries(input)].filter(
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

function* listEntries({ documents, exceptions }: UnclearInput): Generator<Entry> {
  const { groups, budgets, freezes, incidents, rollouts } = documents;
  for (const entry of groups.values())
    if (entry.value.is === 'select')
      yield toEntry(`groups.${entry.name}`, entry, entry.value.select, 'member');
  for (const [section, entries, taken] of [
    ['budgets', budgets, 'counted'],
    ['freezes', freezes, 'frozen'],
  ] as const)
    for (const entry of entries.values())
      if (entry.value.select)
        yield toEntry(`${section}.${entry.name}`, entry, entry.value.select, taken);
  for (const entry of exceptions) {
    const isOpening = entry.value.type === 'allow' || entry.value.type === 'expedite';
    if (entry.value.select)
      yield toEntry(
        `exceptions.${entry.name}`,
        entry,
        entry.value.select,
        isOpening ? 'leftOut' : 'held',
      );
  }
  for (const entry of incidents.values())
    yield toEntry(`incidents.${entry.name}`, entry, entry.value.select, 'leftOut');
  for (const entry of rollouts.values()) {
    const users = listPolicies(documents).map(({ value }) => value);
    const of = users.flatMap((value) =>
      value.rollout === entry.name && value.section !== 'onboarding' ? [value.select] : [],
    );
    for (const [at, { slice }] of entry.value.waves.entries())
      if (slice.is === 'select') {
        const wave = toEntry(`rollouts.${entry.name}`, entry, slice.select, 'laterWave');
        yield { ...wave, pointer: `/waves/${at}/select`, of };
      }
  }
}

function toEntry(address: string, entry: Sourced<unknown>, select: Selector, taken: Taken): Entry {
  return { address, entry, pointer: '/select', select, taken };
}
