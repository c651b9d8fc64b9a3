import {
  type Milliseconds,
  formatDuration,
  parseDuration,
  parseDateOrInstant,
  type Instant,
} from '../../lib/time.ts';
import type { Flag, Flags } from './command.ts';
import { InvalidArgumentError } from 'commander';
import { OLDEST } from '../../facts/belief.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { LONGEST_HORIZON } from '../../model/plan/calendar.ts';

export const toDuration = durationUpTo('s, m, h, d, w: 30s, 7d');

/** Parses the greatest age of a known value. */
const toAge = durationUpTo('s, m, h, d, w: 7d', { most: OLDEST });

export const toHorizon = durationUpTo('h, d, w: 90d', { most: LONGEST_HORIZON, least: 1 });

/** Parses how long something stays valid. */
export const toValidity = durationUpTo('s, m, h, d, w, above zero: 12h, 7d', { least: 1 });

function durationUpTo(
  form: string,
  { least = 0, most = Infinity } = {},
): (text: string) => Milliseconds {
  return (text) => {
    const ms = parseDuration(text);
    if (ms !== undefined && ms >= least && ms <= most) return ms;
    const limit = most === Infinity ? '' : `, at most ${formatDuration(most)}`;
    throw new InvalidArgumentError(`Write a whole number and one of ${form}${limit}.`);
  };
}

/** Collects the names of a part; an empty one would stand for nothing. */
export function collectNames(text: string, before: readonly string[] = []): readonly string[] {
  if (text.trim() === '') throw new InvalidArgumentError('Write a name, an ID or a pattern.');
  return [...before, text];
}

/** Collects the names of a part from the inputs of a workflow, where an empty one was left out. */
export function collectInputs(
  text: string,
  before?: readonly string[],
): readonly string[] | undefined {
  return text.trim() === '' ? before : collectNames(text, before);
}

export function toInstant(text: string): Instant {
  const read = parseDateOrInstant(text);
  if (read === undefined)
    throw new InvalidArgumentError(
      'Write a date, which is its start in UTC, or an instant with its offset: 2027-01-31, 2027-01-31T00:00:00Z.',
    );
  return read;
}

export function toMilliseconds(text: string): Milliseconds {
  const ms = /^\d+$/.test(text)
    ? Number(text)
    : /^(\d+)ms$/.test(text)
      ? Number.parseInt(text, 10)
      : parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError('Write milliseconds, or a duration such as 2s.');
  return ms;
}

export function toCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

/** Parses any text; an empty one is a variable that is not set, never a value. */
export function toText(text: string): string {
  if (text === '') throw new InvalidArgumentError('Write a value, or leave the flag out.');
  return text;
}

/** Parses words that go on record; blanks are none. */
function toReason(text: string): string {
  return toText(text.trim());
}

/** Words for a format that other programs use, and ours. */
const OTHER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  text: ['table'],
  table: ['text'],
  txt: ['text', 'table'],
  markdown: ['md'],
  jsonl: ['ndjson'],
};

/** Parses a word of a closed list; for another name of a format it says ours. */
export function toChoice<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const found = choices.find((each) => each === text);
    if (found !== undefined) return found;
    const ours = OTHER_FORMATS[text]?.find((each) => choices.some((choice) => choice === each));
    const name = ours ?? nearest(text, choices);
    const hint = name === undefined ? '' : ` Did you mean "${name}"?`;
    throw new InvalidArgumentError(`Write one of ${choices.join(', ')}.${hint}`);
  };
}

/** Parses the value of `get -o`, which is a format and no file. */
export function toOutput<T extends string>(choices: readonly T[]): (text: string) => T {
  const parse = toChoice(choices);
  return (text) => {
    if (!/[./]/.test(text)) return parse(text);
    const message = `Write one of ${choices.join(', ')}. To write a file, redirect stdout to it.`;
    throw new InvalidArgumentError(message);
  };
}

const FORMATS: ReadonlySet<string> = new Set(
  'text table json ndjson csv md html ci yaml'.split(' '),
);

/** Parses the file of `plan -o`, or `-` for stdout. */
function toFileOrStdout(text: string): string {
  return text === '-' ? text : toFile(text);
}

/** Parses the file of `-o`; a format is none, since `get -o` takes one, and neither is `-`. */
export function toFile(text: string): string {
  if (text === '-') throw new InvalidArgumentError('Write a file; only `plan -o -` is stdout.');
  if (!FORMATS.has(text)) return text;
  throw new InvalidArgumentError(
    `Write a file. For the format use --format ${text}; a file of this name is ./${text}.`,
  );
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Collects names separated by commas; throws for an empty one. */
export function splitNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Name at least one, separated by commas.');
  return [...before, ...names];
}

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
