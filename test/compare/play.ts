// Plays every case with one build: `play.ts BUILD RESULTS FLEETS SEED ONLY`, a line of JSON for each case; see compare.mjs.
import childProcess, { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { run } from '../../src/cli/program/run-command-line.ts';
import { settleWatched } from '../support/canary-watch.ts';
import type { Night } from '../support/night.ts';
import { casesOf, type Case } from './cases.ts';

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g;

/** Where a build has the function that runs a command line. */
const ENTRIES = ['cli/program/run-command-line.js', 'cli/run-command-line.js', 'cli/run.js'];

const [, , build = '', results = '', fleets = '0', seed = '1', only = ''] = process.argv;
const entry = ENTRIES.map((path) => join(build, 'dist', path)).find((path) => existsSync(path));
if (entry === undefined) throw new Error(`${build} has none of ${ENTRIES.join(', ')}`);
withoutPrograms();
await loadAll(join(build, 'dist'));
const loaded = (await import(pathToFileURL(entry).href)) as { run: typeof run };
for (const each of casesOf(Number(fleets), Number(seed))) {
  if (!each.name.includes(only)) continue;
  const steps = await played(each);
  appendFileSync(results, `${JSON.stringify({ name: each.name, steps })}\n`);
  settleWatched();
}

/** There is no git for the builds: starting it took half of the time, and virtual time cannot see what it waits for. */
function withoutPrograms(): void {
  const spawn = (name: string): ChildProcess => {
    const child = new ChildProcess();
    Object.assign(child, { stdout: new PassThrough(), stderr: new PassThrough() });
    const error = Object.assign(new Error(`spawn ${name} ENOENT`), { code: 'ENOENT' });
    setImmediate(() => {
      child.emit('error', error);
      child.emit('close', -2, null);
    });
    return child;
  };
  Object.assign(childProcess, { spawn });
  syncBuiltinESMExports();
}

/** Loads every module: virtual time cannot see that a command loads one, and would go on. */
async function loadAll(dist: string): Promise<void> {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((path) => /^[a-z].*\/.*\.js$/.test(path)).toSorted()) {
    if (!/^run\/|\/page\//.test(name)) await import(pathToFileURL(join(dist, name)).href);
  }
}

interface Step {
  readonly command: string;
  readonly parts: Readonly<Record<string, unknown>>;
}

async function played(each: Case): Promise<readonly Step[]> {
  const requests: string[] = [];
  const night = await each.night({ run: loaded.run, requests });
  const steps: Step[] = [];
  for (const command of each.commands) {
    if (typeof command === 'number') {
      night.skip(command);
      continue;
    }
    requests.length = 0;
    const { exit, out, err } = await night.run(command);
    const printed = partsOf(out, err);
    const records = command.startsWith('apply') ? { records: recordsOf(night) } : {};
    steps.push({ command, parts: { exit, ...printed, requests: [...requests], ...records } });
  }
  return steps;
}

/** What a command printed, by what a reader looks for. */
function partsOf(out: string, err: string): Readonly<Record<string, unknown>> {
  const json = parsed(out);
  if (json === undefined) return { output: out.split('\n'), messages: err.split('\n') };
  const { changes, id, digest, inputs, outcome, ...rest } = json;
  if (!Array.isArray(changes) || inputs === undefined) return { output: json };
  const rows = changes as readonly { readonly id: string }[];
  return {
    outcome,
    order: rows.map((row) => row.id),
    IDs: { id, digest, inputs },
    decisions: Object.fromEntries(rows.map((row) => [row.id, row])),
    plan: rest,
  };
}

function parsed(out: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(out) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** The records of the ledger without what follows from the moment and from what comes before. */
function recordsOf({ folder }: Night): readonly unknown[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => /\.jsonl?$/.test(name));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line, timeless) as unknown),
  );
}

function timeless(key: string, value: unknown): unknown {
  if (key === 'hash' || key === 'prev') return '<hash>';
  return typeof value === 'string' ? value.replace(INSTANT, '<time>') : value;
}
