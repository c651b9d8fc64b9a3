import { expect, test } from 'vitest';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import { onboardingsPerDay, restartsPerSite } from '../../../../src/plan/admit/caps.ts';
import { MINUTE, ONBOARDING, RESTART } from '../../../support/plan-decide.ts';
import { aChange } from '../../../support/plan-change.ts';
import { NOW, aMemory, anIntent, entries, someDocuments } from '../../../support/plan-fleet.ts';

const HOUR = 60 * MINUTE;
const SITES: Readonly<Record<string, readonly string[]>> = {
  a: ['s1'],
  b: ['s1', 's2'],
  c: ['s2'],
  homeless: [],
};

const restarted = (site: string, minutes: number, fields: Partial<IntentState> = {}) =>
  anIntent(`x-${site}-${minutes}`, {
    task: 'restartDevice',
    policy: 'restarts.other',
    sites: site === '' ? [] : [site],
    attemptedAt: NOW - minutes * MINUTE,
    ...fields,
  });

/** Which of these devices may be restarted one after another, at two an hour and site. */
function restartable(devices: readonly string[], past: readonly IntentState[], count = 2) {
  const policy = { ...RESTART, maxPerSite: { count, per: HOUR } };
  const input = {
    documents: someDocuments({ restarts: entries({ dark: policy }) }),
    memory: aMemory(past),
    now: NOW,
    sitesOf: (id: string) => SITES[id] ?? [],
  };
  const caps = [onboardingsPerDay(input), restartsPerSite(input)];
  return devices.map((id) => {
    const change = aChange(id, {
      task: 'restartDevice',
      at: { file: '', line: 1, column: 1, policy: policy.address },
    });
    const reason = caps.map((cap) => cap.refuses(change)).find((found) => found !== undefined);
    if (!reason) for (const cap of caps) cap.count?.(change);
    return reason ? `${id} ${reason.why ?? ''} ${String(reason.next)}` : `${id} may`;
  });
}

test('so many restarts at a site: those of this plan count, at every site of a device', () => {
  expect(restartable(['a', 'b', 'c', 'a'], [])).toEqual([
    'a may',
    'b may',
    'c may',
    `a maxPerSite ${NOW + HOUR}`,
  ]);
});

test('restarts in the ledger count, whoever wanted them, until they are old enough', () => {
  const past = [restarted('s1', 50), restarted('s1', 20)];
  expect(restartable(['a'], past)).toEqual([`a maxPerSite ${NOW + 10 * MINUTE}`]);
  expect(restartable(['a'], [restarted('s1', 60), restarted('s1', 20)])).toEqual(['a may']);
  expect(restartable(['c'], past)).toEqual(['c may']);
});

test('a restart that was refused or never sent does not count', () => {
  const past = [restarted('s1', 5, { outcome: 'rejected' }), restarted('s1', 5, { phase: 'none' })];
  expect(restartable(['a', 'a'], past)).toEqual(['a may', 'a may']);
});

test('devices without a readable site are counted together; none an hour means none', () => {
  expect(restartable(['homeless'], [restarted('', 5), restarted('', 6)])).toEqual([
    `homeless maxPerSite ${NOW + 54 * MINUTE}`,
  ]);
  expect(restartable(['a'], [], 0)).toEqual(['a maxPerSite never']);
});

test('O4 so many onboardings in any 24 hours, over as many runs as there were', () => {
  const policy = { ...ONBOARDING, maxPerDay: 3 };
  const done = (hours: number) =>
    anIntent(`d-${hours}`, {
      task: 'onboardDevice',
      policy: policy.address,
      attemptedAt: NOW - hours * HOUR,
    });
  const mayAfter = (past: readonly IntentState[]) => {
    const caps = onboardingsPerDay({
      documents: someDocuments({ onboarding: entries({ hq: policy }) }),
      memory: aMemory(past),
      now: NOW,
      sitesOf: () => [],
    });
    const at = { file: '', line: 1, column: 1, policy: policy.address };
    return caps.refuses(aChange('disc-1', { task: 'onboardDevice', at }))?.next ?? 'may';
  };
  expect(mayAfter([done(25), done(23), done(2)])).toBe('may');
  expect(mayAfter([done(30), done(23), done(2), done(1)])).toBe(NOW + HOUR);
  expect(mayAfter([done(5), done(4), done(3), done(2)])).toBe(NOW + 20 * HOUR);
});
