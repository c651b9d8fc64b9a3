import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, type Env } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';
import { allCommands, commandName, commandTree, listExamples } from '../support/command-tree.ts';
import { runInShell } from '../support/page-shell.ts';

const place = createPlace();
let env: Env;

beforeAll(async () => {
  const twin = await startTwin(place, { devices: 450 });
  env = twin.as('admin');
  mkdirSync(place.path('new'));
  const git = [
    'init -q -b main',
    'config user.name Ada',
    'config user.email ada@example.com',
    'add fleet',
    'commit -qm fleet',
  ];
  for (const args of git) await runInShell(place.folder, `git ${args}`, {});
  const saved = 'fleetform plan -o plan.json --save-snapshot fleet.snapshot';
  expect((await runInShell(place.folder, saved, env)).exit).toBe(0);
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

/** Examples that end with another code than 0 in this scene, or that need something that only a scene of their own has. */
const EXITS: Readonly<Record<string, { readonly exits: readonly number[]; readonly why: string }>> =
  {
    'get task 42 --steps': { exits: [1], why: 'no task has been started' },
    'unpause firmware.axis --reason "fixed" --ticket OPS-7': { exits: [1], why: 'no such policy' },
    'pause firmware.axis --reason "black picture" --ticket OPS-7': {
      exits: [1],
      why: 'no such policy',
    },
    'resolve TASK --as done --reason "picture and time are right"': {
      exits: [1],
      why: 'a place holder',
    },
    'unlock --accept-loss --reason "disk lost, no copy"': {
      exits: [1],
      why: 'no record is lost',
    },
    'withdraw firmware.axis --reason "wrong version"': { exits: [1], why: 'no such policy' },
    'apply --yes': { exits: [0, 4, 7], why: 'devices that are down keep their password' },
    'apply plan.json --yes': { exits: [0, 4, 7, 8], why: 'an earlier example has applied it' },
    'report alerts --within 14d': { exits: [2], why: 'some devices are offline' },
    'report availability --snapshot mon.snapshot --snapshot tue.snapshot': {
      exits: [1],
      why: 'no such files',
    },
    'unlock --reason "runner lost"': { exits: [0, 1], why: 'no run holds the lock' },
  };

/** Run elsewhere: `twin` serves until it is stopped or is tried as a package, `--wait 2h` may stay, and `ci` wants a job of GitHub. */
const ELSEWHERE = /^(?:twin|ci )|--wait 2h/;

const examples = allCommands(commandTree())
  .flatMap((command) => listExamples(command).map((line) => [commandName(command), line] as const))
  .filter(([, line]) => !ELSEWHERE.test(line));

describe('an example of the help runs as it is written', PATIENCE, () => {
  it.each(examples)('%s: fleetform %s', async (name, line) => {
    const folder = name === 'init' ? 'cd new && ' : '';
    const { exit, output } = await runInShell(place.folder, `${folder}fleetform ${line}`, env);
    // What an import wrote describes the fleet beside the documents of the scene.
    if (name === 'import') await runInShell(place.folder, 'git clean -fdq fleet', {});
    expect(EXITS[line]?.exits ?? [0], output).toContain(exit);
  });
});
