import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ciFleets } from '../../../../../src/cli/commands/ci/fleets.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import { scratchFolder } from '../../../../support/scratch.ts';

it.each([
  ['--changed in a job without a request says that it lists all', true, /no commit to compare/],
  ['without --changed says nothing', false, /^$/],
  [
    'a folder that has no name for a fleet is said, and stops no other',
    false,
    /^Not covered: fleet\/bad\s+name \(name\s+a\s+fleet/,
    'bad name',
  ],
])('%s', async (_, changed, said, other = 'acme') => {
  const cwd = scratchFolder('ci-fleets');
  for (const name of [other, 'globex']) {
    mkdirSync(join(cwd, 'fleet', name), { recursive: true });
    writeFileSync(join(cwd, 'fleet', name, 'service.yaml'), '# one\n');
  }
  const [out, err] = [outputDouble(), outputDouble()];
  const shell = { cwd, env: {}, out, err } as unknown as Shell;
  await ciFleets.run({ fleet: 'fleet', changed, work: false } as never, shell);
  expect(out.text()).toContain('"fleet/globex"');
  expect(err.text()).toMatch(said);
});
