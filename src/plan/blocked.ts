import type { Diagnostic } from '../model/diagnostic.ts';
import type { Change } from '../model/change.ts';
import type { Documents, Selector } from '../model/policy.ts';
import type { Place } from '../model/source.ts';
import { placeOf } from '../model/source.ts';
import { findBlocked, type Blocked } from '../rollout/blocked.ts';
import { isWanted } from './identify.ts';
import type { PlannerInput } from './input.ts';

/**
 * Budgets that can never be met, said before anybody waits for them: once for each budget, with an
 * example and with what would open it (semantics 4.9, 4.13). A built-in budget that the dialect
 * switches off is said too.
 */
export function blockedBudgets(
  input: PlannerInput & { readonly members: (selector: Selector) => (row: number) => boolean },
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  const { devices } = input.snapshot;
  const wanted = new Set<number>();
  for (const change of changes) {
    const row = isWanted(change) ? devices.rowOf(change.device.id) : undefined;
    if (row !== undefined) wanted.add(row);
  }
  const blocked = findBlocked({ ...input, wanted });
  return [...blocked.map((each) => diagnosticOf(each, input.documents)), ...switchedOff(input)];
}

function diagnosticOf({ budget, why, sets }: Blocked, documents: Documents): Diagnostic {
  const [first] = sets;
  const at = placeFor(budget, documents);
  return {
    code: why === 'percent' ? 'percentIsZero' : 'singletonBlocked',
    severity: 'warning',
    ...(at && { at }),
    params: {
      budget,
      sets: sets.length,
      ...(first && { set: first.name, device: first.device }),
      ...(why === 'approval' && { entry: 'allow: {singleton: true}' }),
    },
  };
}

/** The limit that leaves no room, or the group whose own budget it is; what is built in has no place. */
function placeFor(budget: string, { budgets, groups }: Documents): Place | undefined {
  const entry = budgets.get(budget);
  if (!entry) {
    const group = groups.get(budget.slice(budget.indexOf('.') + 1));
    return budget.startsWith('groups.') && group ? placeOf(group, '/redundancy') : undefined;
  }
  return placeOf(
    entry,
    entry.value.minAvailable === undefined ? '/maxUnavailable' : '/minAvailable',
  );
}

/** Built in; without the field no device is in any set of it. */
const PER_RECORDER = 'default-storage-server';

function switchedOff({ documents, dialect }: PlannerInput): readonly Diagnostic[] {
  if (dialect.storageServerField !== '' || documents.budgets.has(PER_RECORDER)) return [];
  const key = 'storageServerField';
  return [
    {
      code: 'fieldNotMapped',
      severity: 'warning',
      at: placeOf(documents.service, `/dialect/${key}`),
      params: { what: 'the storage server of a device', key, off: PER_RECORDER },
    },
  ];
}
