import { expect } from 'vitest';
import { listEntries, lastLine } from '../../src/model/documents/entries.ts';
import { listPolicies } from '../../src/model/documents/policies.ts';
import { who } from '../../src/plan/explain/who.ts';
import { why } from '../../src/plan/explain/why.ts';
import type { PlannerInput } from '../../src/plan/plan.ts';
import { madeOnce, type Scenario } from './plan-scenario.ts';

/** What why says bears on a device for a task, by entry and in which way. */
function* bearing(input: PlannerInput, id: string): Generator<string> {
  const { documents } = input;
  const policies = new Map(listPolicies(documents).map(({ value }) => [value.address, value]));
  for (const { task, winner, losers, exemptions } of why(input, id).tasks) {
    const policy = policies.get(winner?.at.policy ?? '');
    if (winner) yield `${winner.at.policy} wins ${id} ${task}`;
    for (const { at } of losers) yield `${at.policy} loses ${id} ${task}`;
    for (const { name } of exemptions) yield `exceptions.${name} exempts ${id} ${task}`;
    if (!policy) continue;
    for (const name of policy.windows)
      if (documents.windows.has(name)) yield `windows.${name} uses ${id} ${task}`;
    const isWritten = documents.rollouts.has(policy.rollout ?? '');
    if (isWritten && policy.rollout !== policy.address)
      yield `rollouts.${policy.rollout} uses ${id} ${task}`;
  }
}

/** What who says of every line of a scenario, and why of every device in it, is the same. */
export async function expectInverse(scenario: Scenario): Promise<void> {
  const { input, documents, planned } = await madeOnce(scenario);
  const { devices, discovered } = input.snapshot;
  const ids = Array.from({ length: devices.length }, (_, row) => devices.at(row).id);
  const told = new Set<string>();
  for (const { address, of, section } of listEntries(documents)) {
    const first = who(input, of.at)?.governs ?? [];
    for (const { device, task, how } of first)
      if (task !== undefined) told.add(`${address} ${how} ${device.id} ${task}`);
    if (section === 'onboarding') continue;
    const last = who(input, { file: of.at.file, line: lastLine(of) });
    if (last?.at.policy === address) expect(last.governs).toEqual(first);
  }
  const all = [...new Set([...ids, ...discovered.map(({ id }) => id)])];
  const said = new Set(all.flatMap((id) => [...bearing(input, id)]));
  expect([...told].sort()).toEqual([...said].sort());

  for (const { at, device, task } of planned.plan.changes) {
    const governed = who(input, at)?.governs ?? [];
    const found = governed.some((each) => each.device.id === device.id && each.task === task);
    const isThere = all.includes(device.id);
    expect([`${at.file}:${at.line}`, device.id, found]).toEqual([
      `${at.file}:${at.line}`,
      device.id,
      isThere,
    ]);
  }
}

/** Why plans anew for each device: a larger fleet takes as long as all small ones, and belongs to the campaign. */
export function hasMany({ live }: Scenario): boolean {
  const counts = Object.keys(live.devices).map((ids) => {
    const [, first = 1, last = 1] = /(\d+)\.\.(\d+)$/.exec(ids) ?? [];
    return Number(last) - Number(first) + 1;
  });
  return counts.reduce((sum, count) => sum + count, 0) > 8;
}
