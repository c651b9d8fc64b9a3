import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../src/cli/program/program.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { scratchFolder } from '../../../support/scratch.ts';

async function script(name: string, cwd = '.'): Promise<string> {
  const out = outputDouble();
  const shell = { out, err: outputDouble(), cwd };
  const program = createProgram(shell as unknown as Shell, () => undefined);
  await program.parseAsync(['completion', name], { from: 'user' });
  return out.text();
}

/** What bash offers for the last of these words. */
async function offered(words: readonly string[], before = ''): Promise<readonly string[]> {
  const list = words.map((word) => `'${word}'`).join(' ');
  const lines = [
    before,
    await script('bash'),
    `COMP_WORDS=(fleetform ${list}); COMP_CWORD=${words.length}; COMPREPLY=()`,
    '_fleetform; printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const text = execFileSync('bash', ['-c', lines.join('\n')], { encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it.each([
    [['pl'], ['plan']],
    [['res'], ['resolve']],
    [['un'], ['unpause', 'unlock']],
    [['audit', 'ver'], ['verify']],
    [
      ['get', 'dev'],
      ['devices', 'device'],
    ],
    [['plan', '--form'], ['--format']],
    [
      ['plan', '--format', ''],
      ['text', 'json', 'md', 'html', 'ci'],
    ],
    [['plan', '--base', 'pl'], []],
    [['audit', 'verify', '--pl'], ['--plan']],
    [['-q', 'unl'], ['unlock']],
    [['explain', 'firmware.ver'], ['firmware.version']],
  ])('offers for %j', async (words, expected) => {
    expect(await offered(words)).toEqual(expected);
  });
});

describe('names from the documents', () => {
  const FLEET = `service: {baseUrl: https://api.example.com, organization: acme}
sites: {HQ Berlin: {timeZone: Europe/Berlin}, 'a$(touch hacked)': {timeZone: Europe/Berlin}}
firmware: {axis: {select: {vendor: Axis}, version: "11.x", windows: anytime}}
`;
  const folder = scratchFolder('completion');
  mkdirSync(join(folder, 'fleet'), { recursive: true });
  writeFileSync(join(folder, 'fleet', 'fleet.yaml'), FLEET);

  it.each([
    ['policies', 'firmware.axis\n'],
    ['sites', 'HQ Berlin\na$(touch hacked)\n'],
  ])('%s are printed one a line', async (name, expected) => {
    expect(await script(name, folder)).toBe(expected);
  });

  it('none are printed where there are no documents', async () => {
    expect(await script('policies', join(folder, 'nowhere'))).toBe('');
  });

  it.each([
    [['pause', 'firm'], ['firmware.axis']],
    [
      ['pause', 'f'],
      ['fleet', 'firmware.axis'],
    ],
    [['unpause', 'firm'], ['firmware.axis']],
    [['pause', 'fleet', '--site', 'HQ'], ['HQ\\ Berlin']],
    [['pause', 'fleet', '--site', 'HQ\\ B'], ['HQ\\ Berlin']],
    [['pause', 'fleet', '--site', 'a'], ['a\\$\\(touch\\ hacked\\)']],
    [['audit', '--policy', ''], ['firmware.axis']],
  ])('are offered by bash for %j, and run nothing', async (words, expected) => {
    const names = `fleetform() { case "$2" in
  policies) echo firmware.axis ;;
  sites) printf '%s\\n' 'HQ Berlin' 'a$(touch hacked)' ;;
esac; }`;
    expect(await offered(words, names)).toEqual(expected);
    expect(existsSync('hacked')).toBe(false);
  });
});

/** Only where the shell is there: it is part of no runner. */
const hasShell = (name: string): boolean => spawnSync(name, ['-c', ':']).status === 0;

describe.runIf(hasShell('zsh'))('completion in zsh', () => {
  it('is a script that zsh understands, and defines the function', async () => {
    const text = `compdef() { print "$1 for $2" }\n${await script('zsh')}\nwhence -w _fleetform`;
    const out = execFileSync('zsh', ['-f', '-c', text], { encoding: 'utf8' });
    expect(out).toBe('_fleetform for fleetform\n_fleetform: function\n');
  });
});

describe('completion in zsh', () => {
  it('offers files only where no word of a closed list is due', async () => {
    const text = await script('zsh');
    for (const path of ['', '/get', '/audit', '/init', '/completion'])
      expect(text).toMatch(new RegExp(`^ +"${path}"\\) all=.* closed=yes ;;$`, 'm'));
    expect(text).toMatch(/^ +"\/show"\) all=\(.*\) ;;$/m);
  });
});

describe.runIf(hasShell('fish'))('completion in fish', () => {
  it.each([
    ['fleetform pl', 'plan\tShow what apply would change and why (read-only)\n'],
    ['fleetform audit ver', 'verify\tVerify ledger, notes and documents offline\n'],
    ['fleetform unlock --rea', '--reason\tReason to release the lock\n'],
    ['fleetform plan --format j', 'json\n'],
    ['fleetform explain rotations.max', 'rotations.maxAge\n'],
  ])('offers for %s', async (line, expected) => {
    const text = `${await script('fish')}\ncomplete -C '${line}'`;
    const out = execFileSync('fish', ['--no-config', '-c', text], { encoding: 'utf8' });
    expect(out).toBe(expected);
  });
});
