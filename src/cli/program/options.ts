import { Option, type Command } from 'commander';
import {
  collectInputs,
  collectNames,
  toAge,
  toCount,
  toDuration,
  toFileOrStdout,
  toFormat,
  toInstant,
} from './arguments.ts';

/** Groups of flags in the help, in the order in which a command adds them. */
export const FLAG_GROUPS = {
  input: 'Input:',
  output: 'Output:',
  part: 'Part of the fleet:',
} as const;

export function fleetOption(): Option {
  const option = new Option('--fleet <DIR>', 'Directory with the YAML documents');
  return option.default('fleet').helpGroup(FLAG_GROUPS.input);
}

export function limitOption(): Option {
  const option = new Option('--limit <CHARACTERS>', 'Maximum length of md output (default: 65536)');
  return option.argParser(toCount).helpGroup(FLAG_GROUPS.output);
}

/** The output formats; the first is the default. */
export function formatOption(...choices: readonly string[]): Option {
  const option = new Option('--format <FORMAT>', 'Format').choices(choices);
  return option.argParser(toFormat(choices)).default(choices[0]).helpGroup(FLAG_GROUPS.output);
}

export function allOption(): Option {
  const option = new Option('--all', 'List every device instead of a few per group');
  return option.helpGroup(FLAG_GROUPS.output);
}

/** The exit code that tells changes from none. */
export function exitCodeOption(): Option {
  const option = new Option('--detailed-exitcode', 'Exit with 2 if the plan has changes');
  return option.helpGroup(FLAG_GROUPS.output);
}

export function outOption(): Option {
  const option = new Option('-o, --out <FILE>', 'Save the plan for `apply FILE` (-: to stdout)');
  return option.argParser(toFileOrStdout).helpGroup(FLAG_GROUPS.output);
}

/** The service, or the service whose ledger is meant. */
export function serviceOption(description = 'Service URL (overrides service.baseUrl)'): Option {
  return new Option('--service <URL>', description).helpGroup(FLAG_GROUPS.input);
}

/** The service whose ledger a command uses without connecting to the service. */
export function ledgerOption(): Option {
  return serviceOption('Service URL whose ledger to use');
}

/** The name on record where git does not know the person. */
export function byOption(): Option {
  return new Option('--by <NAME>', 'Name to record (default: git user.name)');
}

/** A time with its offset. */
export function untilOption(description: string): Option {
  return new Option('--until <TIME>', description).argParser(toInstant);
}

/** Adds the flags of every command that connects to the service. */
export function withConnectionOptions(command: Command): Command {
  const trace = new Option('--trace <FILE>', 'Append requests and responses, secrets redacted');
  return command
    .addOption(fleetOption())
    .addOption(serviceOption())
    .addOption(trace.helpGroup(FLAG_GROUPS.input));
}

/** Adds the flags of every command that reads single devices for its decisions (semantics N20). */
export function withReadingOptions(command: Command, minutes = 5): Command {
  const about = `Device reads per run (default: ${minutes} minutes at service.pace)`;
  const option = new Option('--max-reads <N>', about).argParser(toCount);
  return withAgeOption(command.addOption(option.helpGroup(FLAG_GROUPS.input)));
}

/** Adds the flag of every command that uses what earlier runs read of single devices (semantics N8). */
export function withAgeOption(command: Command): Command {
  const about = 'Maximum age of values that earlier runs read (default: 7d)';
  const option = new Option('--max-age <DURATION>', about).argParser(toAge);
  return command.addOption(option.helpGroup(FLAG_GROUPS.input));
}

/** A saved snapshot in the place of the service (semantics N29). */
export function snapshotOption(
  description = 'Use a saved snapshot instead of the service',
): Option {
  return new Option('--snapshot <FILE>', description).helpGroup(FLAG_GROUPS.input);
}

export function metricsOption(): Option {
  const option = new Option('--metrics <FILE>', 'Write counts of the run as OpenMetrics text');
  return option.helpGroup(FLAG_GROUPS.output);
}

export function saveSnapshotOption(): Option {
  const option = new Option('--save-snapshot <FILE>', 'Save the data that was read');
  return option.helpGroup(FLAG_GROUPS.output);
}

/** Adds the flags of every command that writes to the ledger. */
export function withWriteOptions(command: Command): Command {
  return withLockOptions(withConnectionOptions(command));
}

/** Adds the flags of every command that takes the lock. */
export function withLockOptions(command: Command): Command {
  return command
    .addOption(lockWaitOption())
    .addOption(new Option('--take-over', "Take over another run's lock now").helpGroup('Lock:'));
}

export function lockWaitOption(wait = '0s'): Option {
  const option = new Option('--lock-wait <DURATION>', 'How long to wait for another run to end');
  return option.argParser(toDuration).default(wait).helpGroup('Lock:');
}

/** Adds the flags of a part to a command of a workflow, whose inputs may be empty. */
export function withPartInputs(command: Command): Command {
  return withPartOptions(command, collectInputs);
}

/** Adds the flags that limit a command to a part of the fleet; each may be given several times. */
export function withPartOptions(
  command: Command,
  collect: typeof collectInputs = collectNames,
): Command {
  const only = new Option('--only <POLICY>', 'These policies: firmware.NAME, rotations.*');
  const site = new Option('--site <SITE>', 'Devices at these sites, by ID, name or glob');
  const device = new Option('--device <DEVICE>', 'These devices, by ID or unique name');
  for (const option of [only, site, device])
    command.addOption(option.argParser(collect).helpGroup(FLAG_GROUPS.part));
  return command;
}
