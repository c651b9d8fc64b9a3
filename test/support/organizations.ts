import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveTwin, type ServedTwin } from '../../src/twin/serve.ts';
import { createTwin, type Twin } from '../../src/twin/twin.ts';
import { builtEntry } from './blackbox-build.ts';
import { gitIn } from './blackbox-record.ts';

/** An organization with a service of its own, which has its documents in `fleet/NAME`. */
export interface Organization {
  readonly name: string;
  readonly twin: Twin;
  readonly served: ServedTwin;
}

/** What one run of a job left. */
export interface JobRun {
  readonly organization: string;
  readonly code: number;
  readonly out: string;
  /** What it printed, wherever. */
  readonly said: string;
}

/** A repository of many organizations on this disk, and the bare one that all clones push to. */
export interface ManyFleets extends Disposable {
  readonly organizations: readonly Organization[];
  readonly bare: string;
  /** Runs a command on a new clone for the documents of an organization, as a job in CI does. */
  job(organization: Organization, args: readonly string[]): Promise<JobRun>;
  close(): Promise<void>;
}

/** The most common documents of a small organization: everything at any time, all of it in the canary. */
function documentsOf({ name, served }: Organization): string {
  return `service:
  baseUrl: ${served.url}
  organization: ${name}
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: {store: git, remote: origin, branch: fleetform-${name}-ledger}
firmware:
  others: {select: {not: {deviceType: camera}}, version: approved, windows: anytime}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 30d, headStart: 0d, spread: 0d, windows: anytime}
guardrails:
  default: {maxPercentOfFleet: 100%, maxChanges: 100}
`;
}

/** Starts a service for each of these organizations, and pushes their documents. */
export async function createManyFleets(names: readonly string[]): Promise<ManyFleets> {
  const root = mkdtempSync(join(tmpdir(), 'fleetform-many-'));
  const organizations: Organization[] = [];
  for (const [index, name] of names.entries()) {
    const clock = { now: () => Date.now() };
    const options = { clock, devices: 5, sites: 1, seed: index + 1, organization: name };
    const world = createTwin(options).save();
    // What is down or in maintenance may use up the budget of a small site, for ever here.
    for (const device of world.devices)
      Object.assign(device, { maintenance: false, condition: 'well', silent: false });
    const twin = createTwin({ clock, world, timeScale: 1200 });
    organizations.push({ name, twin, served: await serveTwin(twin, 0) });
  }
  const bare = join(root, 'bare.git');
  gitIn(root, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  const first = join(root, 'first');
  gitIn(root, 'clone', '--quiet', bare, first);
  for (const organization of organizations) {
    const folder = join(first, 'fleet', organization.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'fleet.yaml'), documentsOf(organization));
  }
  gitIn(first, 'add', '.');
  gitIn(first, '-c', 'user.name=Ada', '-c', 'user.email=ada@x.example', 'commit', '-qm', 'All');
  gitIn(first, 'push', '--quiet', 'origin', 'HEAD:main');
  let jobs = 0;
  return {
    organizations,
    bare,
    async job({ name, twin }, args) {
      const clone = join(root, `job-${(jobs += 1)}`);
      gitIn(root, 'clone', '--quiet', `file://${bare}`, clone);
      const user = twin.users.find(({ role }) => role === 'admin');
      const child = spawn(process.execPath, [builtEntry(), ...args, '--fleet', `fleet/${name}`], {
        cwd: clone,
        env: {
          PATH: process.env['PATH'],
          HOME: clone,
          CI: 'true',
          FLEETFORM_CLIENT_ID: user?.clientId ?? '',
          FLEETFORM_CLIENT_SECRET: user?.clientSecret ?? '',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [out, said] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      const [code] = (await once(child, 'close')) as [number | null];
      rmSync(clone, { recursive: true, force: true });
      return { organization: name, code: code ?? -1, out, said };
    },
    close: async () => {
      await Promise.all(organizations.map(({ served }) => served.close()));
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Calls `work` for each value, at most so many at a time, and returns the results in order. */
export async function inParallel<T, R>(
  values: readonly T[],
  most: number,
  work: (value: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < values.length; index = next++)
      results[index] = await work(values[index] as T);
  };
  await Promise.all(Array.from({ length: most }, lane));
  return results;
}
