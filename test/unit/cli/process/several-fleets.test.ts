import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/program/run-command-line.ts';
import { weightiest } from '../../../../src/model/report/exit.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { createStopSignal } from '../../../../src/shell/stop-signal.ts';
import { gitIn } from '../../../support/blackbox-record.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { CLIENT_SECRETS } from '../../../support/canary.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { rig, START } from '../../../support/twin-rig.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';
import { overFetch } from '../../../../src/model/http.ts';

const NAMES = ['acme', 'beta-eu', 'core', 'dune', 'echo', 'flux'];

const documents = (name: string, host = name, organization = 'acme'): string => `service:
  baseUrl: https://${host}.example.net
  organization: ${organization}
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 30d, windows: anytime}
`;

/** The credentials that each fleet of these names has. */
function credentials(...names: readonly string[]): Readonly<Record<string, string>> {
  const own = names.map((name) => name.toUpperCase().replace('-', '_'));
  return Object.fromEntries(
    own.flatMap((name) => [
      [`FLEETFORM_FLEET_${name}_CLIENT_ID`, 'a'],
      [`FLEETFORM_FLEET_${name}_CLIENT_SECRET`, CLIENT_SECRETS.admin],
    ]),
  );
}

/** What waits for `open` to be called. */
function latch() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

let cwd: string;
let hosts: Set<string>;
let open: { now: number; most: number; wanted: number; gate: ReturnType<typeof latch> };
let stop: ReturnType<typeof createStopSignal>;

beforeEach(() => {
  cwd = scratchFolder('several');
  hosts = new Set();
  open = { now: 0, most: 0, wanted: 0, gate: latch() };
  stop = createStopSignal();
  mkdirSync(join(cwd, 'fleet/_shared'), { recursive: true });
});

function write(name: string, text = documents(name)): void {
  mkdirSync(join(cwd, 'fleet', name), { recursive: true });
  writeFileSync(join(cwd, 'fleet', name, 'fleet.yaml'), text);
}

const TOKENS = '/v1/auth/';

/** Runs a command line over services that answer by the host of each, and tells who was spoken to. */
async function command(line: string, env: Readonly<Record<string, string>>) {
  const [out, err] = [outputDouble(), outputDouble()];
  const { twin } = rig({ devices: 6 });
  const clock = createVirtualClock(START);
  const tokensAt: number[] = [];
  let drawn = 0.5;
  const shell: Shell = {
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    cwd,
    stateFolder: join(cwd, 'state'),
    out,
    err,
    ask: undefined,
    clock,
    random: () => (drawn = (drawn + 0.381966) % 1),
    stop,
    identity: { host: 'h', pid: 1, startedAt: '', label: 'x', isAlive: () => false },
    openTransport: async () => {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      if (open.most >= open.wanted) open.gate.open();
      await open.gate.opened;
      return {
        transport: overFetch((request) => {
          const { hostname, pathname } = new URL(request.url);
          hosts.add(hostname.split('.')[0] ?? '');
          if (!pathname.startsWith(TOKENS)) return twin.handle(request);
          tokensAt.push(clock.monotonic());
          return twin.handle(new Request(`https://${hostname}${TOKENS}acme`, request));
        }),
        close: async () => void (open.now -= 1),
      };
    },
  };
  const exit = await run(line.split(' '), shell);
  const text = out.text();
  return { exit, out: text, flat: text.replace(/\s+/g, ' '), err: err.text(), tokensAt };
}

const shared = (name: string) =>
  documents(name).replace('  pace', `  ledger: {store: git, branch: ${name}-ledger}\n  pace`);

/** Commits two fleets, each with a ledger on a branch of the remote of its own. */
function shareFleets(): (...args: string[]) => string {
  for (const each of ['acme', 'beta-eu']) write(each, shared(each));
  const git = (...args: string[]) =>
    gitIn(cwd, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args);
  git('init', '--quiet', '-b', 'main', '.');
  git('init', '--quiet', '--bare', '-b', 'main', 'bare.git');
  git('remote', 'add', 'origin', join(cwd, 'bare.git'));
  git('add', 'fleet');
  git('commit', '--quiet', '-m', 'First');
  git('push', '--quiet', 'origin', 'main');
  git('remote', 'set-head', 'origin', 'main');
  return git;
}

const COMMANDS = ['validate', 'plan', 'status', 'report', 'drift', 'audit'];

describe('several fleets', () => {
  it.each(COMMANDS)('%s has a line for each, and says what it does not cover', async (name) => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const { exit, out, flat } = await command(
      `${name} --all-fleets`,
      credentials('acme', 'beta-eu'),
    );
    expect([exit, out.match(/^(acme|beta-eu) /gm)]).toEqual([0, ['acme ', 'beta-eu ']]);
    expect(flat).toContain('Not covered: fleet/_shared (begins with . or _).');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/\nnext: .*\n( +.*\n)?$/);
  });

  it('a fleet that a request takes away is said beside those that it keeps', async () => {
    for (const each of ['acme', 'beta-eu', 'core']) write(each);
    const git = (...args: string[]) =>
      gitIn(cwd, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args);
    git('init', '--quiet', '-b', 'main', '.');
    git('add', 'fleet');
    git('commit', '--quiet', '-m', 'Base');
    rmSync(join(cwd, 'fleet/beta-eu'), { recursive: true });
    rmSync(join(cwd, 'fleet/core/fleet.yaml'));
    git('commit', '--quiet', '-am', 'Request');
    const env = credentials('acme');
    const said = 'fleet/core, fleet/beta-eu (removed by this request)';
    const { flat } = await command('plan --all-fleets --base HEAD~1', env);
    expect(flat).toContain(said);
    expect((await command('plan --all-fleets', env)).flat).not.toContain('beta-eu');
  });

  it('M14 the next step of all works as it is printed: one fleet takes its own credentials', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const plain = { FLEETFORM_CLIENT_ID: 'x', FLEETFORM_CLIENT_SECRET: 'wrong' };
    const env: Readonly<Record<string, string>> = { ...credentials('acme', 'beta-eu'), ...plain };
    const all = await command('plan --all-fleets', env);
    const next = /\nnext: fleetform (plan --fleet fleet\/\S+)\n/.exec(all.out)?.[1];
    expect(next, all.out).toBeDefined();
    hosts.clear();
    const one = await command(next ?? '', env);
    expect([one.exit, [...hosts]], one.err).toEqual([0, [next?.split('/')[1]]]);
    expect(one.flat).toMatch(/next: .*--fleet fleet\/acme/);
    write('beta.eu');
    const shared = await command('plan --fleet fleet/beta-eu', env);
    expect([shared.exit, shared.err]).toEqual([1, expect.stringContaining('share')]);
    const { FLEETFORM_FLEET_ACME_CLIENT_SECRET: _, ...half } = env;
    const missing = await command('plan --fleet fleet/acme', half);
    expect([missing.exit, missing.err.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('not set: FLEETFORM_FLEET_ACME_CLIENT_SECRET.'),
    ]);
  });

  it('print next steps that name the folder of their documents, of a failure as of a result', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const env = credentials('acme', 'beta-eu');
    const flat = async (line: string) => {
      const { out, err } = await command(line, env);
      return `${out} ${err}`.replace(/\s+/g, ' ');
    };
    expect(await flat('pause --all --fleet fleet/acme')).toMatch(
      /next: Run `fleetform pause --help`/,
    );
    for (const line of ['plan --fleet=fleet/acme', 'status --fleet fleet/beta-eu'])
      expect(await flat(line)).toMatch(/next: .*fleetform [^`]* --fleet fleet\/(acme|beta-eu)/);
    expect(await flat('validate --fleet=fleet/acme')).not.toMatch(/--fleet .*--fleet/);
  });

  it('are judged by drift alone, and what else waits is said', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const { exit, flat } = await command('drift --all-fleets', credentials('acme', 'beta-eu'));
    expect([exit, flat]).toEqual([0, expect.stringContaining('2 fleets: ok 2.')]);
    expect(flat).toContain('The outcome is that of drift alone:');
    const none = await command('validate --all-fleets', {});
    expect(none.flat).not.toContain('drift alone');
  });

  it('have metrics of their own at a Pushgateway, and no file of several', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const env = credentials('acme', 'beta-eu');
    const pushing = { ...env, FLEETFORM_METRICS_PUSH: 'https://gateway.example.net' };
    const { exit, err } = await command('status --all-fleets', pushing);
    expect([exit, [...hosts].sort()]).toEqual([0, ['acme', 'beta-eu', 'gateway']]);
    expect(err.match(/^\S+: Cannot write the metrics/gm)?.sort()).toEqual([
      'acme: Cannot write the metrics',
      'beta-eu: Cannot write the metrics',
    ]);
    const refused = await command('status --all-fleets --metrics all.prom', env);
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('--metrics')]);
  });

  it('are read four at a time, and named on stderr', async () => {
    NAMES.forEach((name) => write(name));
    open.wanted = 4; // None goes on before so many have begun.
    const { out, err } = await command('status --all-fleets', credentials(...NAMES));
    expect([open.most, open.now, [...hosts].sort()]).toEqual([4, 0, NAMES]);
    expect(out.match(/^\w+/gm)).toEqual(
      expect.arrayContaining(NAMES.map((name) => /^\w+/.exec(name)?.[0])),
    );
    for (const line of err.trimEnd().split('\n'))
      expect(line).toMatch(/^(acme|beta-eu|core|dune|echo|flux): /);
  });

  it('keep to one pace at one service, which counts what comes from one address', async () => {
    for (const each of NAMES) write(each, documents(each, 'one', each).replace('600', '5'));
    const { exit, tokensAt, err } = await command('drift --all-fleets', credentials(...NAMES));
    expect(exit, err).toBe(0);
    expect(tokensAt.map((at) => at < 60_000)).toEqual([true, true, true, true, true, false]);
  });

  it('go on where one fails, which says why, with its exit code', async () => {
    for (const each of ['acme', 'beta-eu', 'core']) write(each);
    write('core', 'service: {baseUrl: https://core.example.net}\n');
    const { exit, out, flat } = await command('plan --fleet fleet/*', credentials('acme', 'core'));
    expect([exit, [...hosts]]).toEqual([1, ['acme']]);
    expect(out).toMatch(/^acme .* \d/m);
    for (const each of ['beta-eu', 'core'])
      expect(out).toMatch(new RegExp(`^${each} .* error$`, 'm'));
    expect(flat).toContain('beta-eu: error[credentialsMissing]');
    expect(flat).toContain('core: error[missingKey]');
  });

  it('have no use for a plain credential, nor for that of another (protocol M14)', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const plain = { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin };
    const { exit, flat } = await command('plan --all-fleets', { ...plain, ...credentials('acme') });
    expect([exit, [...hosts]]).toEqual([1, ['acme']]);
    expect(flat).toContain(
      'not set: FLEETFORM_FLEET_BETA_EU_CLIENT_ID and FLEETFORM_FLEET_BETA_EU_CLIENT_SECRET',
    );
    expect(flat).not.toMatch(/[^_]FLEETFORM_CLIENT_(ID|SECRET)/);
  });

  it('name their own variables where the service refuses what is in them', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const wrong = { FLEETFORM_FLEET_BETA_EU_CLIENT_SECRET: CLIENT_SECRETS.viewer };
    const env = { ...credentials('acme', 'beta-eu'), ...wrong };
    const { flat } = await command('plan --all-fleets', env);
    expect(flat).toContain('beta-eu: error[credentialsRefused]');
    expect(flat).toContain('Check FLEETFORM_FLEET_BETA_EU_CLIENT_ID and');
    const events = await command('apply --fleet fleet/beta-eu --yes --format ndjson', env);
    expect(events.out).toMatch(
      /"type":"run.ended".*"next":"Check FLEETFORM_FLEET_BETA_EU_CLIENT_ID/,
    );
  });

  it.each([
    ['plan --all-fleets -o plan.json', '--out'],
    ['plan --all-fleets --service https://x.example', '--service'],
    ['report --all-fleets --snapshot a', '--snapshot'],
    ['drift --fleet fleet/acme --fleet fleet/beta-eu --trace t', '--trace'],
    ['plan --all-fleets --format md', '--format md'],
    ['report --all-fleets --format ndjson', '--format ndjson'],
    ['apply --fleet fleet/* --yes', 'apply takes one fleet'],
    ['why dev-1 --fleet fleet/acme --fleet fleet/beta-eu', 'why takes one fleet'],
    ['audit verify --all-fleets', 'audit verify takes one fleet'],
    ['apply --all-fleets', 'Unknown flag "--all-fleets"'],
    ['status --format html', 'add --all-fleets'],
  ])('%s is refused before anything is read: %s', async (line, says) => {
    for (const each of ['acme', 'beta-eu']) write(each);
    const { exit, out, err } = await command(line, credentials('acme', 'beta-eu'));
    expect([exit, out, open.most]).toEqual([1, '', 0]);
    expect(err).toContain(says);
    expect(err).toContain('next: ');
  });

  it.each(['ORGANIZATION', 'LEDGER', 'APPROVAL', 'BRANCH', 'BASE_URL'])(
    'are refused with FLEETFORM_%s, which is about one',
    async (name) => {
      write('acme');
      const env = { ...credentials('acme'), [`FLEETFORM_${name}`]: 'plan' };
      const { exit, err } = await command('plan --all-fleets', env);
      expect([exit, open.most]).toEqual([1, 0]);
      expect(err).toContain(`FLEETFORM_${name} is for one fleet`);
    },
  );

  it('are one JSON document, one csv with a column for each, one page', async () => {
    for (const each of ['acme', 'beta-eu', 'core']) write(each);
    const env = credentials('acme', 'beta-eu');
    const json = await command('status --all-fleets --format json', env);
    expect(JSON.parse(json.out)).toMatchObject({
      version: 1,
      command: 'status',
      fleets: [
        { name: 'acme', folder: 'fleet/acme', exit: 0, result: { version: 1, policies: [{}] } },
        { name: 'beta-eu', exit: 0, columns: { done: expect.any(Number) as number } },
        { name: 'core', exit: 1, outcome: 1, result: { error: { code: 'credentialsMissing' } } },
      ],
      uncovered: [{ folder: 'fleet/_shared', why: 'name' }],
    });
    const csv = await command('report compliance --all-fleets --format csv', env);
    expect(csv.err).toContain('core: error[credentialsMissing]');
    const rows = csv.out
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(',')[0]);
    expect(rows).toEqual(['fleet', ...Array(6).fill('acme'), ...Array(6).fill('beta-eu')]);
    for (const name of COMMANDS) {
      const { out } = await command(`${name} --all-fleets --format html`, env);
      expect(out.match(/<summary><strong><code[^>]*>(acme|beta-eu|core)</g)).toHaveLength(3);
      const ids = [...out.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(out).not.toContain('href="#all"');
    }
  });

  it('print the problems of all documents in validate', async () => {
    write('acme', documents('acme').replace('maxAge', 'maxAgee'));
    write('beta-eu', documents('beta-eu').replace('rotatePassword', 'rotatePasword'));
    const { exit, out } = await command('validate --all-fleets', {});
    expect(exit).toBe(1);
    expect(out).toMatch(/acme\/fleet\.yaml:6:/);
    expect(out).toMatch(/beta-eu\/fleet\.yaml:6:/);
  });

  it('send nothing where the document of one names another host, and go on with the others (protocol M3, M14)', async () => {
    shareFleets();
    write('acme', shared('evil'));
    const env = { ...credentials('acme', 'beta-eu'), CI: 'true' };
    const { exit, flat } = await command('plan --all-fleets', env);
    expect([exit, [...hosts]]).toEqual([9, ['beta-eu']]);
    expect(flat).toContain('acme: error[groundChanged]');
  });

  it('head a fleet by the ledger that it lost, not by an all-clear', async () => {
    const git = shareFleets();
    const env = credentials('acme', 'beta-eu');
    const paused = await command('pause fleet --fleet fleet/acme --reason Storm --by Ada', env);
    expect([paused.exit, paused.err]).toEqual([0, '']);
    git('push', '--quiet', 'origin', '--delete', 'acme-ledger');
    for (const name of ['plan', 'audit']) {
      const { exit, flat } = await command(`${name} --all-fleets`, env);
      expect([name, exit]).toEqual([name, 9]);
      expect(flat).toMatch(/acme: (error\[\w+\]: The ledger is missing|The ledger lacks records)/);
      expect(flat).not.toMatch(/acme: No /);
    }
  });

  it('say in an all-clear of drift what it does not cover, and the next step', async () => {
    for (const each of NAMES) write(each);
    const { exit, flat } = await command('drift --all-fleets', credentials(...NAMES));
    expect([exit, flat]).toEqual([0, expect.stringContaining('6 fleets: ok 6.')]);
    expect(flat).toContain(
      'Missing devices cannot be told yet in 6 fleets (acme, beta-eu, core, 3 more): no `apply`',
    );
    expect(flat).toMatch(/next: acme: .*fleetform apply/);
  });

  it('begin with what a request changes against its base', async () => {
    const git = shareFleets();
    git('checkout', '--quiet', '-b', 'request');
    const from = 'fleet/acme/fleet.yaml';
    write('acme', shared('acme').replace('30d', '60d'));
    git('add', from);
    git('commit', '--quiet', '-m', 'Second');
    const { flat } = await command('plan --base main --all-fleets', credentials('acme', 'beta-eu'));
    expect(flat).toMatch(/acme: This request [^.]*\./);
    expect(flat).toMatch(/beta-eu: This request starts no change\./);
    write('acme', `${shared('acme')}guardrails: {none: {maxChanges: 0}}\n`);
    git('commit', '--quiet', '-am', 'Third');
    const limited = await command('plan --base main --all-fleets', credentials('acme', 'beta-eu'));
    expect(limited.flat).toMatch(/changes: 1 acme: guardrails\.none\.maxChanges: none -> 0/);
  });

  it('that have not begun do not begin after a signal', async () => {
    for (const each of ['acme', 'beta-eu']) write(each);
    stop.request();
    const { exit, out } = await command('plan --all-fleets', credentials('acme', 'beta-eu'));
    expect([exit, open.most]).toEqual([7, 0]);
    expect(out).toMatch(/^2 fleets: stopped 2\.$/m);
    expect(out).toMatch(/^acme +stopped /m);
  });

  it('end with the first code of 1, 9, 3, 5, 4, 8, 6, 7, 2, 0', () => {
    const order = [1, 9, 3, 5, 4, 8, 6, 7, 2, 0];
    order.forEach((code, n) => expect(weightiest(order.slice(n).reverse())).toBe(code));
  });
});
