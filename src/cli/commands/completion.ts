import type { Argument, Command, Option } from 'commander';
import { isField } from '../../model/report/field.ts';
import { FLEET } from '../../model/ledger/scopes.ts';
import { print } from '../../shell/output.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { command, type Flag } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { flagBefore, flagsOf } from '../program/single-dash.ts';

/** A word that may come next, and what it means. */
type Offer = readonly [word: string, about?: string];

/** Stands for the files of the shell. */
const FILES: Offer = [':files'];

const WORDS: Flag<readonly string[]> = {
  value: '[WORD...]',
  about: 'After `offer`: the words so far, of which the last is completed',
  isArgument: true,
};

/** Prints the completion script of one shell; the script asks for `offer` at each completion. */
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
    shell: flag.argument('SHELL', 'bash, zsh or fish; the script itself asks for `offer`', [
      'bash',
      'zsh',
      'fish',
      'offer',
    ]),
    words: WORDS,
  },
  async run(flags, shell, registered) {
    if (flags.shell !== 'offer') return print(shell.out, [SCRIPTS[flags.shell]]);
    if (!registered?.parent) return;
    const offers = await offersFor(registered.parent, flags.words, shell);
    const current = flags.words.at(-1) ?? '';
    const fit = offers.filter((offer) => offer === FILES || offer[0].startsWith(current));
    print(
      shell.out,
      fit.map((offer) => offer.join('\t')),
    );
  },
});

/** What may stand in place of the last word. */
async function offersFor(
  program: Command,
  words: readonly string[],
  shell: Shell,
): Promise<readonly Offer[]> {
  let at = program;
  let place = 0;
  let due: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const isValue = due !== undefined;
    due = isValue ? undefined : flagBefore(word, flagsOf(at));
    const below = at.commands.find((each) => each.name() === word);
    if (isValue || word.startsWith('-')) continue;
    if (below) [at, place] = [below, 0];
    else place += 1;
  }
  if (due) return valuesOf(due.flags, due.argChoices, shell);
  const options = at.createHelp().visibleOptions(at);
  if (words.at(-1)?.startsWith('-'))
    return options.map(({ long = '', description }): Offer => [long, description]);
  const commands = at.commands.filter((each) => each.name() !== 'help');
  return [
    ...commands.map((each): Offer => [each.name(), each.summary()]),
    ...(await argumentsOffered(at.registeredArguments[place], at.name(), shell)),
  ];
}

async function argumentsOffered(
  argument: Argument | undefined,
  command: string,
  shell: Shell,
): Promise<readonly Offer[]> {
  if (!argument) return [];
  if (command === 'explain') return fieldNames();
  const values = await valuesOf(argument.name(), argument.argChoices, shell);
  return argument.name() === 'SCOPE' ? [[FLEET], ...values] : values;
}

/** The values of a flag or an argument: a closed list, names in the documents, or files. */
async function valuesOf(
  name: string,
  choices: readonly string[] | undefined,
  shell: Shell,
): Promise<readonly Offer[]> {
  if (choices) return choices.map((choice): Offer => [choice]);
  if (/\b(?:POLICY|SCOPE|SITE)\b/.test(name)) return documentNames(shell, /SITE/.test(name));
  return /\b(?:FILE|DIR)\b/.test(name) ? [FILES] : [];
}

/** The names of sites or policies in the documents of this directory; none where the documents cannot be read. */
async function documentNames(shell: Shell, isSites: boolean): Promise<readonly Offer[]> {
  const { loadFleet } = await import('../../config/load.ts');
  const { listPolicies } = await import('../../model/documents/policies.ts');
  const { documents } = await loadFleet(fleetFolder(shell, 'fleet'));
  if (!documents) return [];
  if (isSites) return [...documents.sites.keys()].map((site): Offer => [site]);
  return listPolicies(documents).map(({ value }): Offer => [value.address]);
}

/** The sections of the documents and their fields, as `explain` takes them: `firmware.version`. */
async function fieldNames(): Promise<readonly Offer[]> {
  const { findField } = await import('../../config/reference/field.ts');
  const names = (path: string): readonly string[] => {
    const found = findField(path);
    return isField(found) ? found.fields.map((each) => each.path.split('.').at(-1) ?? '') : [];
  };
  return names('').flatMap((section): readonly Offer[] => [
    [section],
    ...names(section).map((name): Offer => [`${section}.${name}`]),
  ]);
}

const SCRIPTS = {
  bash: `# bash: eval "$(fleetform completion bash)"
_fleetform() {
  local line current=\${COMP_WORDS[COMP_CWORD]//\\\\/}
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default ;;
      *) COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")") ;;
    esac
  done < <(fleetform completion offer -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "\${current#[\\"\\']}" 2> /dev/null)
}
complete -F _fleetform fleetform
`,
  zsh: `#compdef fleetform
# zsh: source <(fleetform completion zsh)
_fleetform() {
  local line
  local -a offers
  for line in "\${(@f)$(fleetform completion offer -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    case "$line" in
      '') ;;
      :files) _files ;;
      *$'\\t'*) offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) offers+=("\${line//:/\\\\:}") ;;
    esac
  done
  _describe fleetform offers
}
compdef _fleetform fleetform
`,
  fish: `# fish: fleetform completion fish | source
function __fleetform_offers
  set -l words (commandline -opc)[2..]
  set -l current (commandline -ct)
  for line in (fleetform completion offer -- $words "$current" 2> /dev/null)
    if test "$line" = :files
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c fleetform -f -a '(__fleetform_offers)'
`,
} as const;
