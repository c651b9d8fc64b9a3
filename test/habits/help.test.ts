import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/program/help.ts';
import {
  allCommands,
  commandName,
  commandTree,
  listExamples,
  shellWords,
} from '../support/command-tree.ts';

/** One line of help: a capital, at most 60 characters, no full stop. */
const LINE = /^[A-Z].{0,58}[^.;]$/;

const commands = allCommands(commandTree()).filter((command) => command.parent !== null);

describe.each(commands.map((command) => [commandName(command), command] as const))(
  'the help of %s',
  (_, command) => {
    it('has one line of summary', () => {
      expect(command.summary()).toMatch(LINE);
    });

    it('describes each flag in one line', () => {
      const shown = command.options.filter((option) => !option.hidden);
      const odd = shown.filter(({ description }) => !/^.[^;]{0,58}[^.;]$/.test(description));
      expect(odd.map((option) => option.flags)).toEqual([]);
    });

    it('fits 80 columns', () => {
      const lines = command.helpInformation().split('\n');
      const examples = listExamples(command).map((text) => `fleetform ${text}`);
      const wide = lines.filter((line) => line.length > 80);
      expect(wide.filter((line) => !examples.some((text) => line.includes(text)))).toEqual([]);
    });

    it('has an example; a group has one of each of its commands', () => {
      expect(listExamples(command).length).toBeGreaterThan(isGroup(command) ? -1 : 0);
      const shown = command.helpInformation().split('Examples:\n')[1] ?? '';
      for (const each of isGroup(command) ? command.commands : [command])
        expect(shown).toContain(`fleetform ${commandName(each)}`);
    });

    it.each(listExamples(command))('has an example that is understood: %s', async (line) => {
      await expect(
        commandTree().parseAsync(shellWords(line), { from: 'user' }),
      ).resolves.toBeDefined();
    });
  },
);

describe('the help of the program and of `advanced`', () => {
  const pages = [
    commandTree(),
    ...commandTree().commands.filter((each) => each.name() === 'advanced'),
  ];
  const help = pages.map((page) => page.helpInformation()).join('');

  it('list every command once, with its summary', () => {
    for (const command of commands.filter(({ parent }) => parent?.parent === null))
      if (command.name() !== 'advanced')
        expect(help.split(`\n  ${command.name()} `)).toHaveLength(2);
  });

  it('fits 80 columns', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
