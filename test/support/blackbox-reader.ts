import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'vitest';
import { builtEntry } from './blackbox-build.ts';
import type { Env, Place } from './blackbox.ts';

/** A command whose reader goes away after the first bytes says nothing of it, and ends with an exit code of its own. */
export async function expectQuietEnd(place: Place, admin: Env, args: string): Promise<void> {
  const child = spawn(process.execPath, [builtEntry(), ...args.split(' ')], {
    cwd: place.folder,
    env: { ...process.env, ...admin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  child.stdout.once('data', () => child.stdout.destroy());
  const err = await textOf(child.stderr);
  const [code] = await closed;
  expect(err).not.toMatch(/EPIPE|bug:|at .*\.js/);
  expect([0, 7]).toContain(code);
}
