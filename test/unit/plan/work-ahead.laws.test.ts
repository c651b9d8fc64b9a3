import { describe, expect, test } from 'vitest';
import { HOUR, type Instant } from '../../../src/lib/time.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { CoverageRecord } from '../../../src/model/ledger/coverage.ts';
import { findWork } from '../../../src/operations/gate/found-work.ts';
import { coverageOnRecord } from '../../../src/plan/coverage-record.ts';
import { findWorkAhead } from '../../../src/plan/work-ahead.ts';
import { WEEKDAYS, type WindowSpec } from '../../../src/model/documents/window.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';
import type { Documents, EntriesByName, Policy } from '../../../src/model/documents/policy.ts';
import type { Sourced } from '../../../src/model/documents/source.ts';
import { isTried } from '../../support/campaign.ts';
import { judged, madeOnce, scenarios } from '../../support/plan-scenario.ts';

/** The same memory after a run that did nothing but say what it saw. */
function afterRun(memory: Memory, coverage: readonly CoverageRecord[]): Memory {
  const head = { seq: memory.head.seq + coverage.length, hash: 'h'.repeat(64) };
  const other = { coverage, head, lease: undefined };
  return new Proxy(memory, {
    get: (target, key) => {
      if (Object.hasOwn(other, key)) return other[key as keyof typeof other];
      const value = Reflect.get(target, key) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const NIGHTS: WindowSpec = {
  timeZone: 'UTC',
  allow: [{ is: 'days', days: WEEKDAYS, from: 60, to: 300 }],
  deny: [],
  cutoff: 'auto',
  tasks: TASK_TYPES,
};

/** The same documents with one window, a few hours after `now`, in the place of all. */
function atNight(documents: Documents, now: Instant): Documents {
  const hour = ((new Date(now).getUTCHours() + 9) % 24) * 60;
  const at = {
    ...NIGHTS,
    allow: [{ is: 'days' as const, days: WEEKDAYS, from: hour, to: (hour + 180) % 1440 }],
  };
  const nightly = <T extends Policy>(entries: EntriesByName<T>): EntriesByName<T> =>
    new Map(
      [...entries].map(([name, entry]) => [
        name,
        { ...entry, value: { ...entry.value, windows: ['law'] } },
      ]),
    );
  const law = { name: 'law', address: 'windows.law', value: at } as unknown as Sourced<WindowSpec>;
  return {
    ...documents,
    windows: new Map([...documents.windows, ['law', law]]),
    firmware: nightly(documents.firmware),
    rotations: nightly(documents.rotations),
    onboarding: nightly(documents.onboarding),
    restarts: nightly(documents.restarts),
  };
}

describe('N88 a fleet that is left out of a schedule', () => {
  const dropped = new Set<string>();
  const cases = scenarios().flatMap((one) => [
    [one.name, one, false] as const,
    [`${one.name} by night`, one, true] as const,
  ]);
  test.each(cases.filter((_, nth) => isTried(nth)))('%s', async (name, scenario, isNight) => {
    const made = await madeOnce(scenario);
    const at = scenario.now;
    const input = isNight
      ? { ...made.input, documents: atNight(made.input.documents, at) }
      : made.input;
    const planned = judged(input);
    // A run takes back what no document wants any more, which is work for the next.
    if (planned.unwanted) return;
    const first = coverageOnRecord(planned, { before: new Set() });
    if (!first) return;
    const { seq } = input.memory.head;
    const one = { ...first, seq: seq + 1, at };
    const again = judged({ ...input, memory: afterRun(input.memory, [one]) });
    const second = coverageOnRecord(again, { before: new Set() });
    if (!second) return;
    const memory = afterRun(input.memory, [one, { ...second, seq: seq + 2, at }]);
    const documents = { ...input.documents, digest: second.documents ?? '' };
    const found: string[] = [];
    for (let now = at; now <= at + 30 * HOUR; now += HOUR) {
      const known = { documents, memory, now };
      const ahead = findWorkAhead(known);
      if (ahead.from <= now) continue;
      dropped.add(name);
      const work = findWork(judged({ ...input, memory, now }), memory, { now });
      if (work !== 'none' && work !== 'facts')
        found.push(`${(now - at) / HOUR} h: ${work}, though ${JSON.stringify(ahead)}`);
    }
    expect(found.slice(0, 2)).toEqual([]);
  });

  test('is one of many', () => expect(dropped.size).toBeGreaterThan(20));
});
