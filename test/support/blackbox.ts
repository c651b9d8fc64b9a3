import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtEntry, ROOT } from './blackbox-build.ts';
import { objectsLeft } from './canary-git.ts';
import { isWhole } from './campaign.ts';
import { filesLeft, search, secretsOf, settle, type Left } from './canary.ts';

/** What a finished command left behind. `code` is the signal's name where one ended it. */
export interface Done {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface Running {
  readonly done: Promise<Done>;
  /** The first text of stdout or stderr that matches; rejects when the command ends without. */
  says(pattern: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
}

export type Env = Readonly<Record<string, string>>;

/** A folder of its own with documents, where commands run. Dispose it, and it and what still runs there is gone. */
export interface Place extends Disposable {
  readonly folder: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  /** Writes a file in a folder that may not be there yet. */
  make(name: string, text: string): void;
  /** Removes a folder with all that is in it. */
  clear(name: string): void;
  /** Replaces a text in a document; throws where it is not there. */
  edit(name: string, from: string, to: string): void;
  /** Starts the built command line. */
  start(args: string, env?: Env): Running;
  /** Runs a command to its end: in this process, or where it `isBuilt`, as `start` does. */
  run(args: string, env?: Env): Promise<Done>;
  /** Bodies of all ledger records, in their order; none where there is no ledger. */
  ledger(): readonly { readonly type: string }[];
  /** Requests that a `--trace FILE` has; none where there is no file. */
  trace(name: string): readonly Traced[];
}

export interface Traced {
  readonly method: string;
  readonly path: string;
  readonly status?: number;
}

/** For tests and hooks that wait for processes: a loaded machine is slow, and that is no failure. */
export const PATIENCE = { timeout: 600_000 };

const FAST = '  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}';

/**
 * A place with the example documents of this repository, at a pace that a twin bears. `isBuilt`: every command is a
 * process of the built command line, as in the whole campaign; it loads all of the program, which costs several times
 * what most commands do.
 */
export function createPlace({ isBuilt = isWhole }: { isBuilt?: boolean } = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), 'fleetform-blackbox-'));
  const running = new Set<Running>();
  const given = new Map<string, string>();
  const secrets = new Set<string>();
  const said: Left[] = [];
  cpSync(join(ROOT, 'fleet'), join(folder, 'fleet'), { recursive: true });
  const path = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  const write = (name: string, text: string): void => {
    given.set(name, text);
    writeFileSync(path(name), text);
  };
  write('fleet/service.yaml', read('fleet/service.yaml').replace(/^ {2}pace: .*$/m, FAST));
  const start = (args: string, env: Env = {}): Running => {
    const command = startIn(folder, args, env);
    running.add(command);
    for (const secret of secretsOf(env)) secrets.add(secret);
    void command.done.then(({ out, err }) => {
      running.delete(command);
      // The twin says on purpose how to log in, and keeps that in the file of its world.
      if (!args.startsWith('twin ')) said.push({ name: `stdout of ${args}`, text: out });
      said.push({ name: `stderr of ${args}`, text: err });
    });
    return command;
  };
  const run = async (args: string, env: Env = {}): Promise<Done> => {
    if (isBuilt) return start(args, env).done;
    for (const secret of secretsOf(env)) secrets.add(secret);
    const { runHere } = await import('./run-here.ts');
    const all = { PATH: process.env['PATH'] ?? '', HOME: folder, ...env };
    const done = await runHere(folder, args.split(' '), all);
    said.push({ name: `stdout of ${args}`, text: done.out });
    said.push({ name: `stderr of ${args}`, text: done.err });
    return done;
  };
  return {
    folder,
    path,
    read,
    write,
    make: (name, text) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      write(name, text);
    },
    clear: (name) => rmSync(path(name), { recursive: true, force: true }),
    edit: (name, from, to) => {
      if (!read(name).includes(from)) throw new Error(`${name} does not have ${from}`);
      write(name, read(name).replace(from, to));
    },
    start,
    run,
    ledger: () => ledgerIn(path('.fleetform')),
    trace: (name) => (existsSync(path(name)) ? jsonLines<Traced>(read(name)) : []),
    [Symbol.dispose]: () => {
      for (const command of running) command.signal('SIGKILL');
      const files = [...filesLeft(folder, given)].filter(({ name }) => !isWorld(name));
      const searched = search([...said, ...files, ...objectsLeft(folder)], secrets);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      settle(searched);
    },
  };
}

function isWorld(name: string): boolean {
  return /(?:^|\/)[^/]*world[^/]*$/.test(name);
}

function startIn(cwd: string, args: string, env: Env): Running {
  const child = spawn(process.execPath, [builtEntry(), ...args.split(' ')], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const hear = (stream: 'out' | 'err') => (text: string) => {
    said[stream] += text;
    for (const look of waiting) look();
  };
  child.stdout.setEncoding('utf8').on('data', hear('out'));
  child.stderr.setEncoding('utf8').on('data', hear('err'));
  const done = once(child, 'close').then(([code, signal]): Done => ({
    code: (code as number | null) ?? (signal as string),
    ...said,
  }));
  return {
    done,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(said.out) ?? pattern.exec(said.err);
          if (match) resolve(match[0]);
        };
        waiting.add(look);
        look();
        void done.then(() => {
          reject(new Error(`ended without ${String(pattern)}:\n${said.out}\n${said.err}`));
        });
      }),
    signal: (name) => void child.kill(name),
  };
}

function ledgerIn(folder: string): readonly { readonly type: string }[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const segment = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Segment;
      return segment.records.map(({ body }) => body);
    });
}

interface Segment {
  readonly records: readonly { readonly body: { readonly type: string } }[];
}

/** Each line of a text as JSON. */
export function jsonLines<T>(text: string): readonly T[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}

/** How a command failed: in text and, run once more, in JSON mode. */
export interface Failure {
  readonly text: Done;
  readonly json: Done;
  /** What JSON mode says under `error`. */
  readonly error: { readonly code: string; readonly summary: string; readonly next: string };
}

/**
 * Runs a command that is to fail, in one format after the other; throws where JSON mode prints anything but one JSON
 * value.
 */
export async function failureOf(place: Place, args: string, env?: Env): Promise<Failure> {
  const text = await place.run(args, env);
  const json = await place.run(`${args} --format json`, env);
  const { error } = JSON.parse(json.out) as Pick<Failure, 'error'>;
  return { text, json, error };
}
