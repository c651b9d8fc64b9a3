import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadTexts } from '../../src/config/load.ts';
import { parseScope } from '../../src/plan/compare/parse-scope.ts';
import { parseFaults } from '../../src/twin/faults/fault-script.ts';
import { commandTree } from '../support/command-tree.ts';
import { pageBlocks, pageSteps } from '../support/page-steps.ts';
import { ROOT, sources } from './sources.ts';

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** A drawing, which nothing prints. */
const DRAWINGS = ['docs/architecture.md'];

/** Run by `test/package/pack.slow.test.ts`. */
const PROGRAMS = ['docs/library.md'];

/** The tests that walk through pages. */
const WALKS = ['blackbox/pages.slow.test.ts', 'package/readme.test.ts']
  .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
  .join('\n');

const SERVICE = 'baseUrl: https://api.example.com, organization: acme';

/** What a block of documents needs beside it to be a fleet, by section. */
const AROUND: Readonly<Record<string, string>> = {
  service: `service: {${SERVICE}}`,
  windows: 'windows: {nights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}',
};

/** The findings about the documents of a page; what they leave out of a fleet is added. A canary of minutes is for the simulator. */
function findings(written: readonly string[]): readonly unknown[] {
  const all = written.join('\n');
  const missing = Object.keys(AROUND).filter((name) => !new RegExp(`^${name}:`, 'm').test(all));
  const around = `${missing.map((name) => AROUND[name]).join('\n')}\n`;
  const lines = SERVICE.split(', ').map((line) => `  ${line}\n`);
  const named = all.includes('organization:') ? 'service:\n' : `service:\n${lines.join('')}`;
  const texts = written.map((text) => text.replace(/^service:\n/m, named));
  const files = [around, ...texts].map((text, index) => ({ path: `fleet/${index}.yaml`, text }));
  const { diagnostics } = loadTexts(files);
  const meant = diagnostics.filter(
    ({ code }) => code !== 'soakShort' || !/simulator only/.test(all),
  );
  return meant.map(({ code, params }) => ({ code, params }));
}

/** The command that a line names, and the flags of it or of a command above that the line has and the program lacks. */
function unknownFlags(line: string): readonly string[] {
  const words = line.split(/\s+/);
  let command: Command = commandTree();
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    command = next;
  }
  const known = new Set(['--help', '-h']);
  for (let each: Command | null = command; each; each = each.parent)
    for (const { long, short } of each.options) known.add(long ?? '').add(short ?? '');
  const [first = ''] = words;
  const isCommand = command.parent !== null || first.startsWith('-') || /^[A-Z]+$/.test(first);
  const flags = words
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.split('=')[0] ?? '');
  return [...(isCommand ? [] : [first]), ...flags.filter((flag) => !known.has(flag))];
}

describe.each(PAGES)('the blocks of %s', (page) => {
  const blocks = pageBlocks(page);

  it('have their commands run by a test', () => {
    if (pageSteps(page).length > 0) expect(WALKS).toContain(`'${page}'`);
  });

  it('are commands with their output, documents, or run elsewhere', () => {
    expect(() => pageSteps(page)).not.toThrow();
    const odd = blocks
      .map(({ language }) => language)
      .filter((language) => {
        if (language === '') return !DRAWINGS.includes(page);
        if (language === 'js') return !PROGRAMS.includes(page);
        const known = ['sh', 'text', 'yaml', 'json', 'sql', 'gitcommit', 'groovy', 'yml'];
        return !known.includes(language);
      });
    expect(odd).toEqual([]);
  });

  it('that are documents are valid', () => {
    const texts = blocks.filter(({ language }) => language === 'yaml').map(({ body }) => body);
    expect(findings(texts)).toEqual([]);
  });

  it('that are commit messages have trailers that can be read', () => {
    for (const { language, body } of blocks)
      if (language === 'gitcommit') {
        const [, scope = ''] = /^Scope: (.*)$/m.exec(body) ?? [];
        expect(parseScope(scope).problems).toEqual([]);
        expect(scope).not.toBe('');
      }
  });

  it('that are of another CI are about ten lines, and run the script', () => {
    for (const { language, body } of blocks) {
      if (language === 'yml') expect(parse(body)).toBeInstanceOf(Object);
      if (!['groovy', 'yml'].includes(language)) continue;
      expect(body).toMatch(/sh ci\/any-ci\.sh plan/);
      expect(body.trim().split('\n').length).toBeLessThanOrEqual(13);
    }
  });

  it('that are JSON are a script of faults', () => {
    for (const { language, body } of blocks)
      if (language === 'json') expect(parseFaults(body).length).toBeGreaterThan(0);
  });
});

/** A command in backticks, in a text between quotes or in a template. */
const QUOTED = /(?:\\`|(?<='[^'\n]*)`)fleetform ([a-z][^`\\$\n]*)/;

describe('commands in sentences', () => {
  it.each(PAGES)('of %s are commands with flags that exist', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replace(/^( *)```[^]*?^\1```$/gm, '');
    const lines = [...text.matchAll(/`(?:npx )?fleetform ([^`]+)`/g)].map(([, line = '']) => line);
    expect(lines.flatMap(unknownFlags)).toEqual([]);
  });

  it.each(sources('src').filter(({ text }) => QUOTED.test(text)))(
    'of $path are commands with flags that exist',
    ({ text }) => {
      const lines = [...text.matchAll(new RegExp(QUOTED, 'g'))];
      expect(lines.flatMap(([, line = '']) => unknownFlags(line))).toEqual([]);
    },
  );

  it('are told from others', () => {
    expect(unknownFlags('plan --out FILE -o x')).toEqual([]);
    expect(unknownFlags('plan --take-over')).toEqual(['--take-over']);
    expect(unknownFlags('audit verify --snapshot FILE')).toEqual([]);
    expect(unknownFlags('replan')).toEqual(['replan']);
  });
});
