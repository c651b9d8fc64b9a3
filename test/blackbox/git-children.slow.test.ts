import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { createPlace, type Place } from '../support/blackbox.ts';

const PATH = process.env['PATH'] ?? '';

/** A git that says its process id and never ends at one of its commands, and is the real one at all others. */
function slowGit(place: Place, command: string): { readonly PATH: string } {
  mkdirSync(place.path('bin'));
  const script = [
    '#!/bin/sh',
    `for word in "$@"; do if [ "$word" = ${command} ]; then`,
    `  echo $$ > '${place.path('pid.new')}'; mv '${place.path('pid.new')}' '${place.path('pid')}'`,
    '  exec sleep 600',
    'fi; done',
    `PATH='${PATH}' exec git "$@"`,
  ];
  writeFileSync(place.path('bin/git'), `${script.join('\n')}\n`, { mode: 0o755 });
  return { PATH: `${place.path('bin')}:${PATH}` };
}

async function pidIn(place: Place): Promise<number> {
  for (;;) {
    try {
      return Number(place.read('pid'));
    } catch {
      await systemClock.sleep(50);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ended(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 100 && isAlive(pid); looks += 1) await systemClock.sleep(50);
  if (!isAlive(pid)) return true;
  process.kill(pid, 'SIGKILL');
  return false;
}

const LEDGER =
  '  organization: acme\n  ledger: {store: git, remote: origin, branch: fleetform-ledger}';

describe.concurrent('a git that never ends', { timeout: 120_000 }, () => {
  it.each([
    ['in the clone', 'rev-parse', 'SIGTERM'],
    ['in the clone', 'rev-parse', 'SIGINT'],
    ['at the remote of the ledger', 'ls-remote', 'SIGTERM'],
  ] as const)('%s (%s) ends with the command that %s ends', async (_, command, signal) => {
    using place = createPlace();
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: place.folder });
    git('init', '-q');
    git('init', '-q', '--bare', place.path('remote'));
    git('remote', 'add', 'origin', place.path('remote'));
    place.edit('fleet/service.yaml', '  organization: acme', LEDGER);
    const env = {
      ...slowGit(place, command),
      FLEETFORM_CLIENT_ID: 'a',
      FLEETFORM_CLIENT_SECRET: 'b',
    };
    const run = place.start('plan --service http://127.0.0.1:9', env);
    const pid = await pidIn(place);
    expect(isAlive(pid)).toBe(true);
    // One signal is enough for a command that only reads.
    run.signal(signal);
    const { code, err } = await run.done;
    expect([code, err]).toEqual([7, expect.stringContaining('Stopped by a signal.')]);
    expect(await ended(pid)).toBe(true);
  });
});
