import type { Milliseconds } from '../../lib/time.ts';
import {
  collectInputs,
  collectNames,
  toAge,
  toCount,
  toDuration,
  toFile,
  toFileOrStdout,
  toInstant,
  toReason,
} from './arguments.ts';
import type { Flag, Flags } from './command.ts';

type Details<T> = Omit<Flag<T>, 'about' | 'value' | 'parse' | 'choices' | 'isArgument'>;

/** What a command gets of a flag: with a default, or where it must be given, it is never absent. */
type Given<T, D> = D extends { readonly default: T } | { readonly must: true } ? T : T | undefined;

export function on(about: string, details: Details<boolean> = {}): Flag<boolean | undefined> {
  return { about, ...details };
}

export function text<const D extends Details<string>>(value: string, about: string, details?: D) {
  return { value, about, ...details } as Flag<Given<string, D>>;
}

/** Why somebody does something: words, which go on record. */
export function reason<const D extends Details<string>>(about: string, details?: D) {
  return option('REASON', about, toReason, details);
}

export function option<T, const D extends Details<T>>(
  value: string,
  about: string,
  parse: (text: string, before?: T) => T | undefined,
  details?: D,
) {
  return { value, about, parse, ...details } as Flag<Given<T, D>>;
}

export function oneOf<const T extends string, const D extends Details<T>>(
  value: string,
  about: string,
  choices: readonly T[],
  details?: D,
) {
  return { value, about, choices, ...details } as Flag<Given<T, D>>;
}

/** A duration with a default, as it is written. */
export function duration(about: string, shown: string, group?: string): Flag<Milliseconds> {
  const details = { default: toDuration(shown), shown, ...(group !== undefined && { group }) };
  return option('DURATION', about, toDuration, details);
}

/** The file that a command saves its result in, by default this one. */
export function outFile(about: string, name: string): Flag<string> {
  return option('FILE', about, toFile, { short: '-o', default: name });
}

export function argument<const T extends string = string>(
  value: string,
  about: string,
  choices?: readonly T[],
): Flag<T> {
  return { value, about, ...(choices && { choices }), isArgument: true };
}

export function optionalArgument(value: string, about: string): Flag<string | undefined> {
  return { value: `[${value}]`, about, isArgument: true };
}

/** The same flags under another heading of the help. */
export function under<F extends Flags>(group: string, flags: F): F {
  const placed = Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }]);
  return Object.fromEntries(placed) as F;
}

/** Headings of flags in the help, in the order in which a command adds them. */
export const INPUT = 'Input:';
export const OUTPUT = 'Output:';

/** The variables of every command that connects to the service. */
export const SERVICE_VARIABLES: readonly string[] = [
  'FLEETFORM_CLIENT_ID',
  'FLEETFORM_CLIENT_SECRET',
  'FLEETFORM_BASE_URL',
];

/** What selects a forge and may write to it. */
export const FORGE_VARIABLES: readonly string[] = [
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'FLEETFORM_AUTHOR',
  'FLEETFORM_FORGE',
];

export const fleet = text('DIR', 'Directory with the YAML documents', {
  default: 'fleet',
  group: INPUT,
});

/** The documents of one fleet, or of several: the command then runs for each. */
export const FLEETS = {
  fleet: { ...fleet, about: 'Directory with the YAML documents (repeatable, or a glob)' },
  allFleets: on("All fleets: --fleet 'fleet/*'", { group: INPUT }),
};

/** The service, or the service whose ledger is meant. */
export function service(about = 'Service URL (overrides service.baseUrl)') {
  return text('URL', about, { group: INPUT });
}

/** The documents, and the service whose ledger a command uses without connecting to the service. */
export const LEDGER = { fleet, service: service('Service URL whose ledger to use') };

/** The flags of every command that connects to the service. */
export const CONNECTION = {
  fleet,
  service: service(),
  trace: text('FILE', 'Append requests and responses, secrets redacted', { group: INPUT }),
};

/** The flag of every command that uses what earlier runs read of single devices (semantics N8). */
export const AGE = {
  maxAge: option('DURATION', 'Maximum age of values that earlier runs read (default: 7d)', toAge, {
    group: INPUT,
  }),
};

/** The flags of every command that reads single devices for its decisions (semantics N20). */
export function reading(minutes = 5) {
  const about = `Device reads per run (default: ${minutes} minutes at service.pace)`;
  return { maxReads: option('N', about, toCount, { group: INPUT }), ...AGE };
}

/** A saved snapshot in the place of the service (semantics N29). */
export function snapshot(about = 'Use a saved snapshot instead of the service') {
  return text('FILE', about, { group: INPUT });
}

/** The flags that limit a command to a part of the fleet; each may be given several times. */
export const PART = part(collectNames);

/** The same of a command of a workflow, whose inputs may be empty. */
export const PART_INPUTS = part(collectInputs);

function part(parse: typeof collectInputs) {
  return under('Part of the fleet:', {
    only: option('POLICY', 'These policies: firmware.NAME, rotations.*', parse),
    site: option('SITE', 'Devices at these sites, by ID, name or glob', parse),
    device: option('DEVICE', 'These devices, by ID or unique name', parse),
  });
}

export function lockWait(wait: string) {
  return duration('How long to wait for another run to end', wait, 'Lock:');
}

/** The flags of every command that takes the lock. */
export const LOCK = {
  lockWait: lockWait('0s'),
  takeOver: on("Take over another run's lock now", { group: 'Lock:' }),
};

/** The output formats; the first is the default. */
export function formats<const T extends readonly [string, ...string[]]>(
  ...choices: T
): Flag<T[number]> {
  return { value: 'FORMAT', about: 'Format', choices, default: choices[0], group: OUTPUT };
}

export const format = formats('text', 'json');

/** The formats of a run: `ndjson` prints its events as they happen. */
export const runFormat = formats('text', 'json', 'ndjson');

export const all = on('List every device instead of a few per group', { group: OUTPUT });

export const limit = option('CHARACTERS', 'Maximum length of md output (default: 65536)', toCount, {
  group: OUTPUT,
});

/** The exit code that tells changes from none. */
export const detailedExitcode = on('Exit with 2 if the plan has changes', { group: OUTPUT });

export const out = option('FILE', 'Save the plan for `apply FILE` (-: to stdout)', toFileOrStdout, {
  short: '-o',
  group: OUTPUT,
});

export const saveSnapshot = text('FILE', 'Save the data that was read', { group: OUTPUT });

export const metrics = text('FILE', 'Write metrics for Prometheus', {
  group: OUTPUT,
});

/** What a person pauses and unpauses. */
export const SCOPE = 'Policy (firmware.NAME), incident (incidents.NAME) or fleet';
export const site = option(
  'SITE',
  'Only at these sites, by name, glob or ID (repeatable)',
  collectNames,
);

/** The name on record where git does not know the person. */
export const by = text('NAME', 'Name to record (default: git user.name)');

export function until(about: string) {
  return option('TIME', about, toInstant);
}
