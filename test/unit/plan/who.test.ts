import { describe, expect, test } from 'vitest';
import type { Place } from '../../../src/model/source.ts';
import { who } from '../../../src/plan/who.ts';
import { why } from '../../../src/plan/why.ts';
import { make, scenarios } from '../../support/plan-scenario.ts';

const CASES = scenarios().filter(({ errors }) => errors.length === 0);

describe('who is the other way round from why', () => {
  test.each(CASES.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const { input, documents } = await make(scenario);
      const { firmware, rotations, restarts } = documents;
      const { devices } = input.snapshot;
      const ids = Array.from({ length: devices.length }, (_, row) => devices.at(row).id);
      const wins = new Set<string>();
      const loses = new Set<string>();
      for (const { address, at } of [
        ...firmware.values(),
        ...rotations.values(),
        ...restarts.values(),
      ].map(({ value, at: place }) => ({ address: value.address, at: place }))) {
        const answer = who(input, at);
        expect(answer?.at.policy).toBe(address);
        for (const { device, task, how } of answer?.governs ?? [])
          (how === 'wins' ? wins : loses).add(`${address} ${device.id} ${task}`);
      }
      const [winning, losing] = [new Set<string>(), new Set<string>()];
      for (const id of ids)
        for (const { task, winner, losers } of why(input, id).tasks) {
          if (task === 'onboardDevice') continue;
          if (winner) winning.add(`${winner.at.policy} ${id} ${task}`);
          for (const { at } of losers) losing.add(`${at.policy} ${id} ${task}`);
        }
      expect([...wins].sort()).toEqual([...winning].sort());
      expect([...loses].sort()).toEqual([...losing].sort());
    },
  );
});

describe('any line of an entry', () => {
  const scenario = CASES.find(({ name }) => name.startsWith('30-'));
  if (!scenario) throw new Error('no scenario 30');
  const asked = async (line: number, file?: string) => {
    const { input } = await make(scenario);
    const at: Pick<Place, 'file' | 'line'> = { file: file ?? scenario.files[0]?.path ?? '', line };
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
