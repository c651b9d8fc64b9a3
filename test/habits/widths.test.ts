import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/render/sinks/width.ts';
import { allCommands, commandName, commandTree } from '../support/command-tree.ts';
import { ROOT } from './sources.ts';

/** The width that every text fits, on a terminal and in a pipe alike. */
const COLUMNS = 80;

/** Folders with what commands print, as it was read before it was accepted. */
const PRINTED = ['test/scenarios', 'test/unit', 'test/doctor', 'test/fixtures'];

/** Lines for the runner of a job, which it reads one by one. */
const FOR_RUNNERS = /\.ci\.txt$/;

/** A line that a test has joined where it leaves out counts, and the lines of a document. */
const NOT_PRINTED = /N confirmed|^#|^ *[-+]? +[\w-]+: \{/;

function goldens(): readonly string[] {
  return PRINTED.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.txt') && !FOR_RUNNERS.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/** Lines that are wider, and more than one word that cannot be broken. */
function tooWide(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !NOT_PRINTED.test(line) && textWidth(line) > COLUMNS)
    .filter((line) => line.trim().includes(' '));
}

describe('what commands print', () => {
  it('has no placeholder for a parameter that is missing', () => {
    const files = goldens();
    expect(files).not.toEqual([]);
    const empty = files.filter((file) =>
      /\(not said\)/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(empty).toEqual([]);
  });

  it(`is at most ${COLUMNS} columns wide, but for a word that cannot be broken`, () => {
    const files = goldens();
    expect(files).not.toEqual([]);
    const wide = files.flatMap((file) => tooWide(readFileSync(join(ROOT, file), 'utf8')));
    expect(wide).toEqual([]);
  });

  it('fits as the help of each command', () => {
    const wide = allCommands(commandTree()).flatMap((each) =>
      tooWide(each.helpInformation()).map((line) => `${commandName(each)}: ${line}`),
    );
    expect(wide).toEqual([]);
  });
});
