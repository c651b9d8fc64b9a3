import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import { isWanted } from '../../model/plan/change.ts';
import { type MaybeColumns, rowsIn } from '../../model/plan/change-rows.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { type SourceLocation, locateValue } from '../../model/documents/source.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { findBlocked, type Blocked } from '../../rollout/budgets/blocked.ts';
import {
  readsBefore,
  fewestRequests,
  READ_AGE,
  readsWhole,
  requestsFor,
  startsNone,
  timeFor,
} from '../admit/batch.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports budgets that can never be met, before a change waits for them: one warning per budget,
 * with an example and with the setting that would allow the change (semantics B5,
 * L-singletonBlocked, L-percentIsZero). Also reports a built-in budget that the dialect disables.
 */
export function blockedBudgets(
  input: PlannerInput & Pick<BudgetInput, 'members'>,
  changes: MaybeColumns,
): readonly Diagnostic[] {
  const { devices } = input.snapshot;
  const wanted = new Set<number>();
  for (const { like, deviceId } of rowsIn(changes)) {
    const row = isWanted(like) ? devices.rowOf(deviceId) : undefined;
    if (row !== undefined) wanted.add(row);
  }
  const blocked = findBlocked({ ...input, targeted: wanted });
  const budgets = blocked.map((each) => toDiagnostic(each, input.documents));
  return [...(wanted.size > 0 ? cannotStart(input) : []), ...budgets, ...switchedOff(input)];
}

function toDiagnostic({ budget, why, sets }: Blocked, documents: Documents): Diagnostic {
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
      ...(why === 'percent' && { entry: `allow: {budget: ${budget}, value: 1}` }),
    },
  };
}

/**
 * The location of the limit without capacity, or of the group with its own budget; undefined for a
 * built-in budget.
 */
function placeFor(budget: string, { budgets, groups }: Documents): SourceLocation | undefined {
  const entry = budgets.get(budget);
  if (!entry) {
    const group = groups.get(budget.slice(budget.indexOf('.') + 1));
    return budget.startsWith('groups.') && group ? locateValue(group, '/redundancy') : undefined;
  }
  return locateValue(
    entry,
    entry.value.minAvailable === undefined ? '/maxUnavailable' : '/minAvailable',
  );
}

/**
 * A built-in budget. If the dialect names no field for the recorder, none of its sets has a device.
 */
const PER_RECORDER = 'default-storage-server';

/**
 * Reports starts that apply can never make because the reads that they need take longer than the
 * age limit of a read. The usual cause is that all rows are read without a filter.
 */
function cannotStart({ documents, dialect, snapshot }: PlannerInput): readonly Diagnostic[] {
  const { devices, unfiltered } = snapshot;
  const { pace } = documents.service.value;
  const reads = readsBefore({ dialect, devices: devices.length, unfiltered });
  if (!startsNone(reads, pace)) return [];
  const requests = requestsFor(1, reads, pace);
  const key = 'filterMaintenanceMode';
  const params = {
    requests,
    seconds: Math.ceil(timeFor(requests, pace) / 1_000),
    limit: READ_AGE / 1_000,
    perSecond: pace.requestsPerSecond,
    enough: Math.ceil((fewestRequests(reads) * 10_000) / READ_AGE) / 10,
    ...(readsWhole({ dialect, unfiltered }) && { devices: devices.length, key }),
  };
  const at = locateValue(documents.service, '/pace/requestsPerSecond');
  return [warning('nothingCanStart', at, params)];
}

function switchedOff({ documents, dialect }: PlannerInput): readonly Diagnostic[] {
  if (dialect.storageServerField !== '' || documents.budgets.has(PER_RECORDER)) return [];
  const key = 'storageServerField';
  const params = { what: 'the storage server of a device', key, off: PER_RECORDER };
  return [warning('fieldNotMapped', locateValue(documents.service, `/dialect/${key}`), params)];
}
