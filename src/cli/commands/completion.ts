import type { Command, Option } from 'commander';
import { isField } from '../../model/report/field.ts';
import { FLEET } from '../../model/ledger/scopes.ts';
import { print } from '../../shell/output.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

interface CompletionNode {
  /** `/audit/verify`; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly Option[];
  /** The values of its first argument, where they are a closed list. */
  readonly words: readonly string[];
  /** Its first argument is also a name from the documents. */
  readonly names?: Names;
}

/** The names that documents define; a script asks for them at each completion. */
type Names = 'policies' | 'sites';
const SHELLS = ['bash', 'zsh', 'fish'] as const;
const NAMES: readonly Names[] = ['policies', 'sites'];

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
  flags: {
    shell: flag.argument('SHELL', 'bash, zsh, fish; policies or sites for names in fleet/', [
      ...SHELLS,
      ...NAMES,
    ]),
  },
  async run(flags, shell, registered) {
    const { out } = shell;
    if (flags.shell === 'policies' || flags.shell === 'sites')
      return print(out, await documentNames(shell, flags.shell));
    // The sections of the documents and their fields, as `explain` takes them: `firmware.version`.
    const { findField } = await import('../../config/reference/field.ts');
    const names = (path: string): readonly string[] => {
      const found = findField(path);
      return isField(found) ? found.fields.map((each) => each.path.split('.').at(-1) ?? '') : [];
    };
    const fields = names('').flatMap((section) => [
      section,
      ...names(section).map((name) => `${section}.${name}`),
    ]);
    const all = registered?.parent ? listNodes(registered.parent, fields) : [];
    const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
    print(out, [scripts[flags.shell](all)]);
  },
});

/** The names in the documents of this directory, each on a line; none where the documents cannot be read. */
async function documentNames(shell: Shell, names: Names): Promise<readonly string[]> {
  const { loadFleet } = await import('../../config/load.ts');
  const { listPolicies } = await import('../../model/documents/policies.ts');
  const { documents } = await loadFleet(fleetFolder(shell, 'fleet'));
  if (!documents) return [];
  if (names === 'sites') return [...documents.sites.keys()];
  return listPolicies(documents).map(({ value }) => value.address);
}

/** Every command of the program as completion sees it, the program itself first. */
function listNodes(each: Command, fields: readonly string[], path = ''): readonly CompletionNode[] {
  const commands = each.commands.filter((below) => below.name() !== 'help');
  const [argument] = each.registeredArguments;
  const isScope = argument?.name() === 'SCOPE';
  const words = isScope ? [FLEET] : (argument?.argChoices ?? []);
  const node: CompletionNode = {
    ...(isScope && { names: 'policies' }),
    path,
    commands: commands.map((below) => ({ name: below.name(), summary: below.summary() })),
    flags: each.createHelp().visibleOptions(each),
    words: path === '/explain' ? fields : words,
  };
  return [node, ...commands.flatMap((it) => listNodes(it, fields, `${path}/${it.name()}`))];
}

function valueKind({ flags, required, optional }: Option): 'none' | 'file' | 'text' | Names {
  if (!required && !optional) return 'none';
  if (/<POLICY>/.test(flags)) return 'policies';
  if (/<SITE>/.test(flags)) return 'sites';
  return /<(FILE|DIR)>/.test(flags) ? 'file' : 'text';
}

/** The command that the words before the cursor name is kept in `at`, in each of the scripts. */
function bashScript(nodes: readonly CompletionNode[]): string {
  return `# bash: eval "$(fleetform completion bash)"
_fleetform_names() {
  local name start=\${cur//\\\\/}
  while IFS= read -r name; do
    case "$name" in
      "\${start#[\\"\\']}"*) COMPREPLY+=("$(printf %q "$name")") ;;
    esac
  done < <(fleetform completion "$1" 2> /dev/null)
}
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
  names: (names) => `COMPREPLY=(); _fleetform_names ${names}`,
  file: 'COMPREPLY=($(compgen -f -- "$cur"))',
  text: 'COMPREPLY=()',
})}
  esac
  case "$at" in
${nodes
  .map(({ path, commands, flags, words, names }) => {
    const all = [...commands.map(({ name }) => name), ...words, ...flags.map(({ long }) => long)];
    const more = names === undefined ? '' : `; _fleetform_names ${names}`;
    return `    "${path}") COMPREPLY=($(compgen -W "${all.join(' ')}" -- "$cur"))${more} ;;`;
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
  names: (names) => `compadd -- ${zshNames(names)}`,
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
  const names = node.names === undefined ? '' : `; compadd -- ${zshNames(node.names)}`;
  return `all=(${zshItems(node).join(' ')})${isClosed ? ' closed=yes' : ''}${names}`;
}

function zshNames(names: Names): string {
  return `\${(f)"$(fleetform completion ${names} 2> /dev/null)"}`;
}

function zshItems({ commands, flags, words }: CompletionNode): readonly string[] {
  return [
    ...commands.map(({ name, summary }) => shellQuote(`${name}:${summary}`)),
    ...words,
    ...flags.map(({ long, description }) =>
      shellQuote(`${long}:${description.replace(/:/g, '\\:')}`),
    ),
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

function fishLines({ path, commands, flags, words, names }: CompletionNode): readonly string[] {
  const start = `complete -c fleetform -n "__fleetform_at '${path}'"`;
  return [
    ...commands.map(({ name, summary }) => `${start} -f -a ${name} -d ${fishQuote(summary)}`),
    ...words.map((word) => `${start} -f -a ${word}`),
    ...(names === undefined ? [] : [`${start} -f -a ${fishNames(names)}`]),
    ...flags.flatMap((option) => {
      const { long = '', short, description, argChoices } = option;
      const name = [`-l ${long.slice(2)}`, ...(short ? [`-s ${short.slice(1)}`] : [])].join(' ');
      const value = valueKind(option);
      const kind = value === 'none' ? '' : value === 'file' ? ' -r -F' : ' -x';
      const line = `${start} ${name}${kind}`;
      // Values stand on a line of their own: the description of the flag is not theirs.
      return [
        `${line} -d ${fishQuote(description)}`,
        ...(argChoices ? [`${line} -a '${argChoices.join(' ')}'`] : []),
        ...(value === 'policies' || value === 'sites' ? [`${line} -a ${fishNames(value)}`] : []),
      ];
    }),
  ];
}

function fishNames(names: Names): string {
  return `'(fleetform completion ${names} 2> /dev/null)'`;
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
  readonly names: (names: Names) => string;
  readonly file: string;
  readonly text: string;
}

/** One case for each flag that takes a value. */
function valueCases(nodes: readonly CompletionNode[], actions: ValueActions): string {
  return nodes
    .flatMap(({ path, flags }) =>
      flags
        .filter((option) => valueKind(option) !== 'none')
        .map((option) => {
          const { long, short, argChoices } = option;
          const names = [long, ...(short ? [short] : [])].map((name) => `"${path} ${name}"`);
          const kind = valueKind(option);
          const isNames = kind === 'policies' || kind === 'sites';
          const plain = isNames ? actions.names(kind) : actions[kind === 'file' ? 'file' : 'text'];
          const action = argChoices ? actions.words(argChoices) : plain;
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
