import { describe, expect, test } from 'vitest';
import type { SourceLocation } from '../../../../src/model/documents/source.ts';
import { who } from '../../../../src/plan/explain/who.ts';
import { madeOnce, scenarios } from '../../../support/plan-scenario.ts';
import {
  aDevice,
  aFirmwarePolicy,
  aSnapshot,
  entries,
  NOW,
  someDocuments,
} from '../../../support/plan-fleet.ts';
import { isTried } from '../../../support/campaign.ts';
import { expectInverse, hasMany } from '../../../support/who-why.ts';

const CASES = scenarios().filter(({ errors }) => errors.length === 0);

describe('who and why are inverse, whichever line is asked about', () => {
  const few = CASES.filter((scenario, nth) => isTried(nth) && !hasMany(scenario));

  test.each(few.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) =>
    expectInverse(scenario),
  );
});

describe('any line of an entry', () => {
  const scenario = CASES.find(({ name }) => name.startsWith('30-'));
  if (!scenario) throw new Error('no scenario 30');
  const asked = async (line: number, file?: string) => {
    const { input } = await madeOnce(scenario);
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

test('K27 a line of a policy that ties with another says that it is refused, and with which', () => {
  const documents = someDocuments({
    firmware: entries({
      a: aFirmwarePolicy('a'),
      b: aFirmwarePolicy('b', { version: { is: 'exact', version: '11.11.74' } }),
      c: aFirmwarePolicy('c', { priority: 400 }),
    }),
  });
  const input = { documents, snapshot: aSnapshot([aDevice('cam-1')]), now: NOW };
  const refusedAt = (line: number) => who(input, { file: 'fleet/test.yaml', line })?.refused;
  for (const line of [1, 2])
    expect(refusedAt(line)).toMatchObject({
      code: 'refused',
      params: { finding: 'conflict', policy: 'firmware.a', other: 'firmware.b', count: 1 },
    });
  expect(refusedAt(3)).toBeUndefined();
});
