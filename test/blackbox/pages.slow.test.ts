import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/blackbox-build.ts';
import { createPlace, PATIENCE, type Env, type Place } from '../support/blackbox.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { builtCommandEnv, openShell, runInShell } from '../support/page-shell.ts';
import { pageSteps } from '../support/page-steps.ts';
import { walkPage } from '../support/page-walk.ts';

const FAST = '  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}\n';

const DOCUMENTS = `service:
  baseUrl: https://api.example.com
  organization: acme
${FAST}  ledger: {store: git, remote: origin, branch: fleetform-ledger}
firmware:
  axis:
    select: {vendor: Axis}
    version: approved
    rollout: quick
    windows: anytime
rollouts:
  quick: {waves: [WAVES], batch: 1}
budgets:
  axis-at-once: {select: {vendor: Axis}, per: fleet, maxUnavailable: 3}
`;

const TWO_WAVES = '{name: canary, size: 2, soak: 0s}, {name: rest, percent: 100%}';
const ONE_WAVE = '{name: all, percent: 100%}';

/** What a scene gives the commands of its page, and what must hold behind them. */
interface Scene {
  readonly env: Env;
  after?(): Promise<void>;
}

/** How the fleet got into the state that a page begins with. */
const SCENES: Readonly<Record<string, (place: Place) => Promise<Scene>>> = {
  'docs/runbooks/lost-runner.md': async (place) => {
    const twin = await fleetWith(place, TWO_WAVES);
    const lost = place.start('apply --yes', twin.as('admin'));
    await lost.says(/started: /);
    lost.signal('SIGSTOP');
    const after = async (): Promise<void> => {
      lost.signal('SIGCONT');
      expect((await lost.done).code).toBe(6);
    };
    return { env: twin.as('admin'), after };
  },
  'docs/runbooks/drift.md': async (place) => {
    const twin = await fleetWith(place, ONE_WAVE);
    const port = Number(new URL(twin.ready.url).port);
    // Devices between two steps of an upgrade cool down, so that changes remain.
    expect((await place.run('apply --yes', twin.as('admin'))).code).toBe(7);
    await twin.stop();
    edited(place, 'world.json', (text) =>
      text.replace(/("id":"dev-7"[^{}]*?"firmwareVersion":")[^"]*/, '$111.8.1'),
    );
    return {
      env: (await startTwin(place, { devices: 40, world: 'world.json', port })).as('admin'),
    };
  },
  'docs/runbooks/stop-everything.md': async (place) => {
    const twin = await fleetWith(place, ONE_WAVE);
    const atWork = place.start('apply --yes', twin.as('admin'));
    await atWork.says(/started: /);
    atWork.signal('SIGKILL');
    await atWork.done;
    return { env: twin.as('admin') };
  },
  'docs/runbooks/leaked-password.md': async (place) => {
    const twin = await fleetWith(place, ONE_WAVE);
    edited(place, 'fleet/fleet.yaml', (text) => text.slice(0, text.indexOf('firmware:')));
    const env = twin.as('admin');
    const after = async (): Promise<void> => {
      const { counts } = JSON.parse((await place.run('plan --format json', env)).out) as Plan;
      expect(counts.run).toBe(0);
      expect(counts.note).toBeGreaterThan(0);
    };
    return { env, after };
  },
  'docs/runbooks/failed-canary.md': async (place) => {
    const match = { taskType: 'upgradeFirmware' };
    const failing = [{ match, fault: { type: 'failingDevice', result: 'failed' } }];
    const twin = await fleetWith(place, TWO_WAVES, failing);
    return { env: twin.as('admin') };
  },
  'docs/runbooks/who-ordered-it.md': async (place) => {
    const twin = await fleetWith(place, ONE_WAVE);
    // Devices between two steps of an upgrade cool down, so that changes remain.
    expect((await place.run('apply --yes', twin.as('admin'))).code).toBe(7);
    return { env: twin.as('admin') };
  },
  'docs/examples/one-site/README.md': (place) => exampleIn(place, 'one-site'),
  'docs/examples/approval/README.md': (place) => exampleIn(place, 'approval'),
  'docs/examples/provider/README.md': async (place) => {
    await exampleIn(place, 'provider');
    return { env: {} };
  },
  'docs/twin.md': () => Promise.resolve({ env: {} }),
  'docs/organizations.md': async (place) => {
    rmSync(place.path('fleet'), { recursive: true });
    const twin = await startTwin(place, { devices: 40 });
    const other = await startTwin(place, { devices: 40, world: await worldOf(place, 'globex') });
    const fleets = { acme: twin, 'emea-north': twin, globex: other };
    const env = Object.entries(fleets).map(([name, { ready, as }]) => {
      mkdirSync(place.path(`fleet/${name}`), { recursive: true });
      place.write(`fleet/${name}/service.yaml`, documentsOf(name, ready));
      return Object.entries(as('admin')).map(([key, value]) => [
        key.replace('FLEETFORM', `FLEETFORM_FLEET_${name.toUpperCase().replace('-', '_')}`),
        value,
      ]);
    });
    await commitAll(place);
    return { env: Object.fromEntries(env.flat()) };
  },
  'docs/import.md': async (place) => {
    rmSync(place.path('fleet'), { recursive: true });
    return { env: (await startTwin(place, { devices: 60 })).as('admin') };
  },
};

/** A clone with the documents of an example, before a person wrote the address of the service. */
async function exampleIn(place: Place, name: string): Promise<Scene> {
  const twin = await fleetWith(place, ONE_WAVE);
  rmSync(place.path('fleet'), { recursive: true });
  const from = join(ROOT, 'docs/examples', name, 'fleet');
  cpSync(from, place.path('fleet'), { recursive: true });
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => each.endsWith('.yaml')).map((each) => `fleet/${each}`))
    place.write(file, place.read(file).replace(/^service:\n/m, `service:\n${FAST}`));
  return { env: twin.as('admin') };
}

/** What one of several organizations has before its page begins: where its service is, and a policy that is done. */
function documentsOf(name: string, { url, organization }: TwinProcess['ready']): string {
  return `service:
  baseUrl: ${url}
  organization: ${organization}
${FAST}  ledger: {store: git, remote: origin, branch: fleetform-${name}-ledger}
rotations:
  passwords: {task: rotatePassword, select: {vendor: Axis}, maxAge: 3650d, windows: anytime}
`;
}

/** The file of a world of another organization. */
async function worldOf(place: Place, organization: string): Promise<string> {
  const world = `${organization}.json`;
  await (await startTwin(place, { devices: 40, world })).stop();
  edited(place, world, (text) =>
    text.replace('"organization":"acme"', `"organization":"${organization}"`),
  );
  return world;
}

/** Walked together from a clean clone (`test/package/readme.test.ts`). */
const ELSEWHERE = ['docs/first-hour.md'];

/** The pages with commands; one without a scene fails. */
const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter((name) => name.endsWith('.md') && !ELSEWHERE.includes(name))
  .filter((name) => pageSteps(name).length > 0);

it.concurrent.each(PAGES)('each command of %s ends as the page says', PATIENCE, async (page) => {
  using place = createPlace();
  const scene = await SCENES[page]?.(place);
  if (!scene) throw new Error(`${page} has commands and no scene`);
  await using shell = openShell(place.folder, builtCommandEnv(place.folder, scene.env));
  await walkPage(page, shell);
  await scene.after?.();
});

/** A repository with a remote and these documents, and a twin whose world is in a file. */
async function fleetWith(
  place: Place,
  waves: string,
  faults: readonly object[] = [],
): Promise<TwinProcess> {
  rmSync(place.path('fleet'), { recursive: true });
  mkdirSync(place.path('fleet'));
  place.write('fleet/fleet.yaml', DOCUMENTS.replace('WAVES', waves));
  await commitAll(place);
  return startTwin(place, { devices: 40, world: 'world.json', faults });
}

/** A repository with a remote, whose first commit has the documents. */
async function commitAll(place: Place): Promise<void> {
  const setUp = [
    'git init -q -b main . && git init -q --bare -b main remote.git && git remote add origin ./remote.git',
    'git config user.name Ada && git config user.email ada@example.com',
    'git add fleet && git commit -qm "Upgrade all Axis cameras" && git push -q origin main',
  ];
  expect(await runInShell(place.folder, setUp.join(' && '), {})).toMatchObject({ exit: 0 });
}

function edited(place: Place, name: string, edit: (text: string) => string): void {
  if (!existsSync(place.path(name))) throw new Error(`no ${name}`);
  const before = place.read(name);
  const after = edit(before);
  if (after === before) throw new Error(`${name} has nothing to edit`);
  place.write(name, after);
}
