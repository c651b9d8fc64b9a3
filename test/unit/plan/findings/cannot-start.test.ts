import { describe, expect, it } from 'vitest';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Change } from '../../../../src/model/plan/change.ts';
import type { PlannerInput } from '../../../../src/plan/input.ts';
import { blockedBudgets } from '../../../../src/plan/findings/blocked.ts';
import { aDevice, aMemory, aSnapshot, NOW, someDocuments } from '../../../support/plan-fleet.ts';

/** Thirty pages of the whole list, which leave one request of the 31 that 30 seconds have room for. */
const STARTS_ONE = 30 * 995;

const WITHOUT = { filterMaintenanceMode: '' };

/** What is found for a plan that wants one device of so many. */
function foundFor(
  count: number,
  {
    unfiltered = false,
    dialect = {},
    action = 'run',
  }: { unfiltered?: boolean; dialect?: typeof WITHOUT | object; action?: 'run' | 'skip' } = {},
) {
  const devices = Array.from({ length: count }, (_, index) =>
    aDevice(`dev-${index}`, { sites: [] }),
  );
  const snapshot = { ...aSnapshot(devices), ...(unfiltered && { unfiltered }) };
  const change = { device: { id: 'dev-0' }, action, reason: { code: 'due' } } as unknown as Change;
  const input = {
    documents: someDocuments(),
    snapshot,
    memory: aMemory(),
    now: NOW,
    dialect: resolveDialect(dialect),
    members: () => () => false,
  } as unknown as PlannerInput & { readonly members: () => () => boolean };
  return blockedBudgets(input, [change]).filter(({ code }) => code === 'nothingCanStart');
}

describe('Y6 that nothing can start is said', () => {
  it.each([
    ['the service does not honour the filter', { unfiltered: true }],
    ['the dialect says that there is no filter', { dialect: WITHOUT }],
  ])('of a fleet of over thirty pages where %s', (_why, how) => {
    const [found, ...others] = foundFor(STARTS_ONE + 1, how);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'warning',
      params: {
        requests: 32,
        seconds: 31,
        limit: 30,
        perSecond: 1,
        enough: 1.1,
        devices: STARTS_ONE + 1,
        key: 'filterMaintenanceMode',
      },
    });
  });

  it.each([
    ['it is one device smaller', STARTS_ONE, { unfiltered: true }],
    ['the service honours the filter', STARTS_ONE + 1, {}],
    ['nothing is wanted', STARTS_ONE + 1, { unfiltered: true, action: 'skip' as const }],
  ])('of no fleet where %s', (_why, count, how) => {
    expect(foundFor(count, how)).toEqual([]);
  });
});
