import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addStepOutputs } from '../../../../src/cli/process/step.ts';
import { scratchFolder } from '../../../support/scratch.ts';

const cwd = scratchFolder('outputs');

test('outputs are lines for a step of GitHub, and variables for a later job of GitLab', () => {
  const env = { GITHUB_OUTPUT: join(cwd, 'github'), FLEETFORM_OUTPUTS: 'gitlab.env' };
  addStepOutputs({ cwd, env }, { 'run-id': '7' });
  addStepOutputs({ cwd, env }, { work: 'true' });
  expect(readFileSync(join(cwd, 'github'), 'utf8')).toBe('run-id=7\nwork=true\n');
  expect(readFileSync(join(cwd, 'gitlab.env'), 'utf8')).toBe(
    'FLEETFORM_RUN_ID=7\nFLEETFORM_WORK=true\n',
  );
});

test('outputs go nowhere outside a job, and a file that cannot be written is an error', () => {
  addStepOutputs({ cwd, env: {} }, { work: 'true' });
  const env = { FLEETFORM_OUTPUTS: 'missing/gitlab.env' };
  expect(() => addStepOutputs({ cwd, env }, { work: 'true' })).toThrow(
    expect.objectContaining({ code: 'fileUnreadable' }),
  );
});
