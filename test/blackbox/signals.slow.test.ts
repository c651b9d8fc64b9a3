import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { createPlace, PATIENCE, type Env, type Place } from '../support/blackbox.ts';
import { builtEntry } from '../support/blackbox-build.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const STUCK = [{ match: { taskType: 'upgradeFirmware' }, fault: { type: 'stuckTask' } }];

/** How CI may start a command; only the first two let its cancel reach us (protocol Z6). */
const LAUNCHES: readonly [
  form: string,
  argv: (entry: string) => readonly string[],
  drains: boolean,
][] = [
  ['node', (entry) => [process.execPath, entry, 'apply', '--yes'], true],
  ['exec', (entry) => ['bash', '-c', `exec '${process.execPath}' '${entry}' apply --yes`], true],
  ['bash', (entry) => ['bash', '-c', `'${process.execPath}' '${entry}' apply --yes; true`], false],
  ['npm run', () => ['npm', 'run', '--silent', 'apply'], false],
  ['npx', () => ['npx', '--no', 'fleetform', 'apply', '--yes'], false],
];

interface Launched {
  readonly child: ChildProcess;
  said(): string;
  says(pattern: RegExp): Promise<void>;
}

function launch(place: Place, [command = '', ...args]: readonly string[], env: Env): Launched {
  const child = spawn(command, args, {
    cwd: place.folder,
    env: { PATH: process.env['PATH'], HOME: place.folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      for (const look of looks) look();
    });
  }
  const says = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (pattern.test(said) && resolve());
      looks.add(look);
      look();
    });
  return { child, said: () => said, says };
}

/** Processes that run a fleetform apply in this place. */
function applies(place: Place): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const cwd = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${place.folder}`);
        return cwd && /main\.js\0apply/.test(line) && line.startsWith(process.execPath);
      } catch {
        return false;
      }
    });
}

/** Devices that the service was given a task for, each time. */
function given(place: Place): readonly string[] {
  interface World {
    readonly tasks: readonly {
      readonly type: string;
      readonly deviceTasks: readonly { readonly deviceId: string }[];
    }[];
  }
  const { tasks } = JSON.parse(place.read('world.json')) as World;
  return tasks.flatMap(({ type, deviceTasks }) =>
    deviceTasks.map((one) => `${type} ${one.deviceId}`),
  );
}

/** A place that may be written to from CI, with every way to start fleetform in it. */
function prepare(place: Place): string {
  const entry = builtEntry();
  const script = `'${process.execPath}' '${entry}' apply --yes`;
  place.write('package.json', JSON.stringify({ scripts: { apply: script } }));
  place.edit(
    'fleet/service.yaml',
    '  organization: acme',
    `  organization: acme\n  ledger: {store: directory, path: .fleetform}`,
  );
  mkdirSync(place.path('node_modules/.bin'), { recursive: true });
  const wrapper = `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`;
  writeFileSync(place.path('node_modules/.bin/fleetform'), wrapper, { mode: 0o755 });
  return entry;
}

async function untilNobodyApplies(place: Place): Promise<void> {
  while (applies(place).length > 0) await systemClock.sleep(200);
}

describe.concurrent('a cancelled job', PATIENCE, () => {
  it.each(LAUNCHES)('that started it by %s is safe', async (_, argv, drains) => {
    using place = createPlace();
    const entry = prepare(place);
    const twin = await startTwin(place, { world: 'world.json' });
    const env = { ...twin.as('admin'), CI: 'true', npm_config_update_notifier: 'false' };
    const run = launch(place, argv(entry), env);
    await run.says(/started: /);
    run.child.kill('SIGTERM');
    const [code] = (await once(run.child, 'exit')) as [number | null];
    if (drains) {
      expect(code, run.said()).toBe(7);
      expect(place.ledger().at(-1)?.type).toBe('RELEASE');
    } else {
      expect(run.said()).toContain('in CI, which does not forward the signals of a canceled job');
      await untilNobodyApplies(place);
    }
    const next = await place.run('apply --yes', env);
    expect(next.code, next.err).toBe(0);
    await twin.stop();
    expect(given(place).length).toBeGreaterThan(0);
    expect(new Set(given(place)).size).toBe(given(place).length);
  });
});

describe('a run whose parent is gone', PATIENCE, () => {
  it('drains, as after a first signal', async () => {
    using place = createPlace();
    const entry = prepare(place);
    const twin = await startTwin(place, { faults: STUCK });
    const run = launch(
      place,
      ['bash', '-c', `'${process.execPath}' '${entry}' apply --yes; true`],
      {
        ...twin.as('admin'),
      },
    );
    await run.says(/started: /);
    run.child.kill('SIGKILL');
    await untilNobodyApplies(place);
    expect(place.ledger().at(-1)?.type).toBe('RELEASE');
  });
});

describe('a run whose terminal hangs up', PATIENCE, () => {
  it('drains, as after a first signal', async () => {
    using place = createPlace();
    const entry = prepare(place);
    const twin = await startTwin(place, { faults: STUCK });
    const run = launch(place, [process.execPath, entry, 'apply', '--yes'], twin.as('admin'));
    await run.says(/started: /);
    run.child.kill('SIGHUP');
    const [code] = (await once(run.child, 'exit')) as [number | null];
    expect([code, place.ledger().at(-1)?.type]).toEqual([7, 'RELEASE']);
  });
});

describe('a long output', PATIENCE, () => {
  it('arrives whole in a pipe that is read late', async () => {
    using place = createPlace();
    const entry = prepare(place);
    const twin = await startTwin(place, { devices: 3_000 });
    const child = spawn(process.execPath, [entry, 'get', 'devices', '-o', 'json'], {
      cwd: place.folder,
      env: { PATH: process.env['PATH'], ...twin.as('admin') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await systemClock.sleep(3_000);
    const out = await text(child.stdout);
    expect(out.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(() => JSON.parse(out) as unknown).not.toThrow();
  });
});
