import { InvalidArgumentError } from 'commander';
import { OLDEST } from '../../facts/belief.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { LONGEST_HORIZON } from '../../model/plan/calendar.ts';
import {
  formatDuration,
  parseDuration,
  parseDateOrInstant,
  type Instant,
  type Milliseconds,
} from '../../lib/time.ts';

export const toDuration = durationUpTo('s, m, h, d, w: 30s, 7d');

/** Parses the greatest age of a known value. */
export const toAge = durationUpTo('s, m, h, d, w: 7d', { most: OLDEST });

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
export function toReason(text: string): string {
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
export function toFileOrStdout(text: string): string {
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
