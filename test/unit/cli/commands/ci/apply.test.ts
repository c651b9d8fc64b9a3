import { expect, test } from 'vitest';
import { ciApply } from '../../../../../src/cli/commands/ci/apply.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';

test.each([undefined, 'a'.repeat(26), `${'a'.repeat(26)}:abcd`])(
  'a saved plan is applied by no job that names “%s” alone: its digest belongs to it',
  async (approved) => {
    const flags = { fleet: 'fleet', lockWait: 300_000, file: 'plan.json', format: 'text' } as const;
    const given = { ...flags, ...(approved !== undefined && { approved }) };
    const shell = { env: {} } as Shell;
    await expect(ciApply.run(given, shell)).rejects.toMatchObject({ code: 'usage' });
  },
);
