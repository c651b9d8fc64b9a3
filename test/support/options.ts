import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

type Read<O extends Options> = ReturnType<
  typeof parseArgs<{ readonly args: string[]; readonly options: O }>
>['values'];

/**
 * The values of the options of `npm run COMMAND`. For `--help`, and for what it does not understand, it says how the
 * command is used and ends the process.
 */
export function readOptions<const O extends Options>(
  command: string,
  options: O,
  argv: readonly string[] = process.argv.slice(2),
  end: (said: string, code: number) => never = endProcess,
): Read<O> {
  const usage = usageOf(command, options);
  if (argv.includes('--help')) return end(usage, 0);
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    return end(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 1);
  }
}

function usageOf(command: string, options: Options): string {
  const lines = Object.entries(options).map(([name, { type, default: without }]) => {
    const value = type === 'string' ? ' VALUE' : '';
    const known = type === 'string' && without !== undefined && without !== '';
    return `  --${name}${value}${known ? ` (${String(without)})` : ''}\n`;
  });
  return `npm run ${command} -- [OPTIONS]\n${lines.join('')}`;
}

function endProcess(said: string, code: number): never {
  process.stdout.write(said);
  process.exit(code);
}
