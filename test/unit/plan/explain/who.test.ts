import { describe, expect, test } from 'vitest';
import { listEntries, lastLine } from '../../../../src/model/documents/entries.ts';
import { listPolicies } from '../../../../src/model/documents/policies.ts';
import type { SourceLocation } from '../../../../src/model/documents/source.ts';
import type { PlannerInput } from '../../../../src/plan/plan.ts';
import { who } from '../../../../src/plan/explain/who.ts';
import { why } from '../../../../src/plan/explain/why.ts';
import { make, scenarios } from '../../../support/plan-scenario.ts';

const CASES = scenarios().filter(({ errors }) => errors.length === 0);

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

describe('who and why are inverse, whichever line is asked about', () => {
  test.each(CASES.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const { input, documents, planned } = await make(scenario);
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
    },
  );
});

describe('any line of an entry', () => {
  const scenario = CASES.find(({ name }) => name.startsWith('30-'));
  if (!scenario) throw new Error('no scenario 30');
  const asked = async (line: number, file?: string) => {
    const { input } = await make(scenario);
    const at: Pick<SourceLocation, 'file' | 'line'> = {
      file: file ?? scenario.files[0]?.path ?? '',
      line,
    };
    return who(input, at);
  };

  test('is that entry, from its first line to its last', async () => {
    const lines = scenario.files[0]?.text.split('\n') ?? [];
    for (const [index, text] of lines.entries()) {
      const answer = await asked(index + 1);
      if (/^\S/.test(text) && !text.startsWith('service')) continue;
      if (text.trim() === '' || text.startsWith('#')) continue;
      expect(answer, `${index + 1}: ${text}`).toBeDefined();
    }
  });

  test('outside of every entry is none', async () => {
    expect(await asked(10_000)).toBeUndefined();
    expect(await asked(1, 'fleet/other.yaml')).toBeUndefined();
  });
});
