import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../src/cli/program/program.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { scratchFolder } from '../../../support/scratch.ts';

async function completion(words: readonly string[], cwd = '.'): Promise<string> {
  const out = outputDouble();
  const shell = { out, err: outputDouble(), cwd };
  const program = createProgram(shell as unknown as Shell, () => undefined);
  await program.parseAsync(['completion', ...words], { from: 'user' });
  return out.text();
}

/** The words that are offered for the last of these. */
async function offered(words: readonly string[], cwd?: string): Promise<readonly string[]> {
  const text = await completion(['offer', '--', ...words], cwd);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

describe('what completion offers', () => {
  it.each([
    [['pl'], ['plan']],
    [['res'], ['resolve']],
    [['un'], ['unpause', 'unlock']],
    [['audit', 'ver'], ['verify']],
    [
      ['get', 'dev'],
      ['devices', 'device'],
    ],
    [['get', 'devices', ''], []],
    [['plan', '--form'], ['--format']],
    [
      ['plan', '--format', ''],
      ['text', 'json', 'md', 'html', 'ci'],
    ],
    [['plan', '--format', 'json', '--form'], ['--format']],
    [['plan', '--base', 'pl'], []],
    [['audit', 'verify', '--pl'], ['--plan']],
    [['-q', 'unl'], ['unlock']],
    [['explain', 'firmware.ver'], ['firmware.version']],
    [['completion', 'f'], ['fish']],
  ])('for %j', async (words, expected) => {
    expect(await offered(words)).toEqual(expected);
  });

  it.each([[['plan', '--out', 'pl']], [['plan', '-o', '']], [['show', 'pl']]])(
    'is files for %j',
    async (words) => expect(await offered(words)).toEqual([':files']),
  );

  it('comes with what a word means', async () => {
    const text = await completion(['offer', '--', 'audit', 'v']);
    expect(text).toBe('verify\tVerify ledger, notes and documents offline\n');
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
    [['pause', 'firm'], ['firmware.axis']],
    [
      ['pause', 'f'],
      ['fleet', 'firmware.axis'],
    ],
    [['unpause', 'firm'], ['firmware.axis']],
    [
      ['pause', 'fleet', '--site', ''],
      ['HQ Berlin', 'a$(touch hacked)'],
    ],
    [['audit', '--policy', ''], ['firmware.axis']],
  ])('are offered for %j', async (words, expected) => {
    expect(await offered(words, folder)).toEqual(expected);
  });

  it('are none where there are no documents', async () => {
    expect(await offered(['audit', '--policy', ''], join(folder, 'nowhere'))).toEqual([]);
  });
});

/** A command line that offers these lines, and keeps what it was asked in `asked`. */
const offering = (lines: string): string =>
  `fleetform() { printf '%s\\n' "$@" > "$ASKED"; printf '%b' '${lines}'; }`;

describe('the script for bash', () => {
  const folder = scratchFolder('completion-bash');

  /** What bash offers for the last of these words, and what it asked for. */
  async function complete(words: readonly string[], lines: string): Promise<string> {
    const list = words.map((word) => `'${word}'`).join(' ');
    const text = [
      offering(lines),
      await completion(['bash']),
      `COMP_WORDS=(fleetform ${list}); COMP_CWORD=${words.length}; COMPREPLY=()`,
      '_fleetform; printf "%s\\n" "${COMPREPLY[@]}"; cat "$ASKED"',
    ];
    const env = { ...process.env, ASKED: join(folder, 'asked') };
    return execFileSync('bash', ['-c', text.join('\n')], { encoding: 'utf8', cwd: folder, env });
  }

  it('asks with the words so far, the last without its quotes', async () => {
    const text = await complete(['pause', '--site', '"HQ\\ B'], 'HQ Berlin\\n');
    expect(text).toBe('HQ\\ Berlin\ncompletion\noffer\n--\npause\n--site\nHQ B\n');
  });

  it('quotes what a name has, and runs nothing', async () => {
    const text = await complete(['pause', '--site', ''], 'a$(touch hacked)\\tabout\\n');
    expect(text.split('\n')[0]).toBe('a\\$\\(touch\\ hacked\\)');
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });
});

/** Only where the shell is there: it is part of no runner. */
const hasShell = (name: string): boolean => spawnSync(name, ['-c', ':']).status === 0;

describe.runIf(hasShell('zsh'))('the script for zsh', () => {
  it('is one that zsh understands, and offers words with what they mean', async () => {
    const text = [
      'compdef() { print "$1 for $2" }; _describe() { print -l "${(P@)2}" }; _files() { print files }',
      "fleetform() { printf '%b' 'verify\\tWhat: it is\\nfirmware.axis\\n:files\\n' }",
      await completion(['zsh']),
      'words=(fleetform audit v); CURRENT=3; _fleetform',
    ].join('\n');
    const out = execFileSync('zsh', ['-f', '-c', text], { encoding: 'utf8' });
    expect(out).toBe('_fleetform for fleetform\nfiles\nverify:What: it is\nfirmware.axis\n');
  });
});

describe.runIf(hasShell('fish'))('the script for fish', () => {
  it('offers words with what they mean, and no files beside them', async () => {
    const text = `function fleetform; printf 'verify\\tWhat it is\\n'; end
${await completion(['fish'])}
complete -C 'fleetform audit v'`;
    const out = execFileSync('fish', ['--no-config', '-c', text], { encoding: 'utf8' });
    expect(out).toBe('verify\tWhat it is\n');
  });
});
