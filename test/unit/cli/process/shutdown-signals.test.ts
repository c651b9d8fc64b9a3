import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createStopSignal } from '../../../../src/shell/stop-signal.ts';
import { processShell } from '../../../../src/cli/process/process.ts';
import { servingCommand } from '../../../../src/cli/program/run-command-line.ts';
import { listenForSignals } from '../../../../src/cli/process/shutdown-signals.ts';

/** A clock on which time passes where the test says so. */
function slowClock() {
  const sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((wake, reject) => {
      sleeps.push({ ms, wake });
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return {
    clock: { now: () => 0, monotonic: () => 0, sleep },
    waits: () => sleeps.map(({ ms }) => ms),
    pass: async (wanted: number) => {
      for (const { ms, wake } of sleeps) if (ms === wanted) wake();
      await new Promise((done) => setImmediate(done));
    },
  };
}

type SlowClock = ReturnType<typeof slowClock>;

function rig(
  { clock, waits, pass }: SlowClock = slowClock(),
  onReaderEnd?: () => void,
  onOrphan?: (() => void) | 'stays',
) {
  const process = Object.assign(new EventEmitter(), {
    ppid: 7,
    exitCode: undefined as number | undefined,
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    exits: [] as number[],
    exit: (code: number): void => void process.exits.push(code),
  });
  const stop = createStopSignal();
  const crashes: Error[] = [];
  const out: { isFree?: boolean } = {};
  const wants = listenForSignals(process as unknown as NodeJS.Process, {
    stop,
    out,
    clock,
    onCrash: (error) => crashes.push(error),
    ...(onReaderEnd && { onReaderEnd }),
    ...(onOrphan !== undefined && { onOrphan }),
  });
  return { process, stop, out, crashes, wants, waits, pass };
}

type Rig = ReturnType<typeof rig>;

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Each want, made twice. */
const WISHES: readonly [string, (one: Rig) => void, 'drain' | 'now'][] = [
  ['SIGINT', ({ process }) => process.emit('SIGINT'), 'now'],
  ['SIGTERM', ({ process }) => process.emit('SIGTERM'), 'now'],
  ['a terminal that hangs up', ({ process }) => process.emit('SIGHUP'), 'drain'],
  ['nobody reads', ({ process }) => process.stdout.emit('error', failed('EPIPE')), 'drain'],
  ['its terminal is gone', ({ process }) => process.stdout.emit('error', failed('EIO')), 'drain'],
  [
    'an uncaught exception',
    ({ process }) => process.emit('uncaughtException', new Error('x')),
    'drain',
  ],
  ['an unhandled rejection', ({ process }) => process.emit('unhandledRejection', 'x'), 'drain'],
];

describe('Z5 wishes to stop', () => {
  it.each(WISHES)('%s drains at first', (_, wish, twice) => {
    const one = rig();
    wish(one);
    expect(one.stop.requested).toBe('drain');
    wish(one);
    expect(one.stop.requested).toBe(twice);
    one.wants.dispose();
  });

  it('a signal after any of them leaves at once', () => {
    const { process, stop, wants } = rig();
    process.stdout.emit('error', failed('EPIPE'));
    process.emit('SIGTERM');
    expect(stop.requested).toBe('now');
    wants.dispose();
  });

  it('keeps and tells the first exception, and the process is to end with 1', () => {
    const { process, crashes, wants } = rig();
    process.emit('uncaughtException', new Error('first'));
    process.emit('uncaughtException', new Error('second'));
    expect(crashes.map(({ message }) => message)).toEqual(['first']);
    expect([wants.crash?.message, process.exitCode]).toEqual(['first', 1]);
    wants.dispose();
  });

  it('a second signal ends the process, whatever hangs in it', async () => {
    const { process, wants, waits, pass } = rig(slowClock());
    process.emit('SIGTERM');
    expect(waits()).not.toContain(2_000);
    process.emit('SIGINT');
    await pass(2_000);
    expect(process.exits).toEqual([7]);
    wants.dispose();
  });

  it('one signal ends a command that only reads, whatever hangs in it, and says so', async () => {
    const said: string[] = [];
    const { process, wants, pass } = rig(slowClock(), () => said.push('stopped'));
    process.emit('SIGTERM');
    expect([process.exits, said]).toEqual([[], []]);
    await pass(2_000);
    expect([process.exits, said]).toEqual([[7], ['stopped']]);
    wants.dispose();
  });

  it('an exception that nobody caught ends it too, once there was time for a record', async () => {
    const { process, wants, pass } = rig(slowClock());
    process.emit('unhandledRejection', new Error('x'));
    await pass(30_000);
    expect(process.exits).toEqual([1]);
    wants.dispose();
  });

  it('what ended in time is not ended again', async () => {
    const { process, wants, pass } = rig(slowClock());
    process.emit('SIGTERM');
    process.emit('SIGTERM');
    wants.dispose();
    await pass(2_000);
    expect(process.exits).toEqual([]);
  });

  it('does not mind a stdout on a full disk: what watches does not steer', () => {
    const { process, stop, wants } = rig();
    process.stdout.emit('error', failed('ENOSPC'));
    expect(stop.requested).toBe('no');
    wants.dispose();
  });

  it('does not mind a reader of events that leaves', () => {
    const { process, stop, out, wants } = rig();
    out.isFree = true;
    process.stdout.emit('error', failed('EPIPE'));
    expect(stop.requested).toBe('no');
    wants.dispose();
  });

  it('does not mind what nobody reads on stderr', () => {
    const { process, stop, wants } = rig();
    process.stderr.emit('error', new Error('EPIPE'));
    expect(stop.requested).toBe('no');
    wants.dispose();
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    '%s after the end is too late once, then ends it',
    (name) => {
      const { process, stop, wants } = rig();
      wants.dispose();
      expect(process.eventNames().toSorted()).toEqual(['SIGHUP', 'SIGINT', 'SIGTERM']);
      process.emit(name);
      expect([process.listenerCount(name), stop.requested]).toEqual([0, 'no']);
      expect(process.exits).toEqual([]);
    },
  );

  it('a second signal after the end ends the process at once, with the code of the run', () => {
    const { process, wants } = rig();
    process.emit('SIGINT');
    process.exitCode = 7;
    wants.dispose();
    process.emit('SIGTERM');
    expect(process.exits).toEqual([7]);
  });
});

describe('a twin in the background', () => {
  it('stops when the process that started it ends, and says so first', async () => {
    const said: string[] = [];
    const one = rig(slowClock(), undefined, () => said.push(one.stop.requested));
    one.process.ppid = 1;
    await one.pass(1_000);
    expect([said, one.stop.requested]).toEqual([['no'], 'drain']);
    one.wants.dispose();
  });

  it('stays where it was asked to, also when its terminal closes, until a signal', async () => {
    const one = rig(slowClock(), undefined, 'stays');
    one.process.ppid = 1;
    await one.pass(1_000);
    one.process.emit('SIGHUP');
    expect(one.stop.requested).toBe('no');
    one.process.emit('SIGTERM');
    expect(one.stop.requested).toBe('drain');
    one.wants.dispose();
  });

  it.each([
    [['twin'], 'twin'],
    [['-q', 'twin', '--keep-running'], 'stays'],
    [['twin', '--demo'], undefined],
    [['demo'], undefined],
    [['apply', '--keep-running'], undefined],
  ] as const)('%j is %s', (argv, serving) => {
    expect(servingCommand(argv)).toBe(serving);
  });
});

it('a process that has ended waits for nothing, such as a read for its next try (protocol Z4)', () => {
  const stream = () => Object.assign(new EventEmitter(), { write: () => true, isTTY: false });
  const process = Object.assign(new EventEmitter(), {
    env: {},
    pid: 8,
    ppid: 7,
    cwd: () => '/',
    stdin: stream(),
    stdout: stream(),
    stderr: stream(),
  });
  const shell = processShell(process as unknown as NodeJS.Process);
  process.emit('SIGINT');
  expect(shell.stop.signal.aborted).toBe(false);
  shell.dispose();
  expect(shell.stop.signal.aborted).toBe(true);
});
