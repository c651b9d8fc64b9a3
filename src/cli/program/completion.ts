import { Argument, type Command, type Option } from 'commander';
import type { CompletionFlag, CompletionNode } from '../commands/completion.ts';
import type { Shell } from '../../shell/shell.ts';
import { addCommand, type OnExit } from './help.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

/** Adds `completion`, which prints a script for one of the shells. */
export function addCompletion(program: Command, shell: Shell, onExit: OnExit): void {
  addCommand(program, 'completion', {
    summary: 'Print a completion script for bash, zsh or fish',
    more: 'Evaluate it when the shell starts, for example in ~/.bashrc.',
    examples: [
      'eval "$(fleetform completion bash)"  # in ~/.bashrc',
      'eval "$(fleetform completion zsh)"  # in ~/.zshrc, after compinit',
      'completion fish > ~/.config/fish/completions/fleetform.fish',
    ],
  })
    .addArgument(new Argument('<SHELL>', 'bash, zsh or fish').choices(SHELLS))
    .action(async (name) => {
      const { completionCommand } = await import('../commands/completion.ts');
      onExit(completionCommand(name, listNodes(program), shell));
    });
}

/** Every command of the program as completion sees it, the program itself first. */
function listNodes(command: Command, path = ''): readonly CompletionNode[] {
  const commands = command.commands.filter((each) => each.name() !== 'help');
  const node: CompletionNode = {
    path,
    commands: commands.map((each) => ({ name: each.name(), summary: each.summary() })),
    flags: command.createHelp().visibleOptions(command).map(toFlag),
    words: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [node, ...commands.flatMap((each) => listNodes(each, `${path}/${each.name()}`))];
}

function toFlag(option: Option): CompletionFlag {
  return {
    long: option.long ?? '',
    ...(option.short && { short: option.short }),
    summary: option.description,
    value: valueKind(option),
    words: option.argChoices ?? [],
  };
}

function valueKind(option: Option): CompletionFlag['value'] {
  if (!option.required && !option.optional) return 'none';
  return /<(FILE|DIR)>/.test(option.flags) ? 'file' : 'text';
}
