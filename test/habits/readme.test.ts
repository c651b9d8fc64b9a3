import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program/program.ts';
import type { Shell } from '../../src/cli/shell/shell.ts';
import { EXIT_WORDS, goOnWords } from '../../src/render/words/commands.ts';
import { FAULT_FIELDS, MATCH_FIELDS } from '../../src/twin/faults/fault-fields.ts';
import { ROOT } from './sources.ts';

const FILE = join(ROOT, 'README.md');

/** Tables of the README that say again what the code says, between `<!-- name -->` and `<!-- /name -->`. */
const TABLES: Readonly<Record<string, string>> = {
  'exit codes': rows(
    ['Code', 'Means', 'Next'],
    EXIT_WORDS.map(({ says, next }, code) => [String(code), says, goOnWords(next)]),
  ),
};

describe('README', () => {
  if (process.env['UPDATE_GOLDENS']) writeFileSync(FILE, updated(readFileSync(FILE, 'utf8')));
  const text = readFileSync(FILE, 'utf8');

  it.each(Object.keys(TABLES))('has the table of %s as the code has it', (name) => {
    expect(text).toContain(`<!-- ${name} -->\n\n${TABLES[name]}\n\n<!-- /${name} -->`);
  });

  it('names every command, and only commands that there are', () => {
    const shell = { out: { columns: 80 }, err: { columns: 80 } } as Shell;
    const commands = createProgram(shell, () => undefined).commands.map((command) =>
      command.name(),
    );
    const section = text.slice(text.indexOf('## Commands'), text.indexOf('## Exit codes'));
    const told = [...section.matchAll(/^\| `([a-z]+)/gm)].map((match) => match[1]);
    expect(told.sort()).toEqual(commands.sort());
  });

  it('names every fault of the twin with its keys, and only faults that there are', () => {
    const section = text.slice(text.indexOf('## The twin'), text.indexOf('## Interruptions'));
    const lines = [...section.matchAll(/^\| (`.+?) \|(.*?)\| /gm)];
    const told = lines.flatMap(([, names = '', keys = '']) =>
      quoted(names).map((name) => [name, quoted(keys.replace(/\([^)]*\)/g, '')).sort()]),
    );
    const known = Object.entries(FAULT_FIELDS).map(([name, keys]) => [name, Object.keys(keys)]);
    expect(sorted(told)).toEqual(
      sorted(known.map(([name, keys]) => [name, [...(keys ?? [])].sort()])),
    );
    const words = quoted(section);
    expect(Object.keys(MATCH_FIELDS).filter((key) => !words.includes(key))).toEqual([]);
  });
});

/** What stands between backticks. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
}

function sorted(pairs: readonly unknown[]): readonly string[] {
  return pairs.map((pair) => JSON.stringify(pair)).sort();
}

function updated(text: string): string {
  return Object.entries(TABLES).reduce(
    (readme, [name, table]) =>
      readme.replace(
        new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`),
        () => `<!-- ${name} -->\n\n${table}\n\n<!-- /${name} -->`,
      ),
    text,
  );
}

function rows(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
