import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../src/cli/program/program.ts';
import { run } from '../../../../src/cli/program/run-command-line.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { createStopSignal } from '../../../../src/shell/stop-signal.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { START } from '../../../support/twin-rig.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

/** Addresses without an origin, so that a comparison of origins would find them all equal. */
const OPAQUE = ['file:///x', 'data:', 'about:blank', 'https:///x'];

const cwd = scratchFolder('opaque');
cpSync(join(process.cwd(), 'fleet'), join(cwd, 'fleet'), { recursive: true });

/** What each command that takes `--service` needs besides. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  plan: '',
  apply: '--yes',
  recover: '',
  unpause: 'fleet --reason try',
  pause: 'fleet --reason try',
  withdraw: 'rotations.camera-passwords --reason try',
  resolve: 'some-intent --as done --reason try --by Ann',
  unlock: '--reason try --by Ann',
  'ledger move': '--reason try',
  status: '',
  why: 'dev-1',
  drift: '',
  rehearse: '',
  report: '',
  audit: '',
  get: 'devices',
  doctor: '',
  import: '--dry-run',
  init: '--fleet other',
  'init incident': '--rotate password --site Lyon --ticket SEC-1',
};

function createShell() {
  const sent: string[] = [];
  const shell: Shell & { readonly err: ReturnType<typeof outputDouble> } = {
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      FLEETFORM_CLIENT_ID: 'one',
      FLEETFORM_CLIENT_SECRET: 'not-a-secret',
    },
    cwd,
    out: outputDouble(),
    err: outputDouble(),
    ask: undefined,
    clock: createVirtualClock(START),
    random: () => 0.5,
    stop: createStopSignal(),
    identity: { host: 'h', pid: 1, startedAt: '', label: 'x', isAlive: () => false },
    openTransport: async () => ({
      transport: async ({ url }) => {
        sent.push(url);
        throw new Error('sent');
      },
      close: async () => undefined,
    }),
  };
  return { shell, sent };
}

/** The commands of the program, with those below them, that take `--service`. */
function servedBy(command: Command, above: string): readonly string[] {
  return command.commands.flatMap((each) => {
    const name = `${above}${each.name()}`;
    const takesIt = each.options.some(({ long }) => long === '--service');
    return [...(takesIt ? [name] : []), ...servedBy(each, `${name} `)];
  });
}

const SERVED = servedBy(
  createProgram(createShell().shell, () => undefined),
  '',
);

/** It takes the options of `init`. */
const BELOW = 'init incident';

describe('an address without an origin is refused before anything is sent', () => {
  it('by each of the commands that take --service', () => {
    expect([...SERVED, BELOW].sort()).toEqual(Object.keys(ARGUMENTS).sort());
  });

  // `plan` with each address, all others with two of the four in turn.
  it.each([...SERVED, BELOW].map((command, nth) => [command, nth] as const))(
    '%s --service URL',
    async (command, nth) => {
      const tried =
        command === 'plan' ? OPAQUE : OPAQUE.filter((_, index) => index % 2 === nth % 2);
      for (const address of tried) {
        const { shell, sent } = createShell();
        const rest = (ARGUMENTS[command] ?? '').split(' ').filter((word) => word !== '');
        const exit = await run([...command.split(' '), ...rest, '--service', address], shell);
        expect({ exit, sent }).toEqual({ exit: 1, sent: [] });
        expect(shell.err.text()).toContain('error[baseUrlUnsafe]');
        expect(shell.err.text()).toContain(address);
      }
    },
  );
});
