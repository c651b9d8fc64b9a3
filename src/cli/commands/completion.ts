import type { Command, Option } from 'commander';
import { isField } from '../../model/report/field.ts';
import { print } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import { argument } from '../program/flags.ts';

interface CompletionFlag {
  /** With its dashes: `--out`. */
  readonly long: string;
  readonly short?: string;
  readonly summary: string;
  readonly value: 'none' | 'file' | 'text';
  /** The values of a flag that has a closed list. */
  readonly words: readonly string[];
}

interface CompletionNode {
  /** `/audit/verify`; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly CompletionFlag[];
  /** The values of its first argument, where they are a closed list. */
  readonly words: readonly string[];
}

/** Prints the completion script of one shell, from the table of all commands. */
export const completion = command({
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish',
  more: 'Evaluate it when the shell starts, for example in ~/.bashrc.',
  examples: [
    'eval "$(fleetform completion bash)"  # in ~/.bashrc',
    'eval "$(fleetform completion zsh)"  # in ~/.zshrc, after compinit',
    'completion fish > ~/.config/fish/completions/fleetform.fish',
  ],
  flags: { shell: argument('SHELL', 'bash, zsh or fish', ['bash', 'zsh', 'fish']) },
  async run(flags, { out }, registered) {
    const fields = await listFields();
    const all = registered?.parent ? listNodes(registered.parent, fields) : [];
    const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
    print(out, [scripts[flags.shell](all)]);
  },
});

/** Every command of the program as completion sees it, the program itself first. */
function listNodes(each: Command, fields: readonly string[], path = ''): readonly CompletionNode[] {
  const commands = each.commands.filter((below) => below.name() !== 'help');
  const node: CompletionNode = {
    path,
    commands: commands.map((below) => ({ name: below.name(), summary: below.summary() })),
    flags: each.createHelp().visibleOptions(each).map(toFlag),
    words: path === '/explain' ? fields : (each.registeredArguments[0]?.argChoices ?? []),
  };
  return [node, ...commands.flatMap((it) => listNodes(it, fields, `${path}/${it.name()}`))];
}

function toFlag({ long, short, flags, required, optional, ...option }: Option): CompletionFlag {
  const value = /<(FILE|DIR)>/.test(flags) ? 'file' : 'text';
  return {
    long: long ?? '',
    ...(short && { short }),
    summary: option.description,
    value: required || optional ? value : 'none',
    words: option.argChoices ?? [],
  };
}

/** The sections of the documents and their fields, as `explain` takes them: `firmware.version`. */
async function listFields(): Promise<readonly string[]> {
  const { findField } = await import('../../config/reference/field.ts');
  const names = (path: string): readonly string[] => {
    const found = findField(path);
    return isField(found) ? found.fields.map((each) => each.path.split('.').at(-1) ?? '') : [];
  };
  return names('').flatMap((section) => [
    section,
    ...names(section).map((name) => `${section}.${name}`),
  ]);
}

/** The command that the words before the cursor name is kept in `at`, in each of the scripts. */
function bashScript(nodes: readonly CompletionNode[]): string {
  return `# bash: eval "$(fleetform completion bash)"
_fleetform() {
  local at= word cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${paths(nodes)}) at="$at/$word" ;;
    esac
  done
  case "$at $prev" in
${valueCases(nodes, {
  words: (words) => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))`,
  file: 'COMPREPLY=($(compgen -f -- "$cur"))',
  text: 'COMPREPLY=()',
})}
  esac
  case "$at" in
${nodes
  .map(({ path, commands, flags, words }) => {
    const all = [...commands.map(({ name }) => name), ...words, ...flags.map(({ long }) => long)];
    return `    "${path}") COMPREPLY=($(compgen -W "${all.join(' ')}" -- "$cur")) ;;`;
  })
  .join('\n')}
  esac
}
complete -o default -F _fleetform fleetform
`;
}

function zshScript(nodes: readonly CompletionNode[]): string {
  return `#compdef fleetform
# zsh: source <(fleetform completion zsh)
_fleetform() {
  local at= word closed=
  local -a all
  for word in \${words[2,CURRENT-1]}; do
    case "$at/$word" in
      ${paths(nodes)}) at="$at/$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueCases(nodes, {
  words: (words) => `compadd ${words.join(' ')}`,
  file: '_files',
  text: '_message value',
})}
  esac
  case "$at" in
${nodes.map((node) => `    "${node.path}") ${zshCase(node)} ;;`).join('\n')}
  esac
  _describe fleetform all
  [[ -n "$closed" || "\${words[CURRENT]}" == -* ]] || _files
}
compdef _fleetform fleetform
`;
}

/** What a command offers; where its next word is of a closed list, no files. */
function zshCase(node: CompletionNode): string {
  const isClosed = node.commands.length > 0 || node.words.length > 0;
  return `all=(${zshItems(node).join(' ')})${isClosed ? ' closed=yes' : ''}`;
}

function zshItems({ commands, flags, words }: CompletionNode): readonly string[] {
  return [
    ...commands.map(({ name, summary }) => shellQuote(`${name}:${summary}`)),
    ...words,
    ...flags.map(({ long, summary }) => shellQuote(`${long}:${summary.replace(/:/g, '\\:')}`)),
  ];
}

function fishScript(nodes: readonly CompletionNode[]): string {
  return `# fish: fleetform completion fish | source
function __fleetform_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at/$word"
      case ${paths(nodes, ' ')}
        set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${nodes.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ path, commands, flags, words }: CompletionNode): readonly string[] {
  const start = `complete -c fleetform -n "__fleetform_at '${path}'"`;
  return [
    ...commands.map(({ name, summary }) => `${start} -f -a ${name} -d ${fishQuote(summary)}`),
    ...words.map((word) => `${start} -f -a ${word}`),
    ...flags.flatMap(({ long, short, summary, value, words: values }) => {
      const name = [`-l ${long.slice(2)}`, ...(short ? [`-s ${short.slice(1)}`] : [])].join(' ');
      const kind = value === 'none' ? '' : value === 'file' ? ' -r -F' : ' -x';
      const flag = `${start} ${name}${kind}`;
      // Values stand on a line of their own: the description of the flag is not theirs.
      return [
        `${flag} -d ${fishQuote(summary)}`,
        ...(values.length > 0 ? [`${flag} -a '${values.join(' ')}'`] : []),
      ];
    }),
  ];
}

/** The paths of all commands but the program, as the pattern of a case. */
function paths(nodes: readonly CompletionNode[], separator = '|'): string {
  return nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => path)
    .join(separator);
}

interface ValueActions {
  readonly words: (words: readonly string[]) => string;
  readonly file: string;
  readonly text: string;
}

/** One case for each flag that takes a value. */
function valueCases(nodes: readonly CompletionNode[], actions: ValueActions): string {
  return nodes
    .flatMap(({ path, flags }) =>
      flags
        .filter(({ value }) => value !== 'none')
        .map(({ long, short, value, words }) => {
          const names = [long, ...(short ? [short] : [])].map((name) => `"${path} ${name}"`);
          const action =
            words.length > 0 ? actions.words(words) : actions[value === 'file' ? 'file' : 'text'];
          return `    ${names.join('|')}) ${action}; return ;;`;
        }),
    )
    .join('\n');
}

function shellQuote(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
