import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { builtEntry } from '../support/blackbox-build.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';
import { countOf } from '../support/campaign.ts';
import { install } from './packed.ts';

/** The oldest version that `engines` allows: no other may print what it does not. */
const OLDEST = '20.19.0';
/** The newest, all others that are supported, and one that is too old: a slice installs the first of them. */
const RELEASES = ['26', OLDEST, '24', '22', '18'].slice(0, countOf('nodes'));
const TOO_OLD = '18';

/** Quiet, so that stderr has nothing that depends on the time a step takes. */
const COMMANDS: readonly [string, RegExp][] = [
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['validate --quiet', /Valid/],
  ['plan --quiet', /selected: \d+ now/],
  ['twin --demo --quiet', /Done in/],
];

const place = createPlace();
const releases = mkdtempSync(join(tmpdir(), 'fleetform-node-'));
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const twin = await startTwin(place, { devices: 200 });
  env = { PATH: process.env['PATH'], HOME: place.folder, ...twin.as('admin') };
}, PATIENCE.timeout);
afterAll(() => {
  place[Symbol.dispose]();
  rmSync(releases, { recursive: true, force: true });
});

/** Installs a release of Node.js as a package of this platform; returns its executable, if it can be had. */
function installNode(version: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(releases, version);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  try {
    install(folder, '--no-save', '--prefix', folder, `${name}@${version}`);
  } catch {
    return undefined;
  }
  return node;
}

/**
 * The executable of a release. Where it cannot be had, as without a registry, nothing can be proved of it: the test is
 * skipped, and says so.
 */
function nodeOf(version: string, test: TestContext): string {
  const node = installNode(version);
  if (node === undefined) {
    const reason = `Node.js ${version} cannot be installed`;
    process.stdout.write(`skipped: ${reason}\n`);
    test.skip(reason);
  }
  return node ?? '';
}

function command(node: string, args: string) {
  const options = { cwd: place.folder, env, encoding: 'utf8' } as const;
  return spawnSync(node, [builtEntry(), ...args.split(' ')], options);
}

/** What a release does with each command. */
const done = new Map<string, ReadonlyMap<string, ReturnType<typeof command>>>();

function allCommands(version: string, node: string) {
  const known = done.get(version) ?? new Map(COMMANDS.map(([args]) => [args, command(node, args)]));
  done.set(version, known);
  return known;
}

describe('the command line', PATIENCE, () => {
  it.for(RELEASES.filter((version) => version !== TOO_OLD))(
    'works without a word on Node.js %s',
    (version, test) => {
      const node = nodeOf(version, test);
      const oldest = RELEASES.includes(OLDEST) ? installNode(OLDEST) : undefined;
      const expected = allCommands(OLDEST, oldest ?? process.execPath);
      const said = allCommands(version, node);
      for (const [args, says] of COMMANDS) {
        const { status, stdout, stderr } = said.get(args) ?? expect.fail(args);
        expect(stderr, `${args} on Node.js ${version}`).toBe(expected.get(args)?.stderr);
        expect(stdout).toMatch(says);
        expect(status, args).toBe(0);
      }
      const library = pathToFileURL(join(dirname(builtEntry()), 'index.js')).href;
      const code = `import { plan } from '${library}'; console.log(typeof plan);`;
      const imported = spawnSync(node, ['--input-type=module', '-e', code], { encoding: 'utf8' });
      expect([imported.stdout, imported.stderr]).toEqual(['function\n', '']);
    },
  );

  it.runIf(RELEASES.includes(TOO_OLD))(
    `names the version that is needed on Node.js ${TOO_OLD}`,
    (test) => {
      const node = nodeOf(TOO_OLD, test);
      for (const [args] of COMMANDS) {
        const { status, stdout, stderr } = command(node, args);
        expect(stderr).toMatch(/^error: fleetform needs Node\.js 20\.19\.0 or later; [^\n]*\n$/);
        expect([status, stdout]).toEqual([1, '']);
      }
    },
  );
});
