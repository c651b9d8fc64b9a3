import { array, assert, boolean, constantFrom, integer, oneof, property, record } from 'fast-check';
import { test } from 'vitest';
import type { Budget, BudgetScope } from '../../../src/model/documents/budget.ts';
import type { BudgetLimit } from '../../../src/model/documents/values.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { aDevice, anOpenIntent } from '../../support/plan-fleet.ts';
import { ask, bookOf, sick } from '../../support/rollout-book.ts';

interface Drawn {
  readonly site: number;
  readonly source: number;
  readonly recorder: number;
  readonly door: number;
  readonly status: string;
  readonly deviceType: string;
  readonly maintenanceMode: boolean;
  readonly running: boolean;
}

const drawn = record<Drawn>({
  site: integer({ min: 0, max: 3 }),
  source: integer({ min: 0, max: 2 }),
  recorder: integer({ min: 0, max: 2 }),
  door: integer({ min: 0, max: 3 }),
  status: constantFrom('online', 'online', 'online', 'offline', 'partial', 'unknown'),
  deviceType: constantFrom('camera', 'camera', 'intercom'),
  maintenanceMode: boolean(),
  running: constantFrom(false, false, false, true),
});
const limit = oneof<[ReturnType<typeof counts>, ReturnType<typeof shares>]>(counts(), shares());
const wish = record({
  per: constantFrom<BudgetScope>(
    'site',
    'redundancyGroup',
    'deviceSource',
    'storageServer',
    'fleet',
  ),
  form: constantFrom('maxUnavailable', 'minAvailable', 'maxInFlight'),
  limit,
  number: integer({ min: 0, max: 4 }),
});

function counts() {
  return integer({ min: 0, max: 5 }).map((count): BudgetLimit => ({ count }));
}

function shares() {
  return integer({ min: 0, max: 100 }).map((percent): BudgetLimit => ({ percent }));
}

type Want = {
  readonly per: BudgetScope;
  readonly form: string;
  readonly limit: BudgetLimit;
  number: number;
};

function budgetOf({ per, form, limit: most, number }: Want): Budget {
  if (form === 'maxUnavailable') return { per, maxUnavailable: most, ...sick() };
  if (form === 'minAvailable') return { per, minAvailable: number, ...sick() };
  return { per, maxInFlight: number, ...sick() };
}

/** The sets that a device is in, worked out without the code under test. */
function keysOf({ site, source, recorder, door }: Drawn, per: BudgetScope): readonly string[] {
  switch (per) {
    case 'site':
      return [`site ${site}`];
    case 'redundancyGroup':
      return door === 0 ? [] : [`door ${door}`];
    case 'deviceSource':
      return source === 0 ? [] : [`source ${source}`];
    case 'storageServer':
      return recorder === 0 ? [] : [`recorder ${recorder}`];
    case 'fleet':
      return ['fleet'];
  }
}

function deviceOf(row: Drawn, index: number): Device {
  const { site, source, recorder, status, deviceType, maintenanceMode } = row;
  return aDevice(idOf(index), {
    sites: site === 0 ? [] : [{ id: `s${site}` }],
    sources: source === 0 ? [] : [{ id: `v${source}` }],
    ...(recorder > 0 && { storageServer: `n${recorder}` }),
    status,
    deviceType,
    maintenanceMode,
  });
}

const idOf = (index: number): string => `dev-${String(index).padStart(3, '0')}`;

/** How many may be down in a set, by the words of semantics B12 and B13. */
function mostDown(budget: Budget, key: string, members: number): number {
  const { maxUnavailable, minAvailable = 0, per } = budget;
  let most = minAvailable > 0 ? Math.max(0, members - minAvailable) : Infinity;
  if (maxUnavailable && 'count' in maxUnavailable) most = maxUnavailable.count;
  if (maxUnavailable && 'percent' in maxUnavailable) {
    const share = Math.floor((members * maxUnavailable.percent) / 100);
    most = per === 'site' && maxUnavailable.percent > 0 ? Math.max(1, share) : share;
  }
  return key === 'site 0' ? Math.min(1, most) : most;
}

test('B1 law: whatever the input, no budget of any kind is exceeded if all that was given out dies', () => {
  assert(
    property(array(drawn, { maxLength: 40 }), array(wish, { maxLength: 4 }), (rows, wants) => {
      const budgets = Object.fromEntries(wants.map((each, n) => [`b${n}`, budgetOf(each)]));
      const doors = [1, 2, 3].map((door) => {
        const ids = rows.flatMap((row, n) => (row.door === door ? [idOf(n)] : []));
        return [`door-${door}`, { is: 'devices', devices: ids, redundancy: true }] as const;
      });
      const groups = Object.fromEntries(doors);
      const intents = rows.flatMap(({ running }, n) => (running ? [anOpenIntent(idOf(n))] : []));
      const book = bookOf({ devices: rows.map(deviceOf), budgets, groups, intents });
      const given = rows.map((row, n) => !row.running && ask(book, idOf(n)) === undefined);
      const door: Budget = { per: 'redundancyGroup', maxUnavailable: { count: 1 }, ...sick() };
      return [...Object.values(budgets), door].every((budget) => holds(budget, rows, given));
    }),
  );
});

function holds(budget: Budget, rows: readonly Drawn[], given: readonly boolean[]): boolean {
  const keys = new Set(rows.flatMap((row) => keysOf(row, budget.per)));
  return [...keys].every((key) => {
    const members = rows
      .map((row, n) => ({ ...row, given: given[n] === true }))
      .filter((row) => keysOf(row, budget.per).includes(key));
    const isDown = ({ status, maintenanceMode, running }: Drawn): boolean =>
      running || maintenanceMode || status !== 'online';
    const fell = members.filter((member) => member.given && !isDown(member)).length;
    const down = fell + members.filter(isDown).length;
    const acting = members.filter((member) => member.given).length;
    const inFlight = acting + members.filter(({ running }) => running).length;
    return (
      (fell === 0 || down <= mostDown(budget, key, members.length)) &&
      (acting === 0 || inFlight <= (budget.maxInFlight ?? Infinity))
    );
  });
}
