import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE, type Env, type Place } from '../support/blackbox.ts';
import { builtEntry } from '../support/blackbox-build.ts';
import { HELD_AFTER_ONE, startTwin } from '../support/blackbox-twin.ts';

const BRANCH = 'fleetform-ledger';

/** The service, and two clones of one repository whose documents keep their ledger on a branch of its remote. */
async function createClones(one: Place, two: Place, faults: readonly object[] = []) {
  const bare = one.path('bare.git');
  git(one, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  one.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
  for (const place of [one, two]) {
    git(place, 'init', '--quiet', '--initial-branch=main');
    git(place, 'remote', 'add', 'origin', bare);
  }
  git(one, 'add', 'fleet');
  git(
    one,
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.com',
    'commit',
    '--quiet',
    '-m',
    'fleet',
  );
  git(one, 'push', '--quiet', 'origin', 'main');
  git(two, 'fetch', '--quiet', '--depth=1', `file://${bare}`, 'main');
  git(two, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
  const twin = await startTwin(one, { world: 'world.json', devices: 15, faults });
  const ids = () => git(one, '-C', bare, 'rev-list', '--reverse', BRANCH).split('\n');
  const ledger = () => ids().flatMap((id) => recordsAt(one, bare, id));
  return { twin, ledger };
}

describe.concurrent('two clones of one repository', PATIENCE, () => {
  it('apply at once: one runs, the other is told who, and no device is touched twice', async () => {
    using one = createPlace();
    using two = createPlace();
    const { twin, ledger } = await createClones(one, two);
    const admin = { ...twin.as('admin'), CI: 'true' };
    const runs = await Promise.all([one, two].map((place) => place.run('apply --yes', admin)));
    const [done, refused] = runs.sort((a, b) => Number(a.code) - Number(b.code));
    expect([done?.code, refused?.code]).toEqual([0, 6]);
    expect(refused?.err).toMatch(/Locked by \S+ on \S+, process \d+/);
    expect(refused?.err).toContain('fleetform unlock --reason');
    const again = await two.run('apply --yes', admin);
    expect(again.code).toBe(0);
    expect(again.err).not.toContain('started: ');
    await twin.stop();
    expect(twiceIn(one)).toEqual([]);
    const attempts = ledger().filter(({ type }) => type === 'ATTEMPT').length;
    expect(attempts).toBe(ledger().filter(({ type }) => type === 'RESULT').length);
    expect(git(two, 'status', '--porcelain', 'fleet')).toBe('');
  });

  it('go on for each other: what one was killed at, the other settles and finishes', async () => {
    using one = createPlace();
    using two = createPlace();
    const { twin, ledger } = await createClones(one, two, HELD_AFTER_ONE);
    const admin = { ...twin.as('admin'), CI: 'true' };
    const run = one.start('apply --yes', admin);
    await run.says(/started: /);
    run.signal('SIGKILL');
    await run.done;
    const resumed = await two.run('recover', admin);
    expect(resumed.code).toBe(0);
    expect(resumed.err).toMatch(/Took over the lock from \S+ on \S+, process/);
    expect(resumed.err).not.toContain('started: ');
    expect((await two.run('apply --yes', admin)).code).toBe(0);
    await twin.stop();
    expect(twiceIn(one)).toEqual([]);
    const verdicts = ledger().filter(({ type }) => type === 'SETTLED');
    expect(verdicts.length).toBeGreaterThan(3);
    expect(verdicts.filter(({ verdict }) => verdict !== 'done')).toEqual([]);
  });

  it('M24 believe of shared values only the files that their ledger names', async () => {
    using one = createPlace();
    using two = createPlace();
    const { twin, ledger } = await createClones(one, two);
    const admin = { ...twin.as('admin'), CI: 'true' };
    expect((await one.run('apply --yes', admin)).code).toBe(0);
    const named = ledger().flatMap(({ facts }) => facts ?? []);
    expect(named).toHaveLength(1);
    const plan = 'plan --max-reads 0 --format json';
    const honest = await two.run(plan, admin);
    expect(honest.err).not.toContain('in no record');
    const { facts } = (JSON.parse(honest.out) as { inputs: Inputs }).inputs;
    expect(facts?.used).toBeGreaterThan(0);
    forgeFacts(one);
    const forged = await two.run(plan, admin);
    expect(forged.err.replaceAll(/\s+/g, ' ')).toContain(
      'refs/heads/fleetform-facts are in no record of the ledger.',
    );
    const after = JSON.parse(forged.out) as { inputs: Inputs; outcome: number };
    expect(after.inputs.facts).toMatchObject({ used: 0, notRead: facts?.used });
    expect(after.outcome).toBe(7);
    await twin.stop();
  });

  it('Z7 a run that finds nothing to do pushes nothing', async () => {
    using one = createPlace();
    using two = createPlace();
    const { twin } = await createClones(one, two);
    const admin = { ...twin.as('admin'), CI: 'true' };
    const apply = async (place: Place): Promise<string> => {
      const { code, out, err } = await place.run('apply --yes', admin);
      expect(code, err).toBe(0);
      return out;
    };
    for (const place of [one, two, one]) await apply(place);
    const before = refsOf(one);
    expect(await apply(two)).toContain('No changes');
    expect(refsOf(one)).toBe(before);
    await twin.stop();
  });

  it('are safe from a run that nobody ends: once it is followed it attempts nothing more', async () => {
    using one = createPlace();
    using two = createPlace();
    const { twin, ledger } = await createClones(one, two, HELD_AFTER_ONE);
    const admin = { ...twin.as('admin'), CI: 'true' };
    startOrphan(one, admin);
    await until(() => one.read('log').includes('started: '));
    // Stands still meanwhile: it is held before its second task, and must not give up before the other has begun.
    const orphan = Number(one.read('pid'));
    process.kill(orphan, 'SIGSTOP');
    const taken = await two.run('recover --take-over', admin);
    process.kill(orphan, 'SIGCONT');
    expect(taken.err).toContain('Took over the lock from');
    await until(() => one.read('log').endsWith('ended 6\n'));
    expect(one.read('log')).toContain('error[leaseLost]');
    await twin.stop();
    expect(twiceIn(one)).toEqual([]);
    const types = ledger().map(({ type }) => type);
    expect(types.slice(types.lastIndexOf('LOCK'))).not.toContain('ATTEMPT');
  });
});

/** All branches and notes of the remote: a push moves one. */
function refsOf(place: Place): string {
  return git(place, '-C', place.path('bare.git'), 'for-each-ref');
}

/** Starts apply from a shell that ends at once, as a cancelled job leaves it; `log` has what it says and how it ends, `pid` its number. */
function startOrphan(place: Place, env: Env): void {
  const command = `node ${builtEntry()} apply --yes`;
  const life = `${command} > log 2>&1 & echo $! > pid; wait $!; echo "ended $?" >> log`;
  const script = `(${life}) > /dev/null 2>&1 &`;
  place.write('log', '');
  const all = { PATH: process.env['PATH'], HOME: place.folder, ...env };
  execFileSync('sh', ['-c', script], { cwd: place.folder, env: all });
}

/** Looks again and again at what another process does; how long that takes decides nothing. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(20);
}

function git(place: Place, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: place.folder, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd: place.folder, env, encoding: 'utf8' }).trim();
}

interface Inputs {
  readonly facts?: { readonly used: number; readonly notRead: number };
}

/** Somebody who may push the branch of shared values puts other instants into its file. */
function forgeFacts(place: Place): void {
  const branch = 'fleetform-facts';
  git(place, 'fetch', '--quiet', 'origin', branch);
  const text = git(place, 'show', 'FETCH_HEAD:00.jsonl').replaceAll(
    /T\d\d:\d\d:\d\dZ/g,
    'T00:00:00Z',
  );
  place.write('forged', `${text}\n\n`);
  const blob = git(place, 'hash-object', '-w', 'forged');
  git(place, 'read-tree', '--empty');
  git(place, 'update-index', '--add', '--cacheinfo', `100644,${blob},00.jsonl`);
  const who = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com'];
  const commit = git(place, ...who, 'commit-tree', git(place, 'write-tree'), '-m', 'facts');
  git(place, 'push', '--quiet', '--force', 'origin', `${commit}:refs/heads/${branch}`);
}

interface Body {
  readonly type: string;
  readonly facts?: string;
  readonly verdict?: string;
}

function recordsAt(place: Place, bare: string, id: string): readonly Body[] {
  const text = git(place, '-C', bare, 'show', `${id}:records.json`);
  const { records } = JSON.parse(text) as { records: readonly { readonly body: Body }[] };
  return records.map(({ body }) => body);
}

/** Each `task on device` that the service was given more than once; throws where it was given nothing. */
function twiceIn(place: Place): readonly string[] {
  const { tasks } = JSON.parse(place.read('world.json')) as World;
  const given = tasks.flatMap(({ type, deviceTasks }) =>
    deviceTasks.map(({ deviceId }) => `${type} on ${deviceId}`),
  );
  if (given.length === 0) throw new Error(`no device tasks`);
  return given.filter((one, n) => given.indexOf(one) !== n);
}

interface World {
  readonly tasks: readonly {
    readonly type: string;
    readonly deviceTasks: readonly { readonly deviceId: string }[];
  }[];
}
