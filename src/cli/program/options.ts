import { Option, type Command } from 'commander';
import { collect, toAge, toDuration, toCount } from './arguments.ts';

/** The folder of the documents. */
export function fleetOption(): Option {
  return new Option('--fleet <dir>', 'the folder of the documents').default('fleet');
}

/** The maximum length of markdown. */
export function limitOption(): Option {
  const about = 'characters that --format md may have (default: 65536, what a comment holds)';
  return new Option('--limit <characters>', about).argParser(toCount);
}

/** The output formats; the first is the default. */
export function formatOption(...choices: readonly string[]): Option {
  return new Option('--format <format>', 'how to print').choices(choices).default(choices[0]);
}

/** Adds the options of every command that connects to the service. */
export function withConnectionOptions(command: Command): Command {
  return command
    .addOption(fleetOption())
    .option('--service <url>', 'speak to this address instead of service.baseUrl')
    .option('--trace <file>', 'append every request and answer to FILE, secrets removed');
}

/** Adds the options of every command that reads single devices for its decisions (semantics N20). */
export function withReadingOptions(command: Command, minutes = 5): Command {
  return withAgeOption(
    command.option(
      '--max-reads <count>',
      `reads of single devices; later runs make the others (default: ${minutes} minutes at service.pace)`,
      toCount,
    ),
  );
}

/** Adds the option of every command that uses what earlier runs read of single devices (semantics N8). */
export function withAgeOption(command: Command): Command {
  const about = 'how old what an earlier run read may be (default: 7d)';
  return command.option('--max-age <duration>', about, toAge);
}

/** A saved snapshot in the place of the service (semantics N29). */
export function snapshotOption(): Option {
  return new Option('--snapshot <file>', 'read a kept snapshot instead of the service');
}

/** Adds the options of every command that writes to the ledger. */
export function withWriteOptions(command: Command): Command {
  return withConnectionOptions(command)
    .option('--lock-wait <duration>', 'how long to wait for another run to end', toDuration, '0s')
    .option('--take-over', 'take the lock from another run at once');
}

/** Adds the options that limit a command to a part of the fleet; each may be given several times. */
export function withPartOptions(command: Command): Command {
  return command
    .option('--only <policy>', 'limit it to these policies: firmware.NAME, rotations.*', collect)
    .option('--site <site>', 'limit it to devices at these sites, by ID, name or glob', collect)
    .option('--device <device>', 'limit it to these devices, by ID or a unique name', collect);
}
