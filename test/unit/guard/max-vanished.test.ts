import { expect, test } from 'vitest';
import { judge } from '../../../src/guard/guard.ts';
import type { Exception } from '../../../src/model/documents/exception.ts';
import type { Guardrail } from '../../../src/model/documents/policy.ts';
import type { CoverageRecord } from '../../../src/model/ledger/coverage.ts';
import { compareWithKnown, KNOWN_FOR } from '../../../src/model/plan/coverage.ts';
import type { GuardrailVerdict } from '../../../src/model/plan/plan.ts';
import { fill } from '../../../src/render/words/phrase.ts';
import { limitSentences } from '../../../src/render/words/terms.ts';
import { aChange } from '../../support/plan-change.ts';
import {
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  entries,
  NOW,
  someDocuments,
} from '../../support/plan-fleet.ts';

interface Given {
  /** Devices that the last record has, and those that the service returns now. */
  readonly before?: number;
  readonly now: number;
  readonly changed?: readonly string[];
  readonly guardrails?: Readonly<Record<string, Guardrail>>;
  readonly allow?: Partial<Exception> & { readonly value: number };
}

const ALLOW = {
  type: 'allow',
  allow: 'guardrail',
  guardrail: 'maxVanished',
  tasks: ['upgradeFirmware'],
  until: NOW + 1,
  reason: 'a site was closed',
  owner: 'ops',
} as const;

/** A record of so many devices. */
function recordOf(devices: number, at = NOW - 1): CoverageRecord {
  const rows = Array.from({ length: devices }, (_, index) => aDevice(`dev-${index}`));
  const { seen, offered } = compareWithKnown(aSnapshot(rows).devices, [], NOW);
  return { seq: 1, at, seen, offered, person: [] };
}

function vanished({ before, now, changed = ['dev-0'], guardrails = {}, allow }: Given): string {
  const devices = Array.from({ length: now }, (_, index) => aDevice(`dev-${index}`));
  const exceptions = allow ? { gone: { ...ALLOW, ...allow } as Exception } : {};
  const verdicts = judge({
    documents: someDocuments({ guardrails: entries(guardrails), exceptions: entries(exceptions) }),
    snapshot: aSnapshot(devices),
    memory: aMemory([], before === undefined ? {} : { coverage: [recordOf(before)] }),
    changes: changed.map((id) => aChange(id)),
    now: NOW,
    members: () => (row) => row === 0,
  });
  const verdict = verdicts.find(({ limit }) => limit === 'maxVanished');
  return verdict ? `${verdict.number}/${verdict.allowed}${verdict.passed ? '' : '!'}` : 'none';
}

test.each<[what: string, given: Given, expected: string]>([
  ['nothing to compare with', { now: 5 }, 'none'],
  ['as many as before', { before: 100, now: 100 }, '0/10'],
  ['more than before', { before: 100, now: 120 }, '0/10'],
  ['a tenth fewer', { before: 100, now: 90 }, '10/10'],
  ['more than a tenth fewer', { before: 100, now: 89 }, '11/10!'],
  ['twenty of many', { before: 5_000, now: 4_980 }, '20/20'],
  ['more than twenty of many', { before: 5_000, now: 4_979 }, '21/20!'],
  ['one of a few: one may always leave', { before: 5, now: 4 }, '1/1'],
  ['two of a few', { before: 5, now: 3 }, '2/1!'],
  ['all of them', { before: 5, now: 0 }, '5/1!'],
  ['M32 many, and nothing is wanted', { before: 100, now: 10, changed: [] }, '90/10!'],
])('M32 %s', (_, given, expected) => {
  expect(vanished(given)).toBe(expected);
});

test('G7 a refusal names the three sites that lack most, moved devices included, with their number before and now', () => {
  const at = (site: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      aDevice(`dev-${from + index}`, { sites: [{ id: site, name: `Depot ${site}` }] }),
    );
  const { seen, offered } = compareWithKnown(
    aSnapshot([...at('1', 0, 20), ...at('2', 20, 30), ...at('3', 30, 40), ...at('4', 40, 50)])
      .devices,
    [],
    NOW,
  );
  const now = [...at('1', 0, 26), ...at('2', 26, 30), ...at('3', 30, 32), ...at('4', 40, 49)];
  const sites = ['1', '2', '4'].map((id) => ({ id, name: `Depot ${id}` }));
  const [verdict] = judge({
    documents: someDocuments({}),
    snapshot: aSnapshot(now, { sites }),
    memory: aMemory([], { coverage: [{ seq: 1, at: NOW - 1, seen, offered, person: [] }] }),
    changes: [],
    now: NOW,
    members: () => () => true,
  }).filter(({ limit }) => limit === 'maxVanished');
  expect(verdict?.number).toBe(15);
  expect(verdict?.sites).toEqual([
    { site: '3', before: 10, now: 2 },
    { site: 'Depot 2', before: 10, now: 4 },
    { site: 'Depot 4', before: 10, now: 9 },
  ]);
  const { said, params } = limitSentences(verdict as GuardrailVerdict);
  expect(fill(said, params, String)).toBe(
    '15 of 50 known devices are missing from their sites: site 3 has 2 of 10, site Depot 2 has 4 of 10, site Depot 4 has 9 of 10; the limit is 5',
  );
});

test('M30 known is the most of any record of the last 30 days', () => {
  const records = [recordOf(90, NOW - KNOWN_FOR), recordOf(70, NOW - KNOWN_FOR + 1), recordOf(50)];
  const { known, gone } = compareWithKnown(aSnapshot([aDevice('dev-0')]).devices, records, NOW);
  expect([...Object.values(known ?? {}), gone]).toEqual([70, 69]);
});

test('an entry of its name replaces the built-in limit; the entry `default` does not', () => {
  const gone = { before: 100, now: 60 };
  expect(vanished({ ...gone, guardrails: { visible: { maxVanished: 50 } } })).toBe('40/50');
  expect(vanished({ ...gone, guardrails: { default: { maxChanges: 5 } } })).toBe('40/10!');
});

test('an exception lifts it, with a number, whether a change is wanted or not', () => {
  const gone = { before: 100, now: 60 };
  expect(vanished({ ...gone, allow: { value: 40 } })).toBe('40/40');
  expect(vanished({ ...gone, allow: { value: 39 } })).toBe('40/39!');
  expect(vanished({ ...gone, allow: { value: 40, until: NOW } })).toBe('40/10!');
  expect(vanished({ ...gone, allow: { value: 40 }, changed: [] })).toBe('40/40');
});

/** The verdict on so many devices of 100 that lost a task of the documents since the last record. */
function lost(count: number, task: 'upgradeFirmware' | 'restartDevice', gone = 0): string {
  const devices = Array.from({ length: 100 - gone }, (_, index) => {
    const { available, ...device } = aDevice(`dev-${index}`);
    return { ...device, available: { ...available, ...(index < count && { [task]: false }) } };
  });
  const verdicts = judge({
    documents: someDocuments({ firmware: entries({ f: aFirmwarePolicy('f') }) }),
    snapshot: aSnapshot(devices),
    memory: aMemory([], { coverage: [recordOf(100)] }),
    changes: [],
    now: NOW,
    members: () => (row) => row === 0,
  });
  const verdict = verdicts.find(({ limit }) => limit === 'tasksLost');
  return verdict ? `${verdict.number}/${verdict.allowed}${verdict.passed ? '' : '!'}` : 'none';
}

test('M32 as many devices may lose a task of the documents as may be gone', () => {
  expect([lost(0, 'upgradeFirmware'), lost(10, 'upgradeFirmware')]).toEqual(['none', '10/10']);
  expect(lost(100, 'upgradeFirmware')).toBe('100/10!');
  expect(lost(100, 'restartDevice')).toBe('none');
  expect(lost(0, 'upgradeFirmware', 5)).toBe('none');
});
