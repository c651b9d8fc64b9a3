import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock, Credentials } from '../../../src/model/ports.ts';
import { commandSource } from '../../../src/shell/credentials.ts';
import { errorWords } from '../../../src/render/words/errors.ts';
import { WorldError, type Params } from '../../../src/model/error.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = scratchFolder('credential-command');
const NOW = Date.parse('2026-11-29T12:00:00Z');
const SECRET = 'a-secret-of-a-vault';
const GIVEN = { version: 1, clientId: 'id', clientSecret: SECRET };

/** A clock on which nobody waits but by hand; of the time limit, only the end is played. */
function stillClock(): Clock & { pass(): void } {
  let pass = (): void => undefined;
  return {
    now: () => NOW,
    monotonic: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        expect(ms).toBe(30_000);
        pass = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    pass: () => pass(),
  };
}

interface Asked {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

let programs = 0;

/** A program of the shell with this body. */
function program(body: string): string {
  const path = join(folder, `program-${(programs += 1)}`);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o700 });
  return path;
}

function ask(path: string, asked: Asked = {}): Promise<Credentials> {
  const { args = [], env = {}, clock = stillClock() } = asked;
  const use = { env: { PATH: process.env['PATH'], ...env }, clock };
  const service = { organization: 'acme', baseUrl: 'https://api.example.com/eu/' };
  return commandSource(JSON.stringify([path, ...args]), { ...use, ...service })(asked.signal);
}

/** A program that prints this and nothing else. */
function printing(text: string): string {
  return program(`cat <<'END'\n${text}\nEND`);
}

function refused(path: string, params: Params): unknown {
  const all = { program: path, ...params };
  return expect.objectContaining({ code: 'credentialCommandFailed', params: all });
}

/** Waits for a file that a program writes, without time. */
async function appears(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await setImmediate();
  return readFileSync(path, 'utf8').trim();
}

/** Waits for the end of a process that is no child of this one. */
async function ended(pid: number): Promise<void> {
  const isGone = (): boolean => {
    try {
      process.kill(pid, 0);
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  while (!isGone()) await setImmediate();
}

describe.skipIf(process.platform === 'win32')('a credential command', () => {
  it('gives what it prints, each time it is asked', async () => {
    expect(await ask(printing(JSON.stringify(GIVEN)))).toMatchObject({
      clientId: 'id',
      clientSecret: SECRET,
    });
    const until = JSON.stringify({ ...GIVEN, expiresAt: '2026-11-29T14:00:00+01:00', more: 1 });
    const { expiresAt } = await ask(printing(until));
    expect(expiresAt).toBe(Date.parse('2026-11-29T13:00:00Z'));
  });

  it('gets its arguments as they are, the service, and no setting or secret of fleetform', async () => {
    const seen = join(folder, 'seen');
    const path = program(`printf '%s\\n' "$@" > ${seen}
pwd >> ${seen}; cat >> ${seen}; env | grep -i ^fleetform | sort >> ${seen}
echo '${JSON.stringify(GIVEN)}'`);
    await ask(path, {
      args: ['$(id) && x', '*'],
      env: { FLEETFORM_BASE_URL: 'x', FLEETFORM_WEBHOOK_SECRET: 'y', fleetform_other: 'z' },
    });
    expect(readFileSync(seen, 'utf8').trimEnd().split('\n')).toEqual([
      '$(id) && x',
      '*',
      folder,
      'FLEETFORM_CREDENTIAL_ORGANIZATION=acme',
      'FLEETFORM_CREDENTIAL_ORIGIN=https://api.example.com',
    ]);
  });

  it.each([
    ['no list', '"/bin/true"'],
    ['a line of a shell', '/bin/true --all'],
    ['a relative path', '["vault", "read"]'],
    ['an empty list', '[]'],
    ['what is no text', '["/bin/true", 1]'],
    ['what no argument can be', '["/bin/true", "a\\u0000b"]'],
  ])('is not %s, which is refused at once and not repeated', (_, value) => {
    const use = { env: {}, clock: stillClock(), organization: '', baseUrl: '' };
    const found = { code: 'credentialCommandFailed', params: { why: 'setting' } };
    expect(() => commandSource(value, use)).toThrow(expect.objectContaining(found));
  });

  it.each<[string, string, string]>([
    ['garbage', `${SECRET}`, 'form'],
    ['nothing', '', 'form'],
    ['a list', `[${JSON.stringify(GIVEN)}]`, 'form'],
    ['two objects', `${JSON.stringify(GIVEN)}\n${JSON.stringify(GIVEN)}`, 'form'],
    ['no secret', '{"version":1,"clientId":"id"}', 'form'],
    ['an empty ID', JSON.stringify({ ...GIVEN, clientId: '' }), 'form'],
    ['a number as secret', JSON.stringify({ ...GIVEN, clientSecret: 12 }), 'form'],
    ['another version', JSON.stringify({ ...GIVEN, version: 2 }), 'version'],
    ['a version as text', JSON.stringify({ ...GIVEN, version: '1' }), 'version'],
    ['no version', JSON.stringify({ clientId: 'id', clientSecret: SECRET }), 'version'],
    ['an end without a form', JSON.stringify({ ...GIVEN, expiresAt: 'tomorrow' }), 'form'],
    ['no end at all', JSON.stringify({ ...GIVEN, expiresAt: null }), 'form'],
    ['an end now', JSON.stringify({ ...GIVEN, expiresAt: '2026-11-29T12:00:00Z' }), 'expired'],
  ])('that prints %s is refused, and nothing of it is shown', async (_, text, why) => {
    const path = printing(text);
    const error = await ask(path).catch((caught: unknown) => caught);
    expect(error).toEqual(refused(path, { why }));
    expect(JSON.stringify(error, ['message', 'params', 'cause', 'stack'])).not.toContain(SECRET);
  });

  it('that fails is named with its exit code or signal, without what it said', async () => {
    const failing = program(`echo ${SECRET}; echo ${SECRET} >&2; exit 3`);
    const error = await ask(failing).catch((caught: unknown) => caught);
    expect(error).toEqual(refused(failing, { why: 'exit', cause: 'exit code 3' }));
    const { code, params } = error as WorldError;
    const { summary, next } = errorWords(code, params);
    expect(`${summary} ${next}`).toBe(
      `The credential command ${failing} failed: it ended with an error (exit code 3). Run ${failing} by itself to see why: fleetform shows nothing that it prints.`,
    );
    const dying = program('kill -TERM $$');
    await expect(ask(dying)).rejects.toEqual(refused(dying, { why: 'exit', cause: 'SIGTERM' }));
  });

  it('that is not there or no program is named with the code of the system', async () => {
    const none = join(folder, 'none');
    await expect(ask(none)).rejects.toEqual(refused(none, { why: 'absent', cause: 'ENOENT' }));
    const text = join(folder, 'text');
    writeFileSync(text, 'no program', { mode: 0o600 });
    await expect(ask(text)).rejects.toEqual(refused(text, { why: 'absent', cause: 'EACCES' }));
  });

  it('that prints more than 64 KB is killed', async () => {
    const path = program(
      'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done',
    );
    await expect(ask(path)).rejects.toEqual(refused(path, { why: 'tooLarge' }));
  });

  it('may say as much as it wants on stderr', async () => {
    const path = program(
      `head -c 300000 /dev/zero >&2\necho '${JSON.stringify({ ...GIVEN, more: 'x'.repeat(60_000) })}'`,
    );
    expect(await ask(path)).toMatchObject({ clientId: 'id' });
  });

  it('that hangs is killed with all that it started after 30 s', async () => {
    const pids = join(folder, 'pids');
    const path = program(
      `trap '' TERM INT HUP\nsleep 1000 &\necho "$$ $!" > ${pids}.new; mv ${pids}.new ${pids}; wait; wait`,
    );
    const clock = stillClock();
    const answer = ask(path, { clock }).catch((error: unknown) => error);
    const own = await appears(pids);
    clock.pass();
    expect(await answer).toEqual(refused(path, { why: 'late' }));
    await Promise.all(own.split(' ').map((pid) => ended(Number(pid))));
  });

  it('that leaves a process with its output open is killed with it', async () => {
    const pid = join(folder, 'left');
    const path = program(`sleep 1000 &\necho $! > ${pid}; echo '${JSON.stringify(GIVEN)}'`);
    const clock = stillClock();
    const answer = ask(path, { clock }).catch((error: unknown) => error);
    const left = await appears(pid);
    clock.pass();
    expect(await answer).toEqual(refused(path, { why: 'late' }));
    await ended(Number(left));
  });

  it('ends with the command that asked it', async () => {
    const pid = join(folder, 'stopped');
    const path = program(`echo $$ > ${pid}; exec sleep 1000`);
    const stop = new AbortController();
    const answer = ask(path, { signal: stop.signal }).catch((error: unknown) => error);
    const own = await appears(pid);
    stop.abort(new Error('stopped'));
    expect(await answer).toBe(stop.signal.reason);
    await ended(Number(own));
    await expect(ask(path, { signal: stop.signal })).rejects.toBe(stop.signal.reason);
  });
});
