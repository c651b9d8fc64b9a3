import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program/program.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { EXIT_WORDS } from '../../src/render/words/commands.ts';
import { fill } from '../../src/render/words/phrase.ts';
import { FAULT_FIELDS, MATCH_FIELDS } from '../../src/twin/faults/fault.ts';
import { ROOT } from './sources.ts';

const FILE = join(ROOT, 'README.md');

/** Tables of the README that say again what the code says, between `<!-- name -->` and `<!-- /name -->`. */
const TABLES: Readonly<Record<string, string>> = {
  'exit codes': rows(
    ['Code', 'Means', 'Next'],
    EXIT_WORDS.map(({ says, next }, code) => [String(code), says, fill(next, {}, String)]),
  ),
};

describe('README', () => {
  if (process.env['UPDATE_GOLDENS']) writeFileSync(FILE, updated(readFileSync(FILE, 'utf8')));
  const text = readFileSync(FILE, 'utf8');

  it.each(Object.keys(TABLES))('has the table of %s as the code has it', (name) => {
    expect(text).toContain(`<!-- ${name} -->\n${TABLES[name]}\n<!-- /${name} -->`);
  });

  it('names every command, and only commands that there are', () => {
    const shell = { out: { columns: 80 }, err: { columns: 80 } } as Shell;
    const commands = createProgram(shell, () => undefined).commands.map((command) =>
      command.name(),
    );
    const section = text.slice(text.indexOf('## Commands'), text.indexOf('## Exit codes'));
    const told = [...section.matchAll(/(?:^\|[^|]*\| | · )`([a-z]+)/gm)].map((match) => match[1]);
    expect(told.sort()).toEqual(commands.sort());
  });

  it('names every fault of the twin with its keys, and only faults that there are', () => {
    const section = readFileSync(join(ROOT, 'docs', 'twin.md'), 'utf8');
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

describe('the pages', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];

  it.each(pages)('%s links to files that are there', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(join(ROOT, dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });

  it('are all reached from README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const [, target = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(
        /\]\(([^)#\s]+\.md)/g,
      ))
        reached.add(join(dirname(page), target));
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('README has at most 150 lines', () => {
    expect(readFileSync(FILE, 'utf8').split('\n').length).toBeLessThanOrEqual(151);
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
        () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`,
      ),
    text,
  );
}

function rows(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
