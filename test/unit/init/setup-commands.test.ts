import { execFileSync } from 'node:child_process';
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
case "$*" in *--jq*) echo 42 ;; esac
`;

interface Call {
  readonly words: readonly string[];
  readonly flags: readonly string[];
  readonly read: string | undefined;
}

/** Runs the printed commands with programs that stand for both forges, at a terminal that types one value. */
function runSetup(forge: 'github' | 'gitlab'): readonly Call[] {
  const folder = scratchFolder(`setup-${forge}`);
  mkdirSync(join(folder, 'bin'));
  const programs = { gh: FAKE, glab: FAKE, stty: '#!/bin/sh\n' };
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
  const tty = join(folder, 'tty');
  writeFileSync(tty, 'typed-value\n');
  // Questions go nowhere here, and each answer is the same.
  const script = setupCommands(forge, FLEETS)
    .replaceAll('>/dev/tty', '>/dev/null')
    .replaceAll('/dev/tty', tty);
  const calls = join(folder, 'calls');
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  // As from a pipe: what read a value from it would read the next command.
  execFileSync('sh', [], { input: script, env: { PATH: path, CALLS: calls } });
  return readFileSync(calls, 'utf8').split('\n').filter(Boolean).map(toCall);
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
  const [ruleset = '', ...others] = api.filter((each) => each.startsWith(`${API}/rulesets`));
  expect(others).toEqual([]);
  for (const branch of BRANCHES) expect(ruleset).toContain(`[include][]=refs/heads/${branch} `);
  for (const rule of ['deletion', 'non_fast_forward'])
    expect(ruleset).toContain(`rules[][type]=${rule}`);
  const approve = api.find((each) => each.startsWith(`${API}/environments/fleet-approve-acme`));
  expect(approve).toContain('--field reviewers[][id]=42');
  const branch = api.find((each) => each.includes('fleet-acme/deployment-branch-policies'));
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
  const api = calling(calls, 'glab api').filter((each) => each.includes('protected_branches'));
  expect(api).toHaveLength(BRANCHES.length);
  for (const [n, branch] of BRANCHES.entries())
    expect(api[n]).toMatch(new RegExp(`name=${branch} .*allow_force_push=false`));
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
