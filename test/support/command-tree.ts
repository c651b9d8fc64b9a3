import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program/program.ts';
import { COMMANDS } from '../../src/cli/table.ts';
import type { Shell } from '../../src/shell/shell.ts';

const SHELL = { out: { columns: 80, write: quiet }, err: { columns: 80, write: quiet } };

function quiet(): void {}

/** The program with no command that runs. */
export function commandTree(): Command {
  const program = createProgram(SHELL as unknown as Shell, () => undefined);
  for (const command of allCommands(program)) if (command !== program) command.action(quiet);
  return program;
}

/** A command and all below it. */
export function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((each) => allCommands(each))];
}

/** `audit verify`; empty for the program. */
export function commandName(command: Command): string {
  const { parent } = command;
  return parent ? `${commandName(parent)} ${command.name()}`.trim() : '';
}

/** The words of a command line without variables, as a shell parts them. */
export function shellWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/["']/g, ''));
}

/** The examples of a command, without `fleetform` and without their comments. */
export function listExamples(command: Command): readonly string[] {
  const all = COMMANDS.flatMap(([, commands]) => commands);
  const declared = all.find(({ name }) => name === commandName(command));
  return (declared?.examples ?? []).map((text) =>
    text.replace(/^.*\bfleetform /, '').replace(/(\s+#|\)| > ).*$/, ''),
  );
}
