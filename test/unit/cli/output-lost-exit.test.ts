import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program/run-command-line.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { START } from '../../support/twin-rig.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** A shell whose stdout took nothing, or all, of what was written. */
function shellThatLost(lost: Error | undefined) {
  const shell: Shell & { readonly err: ReturnType<typeof outputDouble> } = {
    env: {},
    cwd: scratchFolder('lost'),
    out: { ...outputDouble(), lost: async () => lost },
    err: outputDouble(),
    ask: undefined,
    clock: createVirtualClock(START),
    random: () => 0.5,
    stop: createStopSignal(),
    identity: { host: 'h', pid: 1, startedAt: '', label: 'x', isAlive: () => false },
    openTransport: async () => {
      throw new Error('nothing is sent');
    },
  };
  return shell;
}

describe('output that was lost', () => {
  const full = new Error('ENOSPC: no space left on device');

  it('ends a command whose only result it is with an error', async () => {
    const shell = shellThatLost(full);
    expect(await run(['explain', 'firmware'], shell)).toBe(1);
    expect(shell.err.text()).toContain('error[outputLost]');
  });

  it('is said by a command that did something, whose exit code stays', async () => {
    const shell = shellThatLost(full);
    expect(await run(['init', '--service', 'https://api.example.com'], shell)).toBe(0);
    expect(shell.err.text()).toContain('error[outputLost]');
  });

  it('is not claimed where all of it was taken', async () => {
    const shell = shellThatLost(undefined);
    expect(await run(['explain', 'firmware'], shell)).toBe(0);
    expect(shell.err.text()).toBe('');
  });
});

it('a usage error of a command names its help', async () => {
  const shell = shellThatLost(undefined);
  expect(await run(['pause', 'fleet', '--reason', 'r', '--until', 'now'], shell)).toBe(1);
  expect(shell.err.text()).toMatch(/--until[^]*next: Run `fleetform pause --help`\./);
});
