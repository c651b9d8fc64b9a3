// `npm run bench:years -- [--nights N] [--changes N] [--devices N] [--runs N] [--store git|directory]`: what a ledger of many
// nights costs. The same fleet and documents have a ledger of one night and one of all nights, each written through the
// journal and its store. Prints a line for each figure, `NAME: VALUE (goal GOAL)`: `plan` and `status` in turn with the
// first night, as processor time of whole processes with git's; then a fresh runner, which is a clone of depth 1 with
// `CI=1`, as `actions/checkout` makes it; then the size of the ledger. Needs a build. No figure is a test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadFleet } from '../../src/config/load.ts';
import { IDENTITY } from '../../src/git/ledger-remote.ts';
import { directoryStore } from '../../src/store/directory.ts';
import { NODE_FILES } from '../../src/store/files.ts';
import { gitStore } from '../../src/store/git-store.ts';
import { LEASE_TTL } from '../../src/store/lease.ts';
import { folder, machine, median, say, timed } from './measure.mjs';
import { deviceAt, documentsText, SHAPES, WANTED } from './shapes.mjs';
import { appendNights, importBranch } from './years-ledger.ts';

const { values } = parseArgs({
  options: {
    nights: { type: 'string', default: '700' },
    changes: { type: 'string', default: '50' },
    devices: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    store: { type: 'string', default: 'git' },
  },
});
const HERE = fileURLToPath(new URL('.', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SHAPE = 'few';
const BEHIND = '1';
const BRANCH = 'fleetform-ledger';
/** Of the default branch. */
const COMMITS = 50;
const runs = Number(values.runs);
const isGit = values.store === 'git';

/** Nothing here outlives the machine. */
const UNSYNCED = {
  ...NODE_FILES,
  syncFolder: async () => undefined,
  create: async (path) =>
    Object.assign(await NODE_FILES.create(path), { sync: async () => undefined }),
};

const server = spawn(process.execPath, [join(HERE, 'serve.mjs'), values.devices, SHAPE, BEHIND], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [url] = await once(createInterface({ input: server.stdout }), 'line');
  await bench(url);
} finally {
  server.stdin.end();
  rmSync(folder, { recursive: true, force: true });
}

async function bench(url) {
  const first = await makeLedger('first', url, 1);
  const years = await makeLedger('years', url, Number(values.nights));
  for (const { clone } of [first, years]) await timed([MAIN, 'audit', 'verify', '--quiet'], clone);
  say(`${machine()}, ${runs} runs`);
  say(
    `ledger: ${values.nights} nights of ${values.changes} changes, ${values.devices} devices, ${years.records} records, store ${values.store}`,
  );
  await compare('plan', ['plan', '--quiet'], [first.clone, years.clone]);
  await compare('status', ['status', '--quiet'], [first.clone, years.clone]);
  if (isGit) await compareFresh(first, years);
  if (isGit) say(`size on the remote, packed: ${megabytes(packedSize(years.remote))}`);
  else say(`size on disk: ${megabytes(sizeOf(years.directory))}`);
}

/** A repository with the documents, and the ledger of so many nights. */
async function makeLedger(name, url, nights) {
  const place = join(folder, name);
  const remote = join(place, 'origin.git');
  const clone = join(place, 'clone');
  const directory = join(place, 'ledger');
  mkdirSync(join(clone, 'fleet'), { recursive: true });
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(clone, 'init', '--quiet', '--initial-branch=main');
  git(clone, 'remote', 'add', 'origin', `file://${remote}`);
  const ledger = isGit ? '{store: git}' : `{store: directory, path: "${directory}"}`;
  const text = documentsText(SHAPE, SHAPES[SHAPE].models, url, ledger);
  writeFileSync(join(clone, 'fleet', 'fleet.yaml'), text);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'the fleet');
  // A repository has a history, which a job completes before it reads the ledger.
  for (let n = 1; n < COMMITS; n += 1)
    git(clone, 'commit', '--quiet', '--allow-empty', '--message', `change ${n}`);
  git(clone, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  git(clone, 'remote', 'set-head', 'origin', 'main');
  const commit = git(clone, 'rev-parse', 'HEAD').trim();
  const branch = isGit ? importBranch(remote, BRANCH) : undefined;
  const store = branch ? gitStore(branch, Math.random) : directoryStore(directory, UNSYNCED);
  store.probe = async () => undefined;
  const { documents } = await loadFleet(join(clone, 'fleet'));
  const records = await appendNights({
    store,
    leaseTtl: branch ? LEASE_TTL.git : LEASE_TTL.directory,
    nights,
    changes: Number(values.changes),
    last: Date.now() - 12 * 3_600_000,
    devices: agedDevices(documents),
    ground: {
      service: { origin: url, organization: 'acme' },
      ledger: branch
        ? { store: 'git', remote: 'origin', at: remote.replace(/\.git$/, ''), branch: BRANCH }
        : { store: 'directory' },
      approval: 'commit',
      gate: 'none',
      commit,
    },
    documents: documents.digest,
    ...(branch && { onTime: (at) => (branch.at = at) }),
  });
  if (branch) {
    await branch.close();
    git(remote, 'branch', `${BRANCH}-heads`, BRANCH);
    // As a server packs it that got each commit in a push of its own: git fast-import compares no blob with another.
    git(remote, 'repack', '-adfq');
  }
  return { clone, remote, directory, records };
}

/** The devices that the server has, policy by policy. */
function agedDevices({ firmware }) {
  const all = Array.from({ length: Number(values.devices) }, (_, at) =>
    deviceAt(at, SHAPE, BEHIND),
  );
  return [...firmware.values()].flatMap(({ value: policy }) =>
    all
      .filter(({ model }) => model === policy.select.model?.[0])
      .map(({ id, model, version, place }) => ({
        id,
        model,
        site: String(place + 1),
        policy,
        isBehind: version !== WANTED,
      })),
  );
}

/** A command on both ledgers in turn, once beforehand so that each clone has its ledger. */
async function compare(name, args, clones) {
  for (const clone of clones) await timed([MAIN, ...args], clone);
  const pairs = [];
  for (let run = 0; run < runs; run += 1) {
    const pair = [];
    for (const clone of clones) pair.push(spentBy(await timed([MAIN, ...args], clone)));
    pairs.push(pair);
  }
  const ratio = median(pairs.map(([first, years]) => years / first));
  const [first, years] = [0, 1].map((n) => median(pairs.map((pair) => pair[n])));
  say(
    `${name}, times the first night: ${ratio.toFixed(2)}, ${years.toFixed(2)} s after ${first.toFixed(2)} s (goal 1.1)`,
  );
}

/** Processor time of a process and of its calls of git. */
function spentBy({ cpu, children }) {
  return cpu + children;
}

/** `status` on a new clone for each run; what git did is in a log that a program of that name on PATH keeps. */
async function compareFresh(...ledgers) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const log = join(folder, 'git.log');
  writeFileSync(join(bin, 'git'), gitWithLog(real, log), { mode: 0o755 });
  const env = { CI: '1', PATH: `${bin}${delimiter}${process.env.PATH}` };
  const pairs = [];
  for (let run = 0; run < runs; run += 1) {
    const pair = [];
    for (const { remote } of ledgers) {
      const clone = join(folder, `fresh-${run}-${pair.length}`);
      git(folder, 'clone', '--quiet', '--depth=1', '--no-tags', `file://${remote}`, clone);
      rmSync(log, { force: true });
      const before = packedSize(join(clone, '.git'));
      const took = await timed([MAIN, 'status', '--quiet'], clone, { env });
      const fetched = packedSize(join(clone, '.git')) - before;
      const [commits, own] = ['--glob=refs/fleetform/ledger/*', 'HEAD'].map((ref) =>
        Number(git(clone, 'rev-list', '--count', ref)),
      );
      pair.push({ ...took, fetched, commits, own, fetch: fetchSeconds(log) });
      rmSync(clone, { recursive: true, force: true });
    }
    pairs.push(pair);
  }
  const of = (pick) => median(pairs.map(pick));
  say(
    `fetch on a fresh runner, wall time: ${of(([, { fetch }]) => fetch).toFixed(2)} s (goal 2 s)`,
  );
  say(
    `fold on a fresh runner, processor time of \`status\` over the first night: ${of(([first, years]) => spentBy(years) - spentBy(first)).toFixed(2)} s (goal 2 s)`,
  );
  const [kept, own] = ['commits', 'own'].map((name) => of(([, each]) => each[name]));
  say(
    `commits fetched: ${kept.toLocaleString('en')} of the ledger, ${own} of the ${COMMITS} of the default branch`,
  );
  say(`bytes fetched: ${megabytes(of(([, { fetched }]) => fetched))}`);
}

/** A program `git` that notes the nanoseconds of each call. */
function gitWithLog(real, log) {
  return `#!/bin/sh
from=$(date +%s%N)
${real} "$@"
code=$?
case " $* " in *" fetch "*) echo $(($(date +%s%N) - from)) >> ${log};; esac
exit $code
`;
}

function fetchSeconds(log) {
  if (!existsSync(log)) return 0;
  const all = readFileSync(log, 'utf8').trim().split('\n').map(Number);
  return all.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** The bytes of objects in a repository. */
function packedSize(repository) {
  return sizeOf(join(repository, 'objects'));
}

function sizeOf(path) {
  return Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0]);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function git(cwd, ...args) {
  const env = { PATH: process.env.PATH, HOME: folder, ...IDENTITY };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8' });
}
