import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setupCommands } from '../../../src/init/setup-commands.ts';
import { scratchFolder } from '../../support/scratch.ts';

const FLEETS = [
  { name: 'acme', ledger: 'fleetform-acme-ledger', facts: 'fleetform-acme-facts' },
  { name: 'globex' },
];

interface Known {
  /** Flags with a value, and without. */
  readonly valued: string;
  readonly bare: string;
  readonly words: number;
}

const API_FLAGS = {
  valued: '--method --field --raw-field --jq --header --input --hostname',
  bare: '--silent --include --paginate',
  words: 1,
};

/** The flags of `gh` and `glab`, by command, as their manuals list them. */
const COMMANDS: Readonly<Record<string, Known>> = {
  'gh api': API_FLAGS,
  'gh repo view': { valued: '--json --jq --branch --template', bare: '--web', words: 0 },
  'gh secret set': { valued: '--env --org --app --repos --visibility', bare: '--user', words: 1 },
  'gh secret list': { valued: '--env --json --jq', bare: '', words: 0 },
  'gh variable list': { valued: '--json --jq', bare: '', words: 0 },
  'glab variable get': { valued: '--scope', bare: '', words: 1 },
  'gh variable set': { valued: '--env --org --repos --visibility', bare: '', words: 1 },
  'glab api': API_FLAGS,
  'glab variable set': {
    valued: '--scope --group --type --description',
    bare: '--masked --protected --raw --hidden',
    words: 1,
  },
};

/** A program that keeps its arguments and what it reads, and answers a question with a number. */
const FAKE = `#!/bin/sh
{ printf '%s\\037' "$(basename "$0")" "$@"; case "$*" in *" set "*) printf '<'; head -n 1 ;; esac; echo; } >> "$CALLS"
case "$*" in
*'then "right"'*) echo "\${STATE:-right}" ;;
"repo view "* | *teams/*) echo 42 ;;
*--jq*) cat "$HAVE" ;;
*environments?name=*) if [ -s "$HAVE" ]; then echo '[{}]'; else echo '[]'; fi ;;
"variable get "* | *protected_branches/*) [ -s "$HAVE" ] && echo '{"allow_force_push":false}' ;;
esac
`;

interface Call {
  readonly words: readonly string[];
  readonly flags: readonly string[];
  readonly read: string | undefined;
}

interface Ran {
  readonly status: number | null;
  readonly err: string;
  readonly calls: readonly Call[];
  /** What the terminal was set to last. */
  readonly stty: string | undefined;
}

/** The calls of a setup with its team filled in, at a terminal that types one value. */
function runSetup(forge: 'github' | 'gitlab'): readonly Call[] {
  const { status, err, calls } = run(forge, (script) => script.replace("team=''", 'team=admins'));
  expect(status, err).toBe(0);
  return calls;
}

/** Runs the printed commands, as `edit` leaves them, with programs that stand for both forges. */
function run(
  forge: 'github' | 'gitlab',
  edit: (script: string) => string,
  { typed = 'typed-value\n', have = '', state = 'right' } = {},
): Ran {
  const folder = scratchFolder(`setup-${forge}`);
  mkdirSync(join(folder, 'bin'));
  const programs = { gh: FAKE, glab: FAKE, stty: '#!/bin/sh\necho "$1" >> "$CALLS.stty"\n' };
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
  const tty = join(folder, 'tty');
  writeFileSync(tty, typed);
  // Questions go nowhere here, and each answer is the same.
  const script = edit(setupCommands(forge, FLEETS))
    .replaceAll('>/dev/tty', '>/dev/null')
    .replaceAll('/dev/tty', tty);
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'have'), have);
  for (const file of [calls, `${calls}.stty`]) writeFileSync(file, '');
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  // As from a pipe: what read a value from it would read the next command.
  const env = { PATH: path, CALLS: calls, HAVE: join(folder, 'have'), STATE: state };
  const done = spawnSync('sh', [], { input: script, env, encoding: 'utf8' });
  const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return {
    status: done.status,
    err: done.stderr,
    calls: linesOf(calls).map(toCall),
    stty: linesOf(`${calls}.stty`).at(-1),
  };
}

/** A call by the flags that its command has; throws at any other. */
function toCall(line: string): Call {
  const [said = '', read] = line.split('\u001f<');
  const all = said.split('\u001f').filter(Boolean);
  const command = Object.keys(COMMANDS).find((each) => all.join(' ').startsWith(`${each} `)) ?? '';
  const known = COMMANDS[command];
  if (!known) throw new Error(`no such command: ${all.join(' ')}`);
  const words: string[] = [];
  const flags: string[] = [];
  const rest = all.slice(command.split(' ').length);
  for (let word = rest.shift(); word !== undefined; word = rest.shift())
    if (known.bare.split(' ').includes(word)) flags.push(word);
    else if (known.valued.split(' ').includes(word)) flags.push(`${word} ${rest.shift() ?? ''}`);
    else if (word.startsWith('-')) throw new Error(`${command} has no ${word}`);
    else words.push(word);
  if (words.length !== known.words) throw new Error(`${command}: ${words.join(' ')}`);
  return { words: [command, ...words], flags, read };
}

const calling = (calls: readonly Call[], command: string): readonly string[] =>
  calls
    .filter(({ words }) => words[0] === command)
    .map(({ words, flags }) => [...words.slice(1), ...flags].join(' '));

const API = 'repos/{owner}/{repo}';
const BRANCHES = ['ledger', 'ledger-heads', 'facts'].map((each) => `fleetform-acme-${each}`);

test('GitHub: environments, their secrets, and the branches of a ledger in git', () => {
  const calls = runSetup('github');
  const api = calling(calls, 'gh api');
  const made = api
    .filter((each) => each.includes('--method PUT'))
    .map((each) => each.split(' ')[0]);
  const names = ['acme', 'globex'].flatMap((name) =>
    ['fleet-read', 'fleet', 'fleet-approve'].map((kind) => `${API}/environments/${kind}-${name}`),
  );
  expect(made).toEqual(names);
  expect(calling(calls, 'gh secret set').filter((each) => each.endsWith('-globex'))).toEqual([
    'FLEETFORM_READ_CLIENT_ID --env fleet-read-globex',
    'FLEETFORM_READ_CLIENT_SECRET --env fleet-read-globex',
    'FLEETFORM_CLIENT_ID --env fleet-globex',
    'FLEETFORM_CLIENT_SECRET --env fleet-globex',
    'FLEETFORM_READ_CLIENT_ID --env fleet-approve-globex',
    'FLEETFORM_READ_CLIENT_SECRET --env fleet-approve-globex',
  ]);
  const [ruleset = '', ...others] = api.filter((each) =>
    each.startsWith(`${API}/rulesets --silent`),
  );
  expect(others).toEqual([]);
  for (const branch of BRANCHES) expect(ruleset).toContain(`[include][]=refs/heads/${branch} `);
  for (const rule of ['deletion', 'non_fast_forward'])
    expect(ruleset).toContain(`rules[][type]=${rule}`);
  const approve = api.find((each) =>
    each.startsWith(`${API}/environments/fleet-approve-acme --silent`),
  );
  expect(approve).toContain('--field reviewers[][id]=42');
  const branch = api.find((each) =>
    each.includes('fleet-acme/deployment-branch-policies --silent'),
  );
  expect(branch).toContain('--raw-field name=42');
});

test('GitLab: environments, their variables, and the branches of a ledger in git', () => {
  const calls = runSetup('gitlab');
  const set = calling(calls, 'glab variable set');
  expect(set.filter((each) => / --scope fleet-(?:read-)?acme/.test(each))).toEqual([
    'FLEETFORM_READ_CLIENT_ID --scope fleet-read-acme --masked',
    'FLEETFORM_READ_CLIENT_SECRET --scope fleet-read-acme --masked',
    'FLEETFORM_CLIENT_ID --scope fleet-acme --masked --protected',
    'FLEETFORM_CLIENT_SECRET --scope fleet-acme --masked --protected',
  ]);
  const api = calling(calls, 'glab api').filter((each) => each.includes('protected_branches --'));
  expect(api).toHaveLength(BRANCHES.length);
  for (const [n, branch] of BRANCHES.entries())
    expect(api[n]).toMatch(
      new RegExp(`name=${branch} .*push_access_level=40 .*allow_force_push=false`),
    );
});

test('GitHub: without a team it stops before it sets anything, and says what to fill in', () => {
  const { status, err, calls } = run('github', String);
  expect(status).not.toBe(0);
  expect(err).toContain('the team that approves');
  expect(calls).toEqual([]);
});

test('GitLab: a terminal shows what is typed again, also where a question got no answer', () => {
  expect(run('gitlab', String, { typed: '' }).stty).toBe('echo');
});

test.each(['github', 'gitlab'] as const)(
  '%s: each value is read, and none is an argument',
  (forge) => {
    const set = runSetup(forge).filter(({ words }) => words[0]?.endsWith(' set') === true);
    expect(set.length).toBeGreaterThan(12);
    expect(new Set(set.map(({ read }) => read))).toEqual(new Set(['typed-value']));
    expect(JSON.stringify(set.map(({ words, flags }) => [words, flags]))).not.toContain('typed');
  },
);

const filled = (script: string): string => script.replace("team=''", 'team=admins');
const HAVE = [
  '42',
  ...FLEETS.flatMap(({ name }) => [`fleet-${name}`, `fleet-read-${name}`, `fleet-approve-${name}`]),
  ...FLEETS.map(({ name }) => `fleetform ledger of ${name}`),
  'FLEETFORM_CLIENT_ID',
  'FLEETFORM_CLIENT_SECRET',
  'FLEETFORM_READ_CLIENT_ID',
  'FLEETFORM_READ_CLIENT_SECRET',
  'FLEETFORM_APPLY',
  'FLEETFORM_DRIFT',
].join('\n');

test.each(['github', 'gitlab'] as const)(
  '%s: a second run sets nothing, and names what it keeps',
  (forge) => {
    const { status, err, calls } = run(forge, filled, { have: HAVE });
    expect(status, err).toBe(0);
    const writing = calls.filter(
      ({ words, flags }) =>
        words[0]?.endsWith(' set') || flags.some((each) => each.startsWith('--method')),
    );
    expect(writing).toEqual([]);
    for (const kept of [
      'environment fleet-approve-globex',
      'FLEETFORM_CLIENT_SECRET of fleet-acme',
    ])
      expect(err).toMatch(new RegExp(`kept: .*${kept}`));
  },
);

test('GitHub: an environment that a workflow made is given its rules, one with other rules stops it', () => {
  const bare = run('github', filled, { have: HAVE, state: 'bare' });
  expect(
    calling(bare.calls, 'gh api').filter((each) => each.includes('--method PUT')),
  ).toHaveLength(6);
  const other = run('github', filled, { have: HAVE, state: 'other' });
  expect([other.status, other.err]).toEqual([1, expect.stringContaining('has other rules')]);
  expect(other.calls.filter(({ words }) => words[0] === 'gh secret set')).toEqual([]);
});
