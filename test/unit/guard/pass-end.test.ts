import { array, assert, boolean, constantFrom, nat, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { judge } from '../../../src/guard/guard.ts';
import { passEnd } from '../../../src/guard/pass-end.ts';
import type { Change } from '../../../src/model/plan/change.ts';
import type { Exception } from '../../../src/model/documents/exception.ts';
import { LIMIT_NAMES } from '../../../src/guard/limits.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';
import { draws } from '../../support/campaign.ts';
import { aChange } from '../../support/plan-change.ts';

const HOUR = 3_600_000;
const SITES = ['s1', 's2', 's3'];
const idOf = (n: number): string => `dev-${String(n).padStart(2, '0')}`;
const DEVICES = Array.from({ length: 24 }, (_, n) =>
  aDevice(idOf(n), { sites: [{ id: SITES[n % 3] ?? '' }] }),
);

const change = record({
  device: nat(23),
  later: option(nat(60)),
  as: constantFrom('full' as const, 'ownDay' as const),
  isWaiting: boolean(),
});
const raised = record({
  value: nat(100),
  until: nat(40),
  devices: nat(23),
});
const fleet = record({
  changes: array(change, { minLength: 1, maxLength: 20 }),
  limit: constantFrom(...LIMIT_NAMES),
  value: nat(60),
  raised: array(raised, { maxLength: 3 }),
  hours: nat(50),
  kept: array(boolean(), { minLength: 20, maxLength: 20 }),
});

test('what passes now passes in part until the pass ends', () => {
  let passes = 0;
  assert(
    property(fleet, ({ changes, limit, value, raised, hours, kept }) => {
      const all = new Map<string, Change>();
      for (const { device, later, as, isWaiting } of changes)
        all.set(
          idOf(device),
          aChange(idOf(device), {
            action: isWaiting ? 'wait' : 'run',
            ...(later !== null && { countedFrom: NOW + later * HOUR, countedAs: as }),
          }),
        );
      const exceptions = raised.map(({ devices, until, ...more }, n): [string, Exception] => {
        const about = {
          reason: 'move',
          owner: 'ops',
          ticket: 'CHG-1',
          notice: 0,
          tasks: TASK_TYPES,
        };
        const select = { device: DEVICES.slice(0, devices).map(({ id }) => id) };
        const allowed = { allow: 'guardrail', guardrail: limit, value: more.value } as const;
        return [
          `e${n}`,
          { type: 'allow', ...allowed, select, until: NOW + until * HOUR, ...about },
        ];
      });
      const input = {
        documents: someDocuments({
          guardrails: entries({ default: { [limit]: value } }),
          exceptions: entries(Object.fromEntries(exceptions)),
          firmware: entries({ lts: aFirmwarePolicy('lts') }),
        }),
        snapshot: aSnapshot(DEVICES, { sites: SITES.map((id) => ({ id, name: id })) }),
        memory: aMemory([], {
          coverage: [{ seq: 1, at: NOW - 1, seen: { '-': 1 }, offered: {}, person: [] }],
        }),
        changes: [...all.values()],
        now: NOW,
      };
      const members =
        ({ device = [] }: { readonly device?: readonly string[] }) =>
        (row: number) =>
          device.includes(idOf(row));
      const isPassed = (more: Partial<typeof input>): boolean =>
        judge({ ...input, ...more, members }).every(({ passed }) => passed);
      const now = NOW + hours * HOUR;
      if (!isPassed({}) || now >= passEnd(input)) return;
      passes += 1;
      const left = input.changes.filter((_, index) => kept[index] === true);
      expect([isPassed({ now }), isPassed({ now, changes: left })]).toEqual([true, true]);
    }),
    { numRuns: draws(2_000), seed: 16 },
  );
  expect(passes).toBeGreaterThan(100);
});

test('a pass ends with an exception, and when a device begins to count as one of today', () => {
  const documents = someDocuments({ firmware: entries({ lts: aFirmwarePolicy('lts') }) });
  const rest = { documents, snapshot: aSnapshot(DEVICES), memory: aMemory(), now: NOW };
  const later = (hours: number) => aChange(idOf(1), { countedFrom: NOW + hours * HOUR });
  expect(passEnd({ ...rest, changes: [later(3)] })).toBe(Infinity);
  expect(passEnd({ ...rest, changes: [later(30)] })).toBe(NOW + 6 * HOUR);
});
