import { describe, expect, it } from 'vitest';
import { tellSaved } from '../../../src/operations/plan-file.ts';
import type { GuardrailVerdict } from '../../../src/model/plan/plan.ts';
import { outputDouble } from '../../support/cli-output.ts';

const REFUSED: GuardrailVerdict = {
  guardrail: 'default',
  limit: 'maxChanges',
  value: 10,
  number: 12,
  allowed: 10,
  passed: false,
};

async function toldOf(file: string, verdicts: readonly GuardrailVerdict[]): Promise<string> {
  const err = outputDouble();
  await tellSaved({ err, env: {} }, { file, digest: 'abcd' }, { id: 'kq3v', verdicts });
  return err.text();
}

describe('a plan that was saved', () => {
  it('says where, and how it is reviewed and applied', async () => {
    expect(await toldOf('out/plan.json', [{ ...REFUSED, passed: true }])).toBe(
      'Saved to out/plan.json.\n' +
        'next: `fleetform show out/plan.json` to review it, ' +
        'then `fleetform apply out/plan.json --approved kq3v:abcd` to run it\n',
    );
  });

  it('does not advise to apply what a guardrail refuses', async () => {
    expect(await toldOf('plan.json', [REFUSED])).toBe(
      'Saved to plan.json.\nnext: `fleetform show plan.json` to review it\n',
    );
  });
});
