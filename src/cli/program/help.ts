import type { Argument, Command, Help, Option } from 'commander';
import { groupBy } from '../../lib/group-by.ts';
import type { AnyCommand } from './command.ts';
import { INPUT, OUTPUT, SERVICE_VARIABLES } from './flags.ts';

export type OnExit = (code: number) => void;

/** What the help of a command says besides its flags. */
export const HELP = new WeakMap<Command, AnyCommand>();

export const FLAGS = 'Flags:';

/** The commands that the help of the program leaves to `advanced`. */
export const ADVANCED = 'Advanced:';

const MORE = 'More: `fleetform advanced`; flags: `fleetform COMMAND --help`';

/** What every command has in common, below the commands of `advanced`. */
const COMMON: readonly string[] = [
  ...section(
    'Environment variables:',
    indent([
      'FLEETFORM_CLIENT_ID           Client ID, or FLEETFORM_CLIENT_ID_FILE',
      'FLEETFORM_CLIENT_SECRET       Client secret, or FLEETFORM_CLIENT_SECRET_FILE',
      'FLEETFORM_FLEET_NAME_...      Both of a fleet, where a command has several',
      'FLEETFORM_CREDENTIAL_COMMAND  Program that prints both, as a JSON array',
      'FLEETFORM_BASE_URL            Service URL (overrides service.baseUrl)',
      'FLEETFORM_ORGANIZATION        Organization where no document names one',
      'FLEETFORM_LEDGER_URL          Database of `ledger: {store: postgres}`',
      'FLEETFORM_LEDGER_PASSWORD     Its password, or that with _FILE or _COMMAND',
      'FLEETFORM_FORGE               Forge of ci: github or gitlab',
      'FLEETFORM_AUTHOR              Author of the comments of ci',
      'GITHUB_TOKEN                  Token of ci on GitHub',
      'GITLAB_TOKEN                  Token of ci on GitLab, for notes and issues',
      'HTTPS_PROXY, NO_PROXY         Proxy settings',
      'NO_COLOR                      Disable colors',
      'FORCE_COLOR                   Enable colors without a terminal',
      'COLUMNS                       Width of text in a pipe',
    ]),
  ),
  // The table of `render/words/commands.ts` explains each.
  'Exit codes: 0 success, 1 error, 2 changes or drift, 3 guardrail, 4 needs you,',
  '5 in doubt, 6 locked, 7 changes remain, 8 stale plan, 9 unusable.',
];

/** How commander prints help: description, usage, commands and flags by group, examples. */
export const HELP_LAYOUT: Partial<Help> = {
  formatHelp,
  visibleCommands: listCommands,
  visibleOptions: listOptions,
  commandUsage: (command) =>
    [
      `fleetform ${typedName(command)}`.trim(),
      ...command.registeredArguments.map((each) =>
        each.required ? each.name() : `[${each.name()}]`,
      ),
      ...requiredFlags(command),
      isGroup(command) ? 'COMMAND [flags]' : '[flags]',
    ].join(' '),
  subcommandTerm: (command) => command.name(),
  optionTerm: (option) => `${option.short ? '' : '    '}${plainFlags(option)}`,
  optionDescription: describeOption,
  argumentDescription: describeArgument,
};

function formatHelp(command: Command, helper: Help): string {
  // The page of the program shows no flags; they would set the width of its column.
  const width = command.parent ? helper.padWidth(command, helper) : 9;
  const item = (term: string, text: string): string => helper.formatItem(term, width, text, helper);
  const blocks = [
    [helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80)],
    [helper.boxWrap(`Usage: ${helper.commandUsage(command)}`, helper.helpWidth ?? 80)],
    grouped(
      helper.visibleArguments(command),
      () => 'Arguments:',
      (each) => item(each.name(), helper.argumentDescription(each)),
    ),
    grouped(
      helper.visibleCommands(command),
      (each) => each.helpGroup(),
      (each) => item(helper.subcommandTerm(each), each.summary()),
    ),
    grouped(command.parent ? helper.visibleOptions(command) : [], groupName, (each) =>
      item(helper.optionTerm(each), helper.optionDescription(each)),
    ),
    endLines(command),
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** The commands that a page lists: the one of the program leaves some to the one of `advanced`. */
function listCommands(command: Command): Command[] {
  const isAdvanced = (each: Command): boolean => each.helpGroup() === ADVANCED;
  const { parent, commands } = command;
  if (!parent) return commands.filter((each) => !isAdvanced(each));
  if (typedName(command) !== 'advanced') return [...commands];
  return parent.commands.filter((each) => isAdvanced(each) && each !== command);
}

/** A section for each group, in the order of its first line. */
function grouped<T>(
  all: readonly T[],
  groupOf: (each: T) => string,
  lineOf: (each: T) => string,
): readonly string[] {
  return [...groupBy(all, groupOf)].flatMap(([heading, each]) =>
    section(heading, each.map(lineOf)),
  );
}

/**
 * The flags that help shows, in order: those of the command itself, shared ones that a subcommand
 * takes from its parent, and last those of every command.
 */
function listOptions(command: Command): Option[] {
  const { parent } = command;
  const own = command.options.filter((option) => !option.hidden);
  if (!parent) return [...own, command.createOption('-h, --help', HELP_TEXT)];
  const shared = parent.parent ? parent.options.filter((each) => SHARED.has(groupName(each))) : [];
  const first = own.filter((option) => groupName(option) === FLAGS);
  const others = own.filter((option) => groupName(option) !== FLAGS);
  return [...first, ...others, ...shared, ...globalFlags(command)];
}

/** The groups of flags that a subcommand takes from its parent. */
const SHARED: ReadonlySet<string> = new Set([INPUT, OUTPUT]);

const HELP_TEXT = 'Show help for fleetform or a command';

function globalFlags(command: Command): readonly Option[] {
  const root = rootCommand(command);
  const isAll = typedName(command) === 'advanced';
  const named = root.options.filter((option) => isAll || option.long !== '--version');
  return [...named, root.createOption('-h, --help', HELP_TEXT)].map((option) =>
    root.createOption(option.flags, option.description).helpGroup('Global flags:'),
  );
}

function rootCommand(command: Command): Command {
  return command.parent ? rootCommand(command.parent) : command;
}

function groupName(option: Option): string {
  return option.helpGroupHeading ?? FLAGS;
}

function endLines(command: Command): readonly string[] {
  const help = HELP.get(command);
  if (!command.parent) return [MORE];
  if (!help) return [];
  // What may trace its requests connects to the service.
  const { environment: variables = 'trace' in help.flags ? SERVICE_VARIABLES : [] } = help;
  return [
    ...section('Examples:', indent(exampleLines(command))),
    ...section('Environment variables (see `fleetform advanced`):', indent(variables)),
    ...(help.name === 'advanced' ? COMMON : []),
  ];
}

/** The examples of a command; those of a group are the first of each of its commands. */
function exampleLines(command: Command): readonly string[] {
  const own = HELP.get(command)?.examples ?? [];
  if (own.length === 0) return command.commands.flatMap((each) => exampleLines(each).slice(0, 1));
  return own.map((text) => (text.includes('fleetform ') ? text : `fleetform ${text}`));
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** A command as it is typed, without the name of the program: `audit verify`. */
export function typedName(command: Command): string {
  return HELP.get(command)?.name ?? '';
}

/** Flags without which the command does not run: `--reason REASON`. */
function requiredFlags(command: Command): readonly string[] {
  return command.options.filter((option) => option.mandatory && !option.hidden).map(plainFlags);
}

/** Whether a command only holds others: it prints its help. */
export function isGroup(command: Command): boolean {
  return command.parent === null || HELP.get(command)?.examples.length === 0;
}

/** `--out FILE`: commander's brackets only say whether a value may be missing. */
function plainFlags(option: Option): string {
  return option.flags.replace(/<([^>]*)>/g, '$1');
}

/** The description with its choices and its default: `Output format: text or json (default: text)`. */
function describeOption(option: Option): string {
  const choices = option.argChoices === undefined ? '' : `: ${joinChoices(option.argChoices)}`;
  const value = option.defaultValueDescription ?? option.defaultValue;
  const isShown =
    option.required && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return `${option.description}${choices}${isShown ? ` (default: ${String(value)})` : ''}`;
}

function describeArgument({ description, defaultValue }: Argument): string {
  return `${description}${defaultValue === undefined ? '' : ` (default: ${String(defaultValue)})`}`;
}

function joinChoices(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
