import type { Command, Option } from 'commander';

/**
 * A command line with `-out=F` written as `--out=F`, as Terraform has it. Commander would take the first letter for a
 * flag and the rest for its value, here a file `ut=F`. So one dash before the name of a long flag is two, and a short flag
 * with `=` is its long one; a word with `=` that is no flag becomes one that commander refuses by name. Values of
 * flags, and what comes after `--`, stay.
 */
export function withLongFlags(argv: readonly string[], options: readonly Option[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((text, index) => {
    const isFlag = (end < 0 || index < end) && !flagBefore(argv[index - 1], options);
    return isFlag ? longFlag(text, options) : text;
  });
}

function longFlag(text: string, options: readonly Option[]): string {
  const [, name, value] = /^-([A-Za-z][\w-]*)(=[^]*)?$/.exec(text) ?? [];
  if (name === undefined) return text;
  const found = options.find(
    ({ long, short }) => long === `--${name}` || (value !== undefined && short === `-${name}`),
  );
  if (found) return `${found.long}${value ?? ''}`;
  return value === undefined ? text : `--${name}`;
}

/** The flag of which the word after this one is the value, whatever it looks like. */
export function flagBefore(text: string | undefined, options: readonly Option[]) {
  return options.find(({ long, short, required }) => required && (text === long || text === short));
}

/** All flags that a command takes: its own, and those of every command. */
export function flagsOf(command: Command): readonly Option[] {
  return command.parent ? [...command.options, ...flagsOf(command.parent)] : command.options;
}
