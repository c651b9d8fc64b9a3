import { describe, expect, it } from 'vitest';
import { findLauncher } from '../../../../src/cli/process/process.ts';

const named = (name: string) => (): string => name;

describe('Z6 what keeps signals from us in CI', () => {
  it.each([
    ['a shell', { CI: 'true' }, 'bash', 'bash'],
    ['npm', { CI: 'true', npm_lifecycle_event: 'apply' }, 'sh', 'npm'],
    ['npx', { CI: '1', npm_command: 'exec' }, 'sh', 'npx'],
    ['nothing: the runner itself', { CI: 'true' }, 'Runner.Worker', undefined],
    ['nothing that is known', { CI: 'true' }, '', undefined],
    ['nobody asks outside CI', {}, 'bash', undefined],
    ['nobody asks where CI says no', { CI: 'false' }, 'bash', undefined],
  ] as const)('%s', (_, env, parent, launcher) => {
    expect(findLauncher(env, 1, named(parent))).toBe(launcher);
  });
});
