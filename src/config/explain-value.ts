import type { DiagnosticCode } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { Section } from '../model/documents/policy.ts';
import { AVAILABLE_TASKS, TASK_TYPES } from '../model/fleet/task.ts';
import { parseDuration } from '../lib/time.ts';
import { authoredText, type Aspect, type Source } from './locate.ts';
import { definitionName, type SchemaError } from './schema.ts';
import { nearest } from '../lib/nearest-name.ts';
import { isObject } from '../lib/objects.ts';

/** A schema error in the author's terms: code, params and location. */
export interface Meaning {
  readonly code: DiagnosticCode;
  readonly params: Params;
  /** A pointer relative to the value with the error. */
  readonly below?: string;
  readonly aspect?: Aspect;
  /** A related location, relative in the same way. */
  readonly related?: string;
}

export interface Problem extends SchemaError {
  readonly source: Source;
  readonly section: Section;
  /** JSON pointer from the top of the document. */
  readonly pointer: string;
  readonly path: readonly string[];
}

/**
 * The finding code for each definition or field, used for pattern errors and for numbers without
 * quotes.
 */
const KINDS: Readonly<Record<string, DiagnosticCode>> = {
  duration: 'badDuration',
  positiveDuration: 'badDuration',
  percentOrDuration: 'badDuration',
  maxAge: 'badDuration',
  cutoff: 'badDuration',
  instant: 'badInstant',
  dateOrInstant: 'badInstant',
  localOrInstant: 'badInstant',
  zone: 'badZone',
  zoneOrSite: 'badZone',
  percent: 'badPercent',
  intOrPercent: 'badPercent',
  cron: 'badCron',
  prose: 'empty',
  entryName: 'badName',
};

/** What days are written as. */
export const DAYS_ALLOWED =
  'mon, tue, ..., sun; a range such as mon-fri; a list such as [sat, mon]';

/** What a pattern allows, if the code alone does not say it. */
const ALLOWED: Readonly<Record<string, string>> = {
  clockTime: '"00:00" ... "23:59"',
  clockEnd: '"00:00" ... "24:00"',
  monthDay: '"01-01" ... "12-31"',
  days: DAYS_ALLOWED,
  afterEntry: 'firmware.NAME, the address of a firmware policy',
  gate: 'ROLLOUT/WAVE',
  fieldName: 'name, outer.name',
  fieldNameOrNone: 'name, outer.name, ""',
  filterName: 'name, outer.name, ""',
  urlPath: '/v1/auth/{organization}, without . or .. between slashes',
  remote: 'origin, https://git.example.com/fleet.git, /srv/fleet.git',
  organization: 'one part of a path, such as acme, without .. between slashes or codes such as %2e',
  branch: 'a branch of letters, digits, . _ - and /, such as fleetform-ledger',
};

/** A number or boolean in place of a string is nearly always a string without quotes. */
export function badType(problem: Problem): Meaning {
  const { data, params, pointer, source } = problem;
  const expected = [params['type']].flat().map(String);
  if (data === null) return { code: 'empty', params: {}, aspect: 'key' };
  const isBare = typeof data === 'number' || typeof data === 'boolean';
  if (!isBare || !expected.includes('string')) {
    const wanted = expected.map((type) => TYPES[type] ?? type).join(' or ');
    const example = asWritten(problem, expected) ?? writeExample(problem, expected[0] ?? '');
    const name = expected.includes('object') ? listedName(data) : undefined;
    const params = { expected: wanted, found: foundType(data), example };
    return { code: 'wrongType', params: { ...params, ...(name !== undefined && { name }) } };
  }
  const text = authoredText(source, pointer) || String(data);
  const definition = definitionName(problem);
  const kind = KINDS[definition];
  if (kind === 'badDuration' || kind === 'badPercent') {
    const meant = RESPELL[definition]?.(text);
    return {
      code: kind,
      params: { value: text, ...(meant !== undefined && { suggestion: meant }) },
    };
  }
  return { code: 'quoteIt', params: { text } };
}

/** The name in the first item of a list that stands where entries have names for keys. */
function listedName(data: unknown): string | undefined {
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  const name = isObject(first) ? first['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Sample values for types without an example in the schema. */
const SAMPLES: Readonly<Record<string, string>> = {
  object: '{key: value}',
  array: '[value]',
  string: '"text"',
  integer: '1',
  number: '1',
  boolean: 'true',
};

/** The key with its own value, where only quotes or a word of YAML 1.1 keep it from its type. */
function asWritten({ data, path }: Problem, expected: readonly string[]): string | undefined {
  const key = path.at(-1) ?? '';
  if (typeof data !== 'string' || /^\d*$/.test(key)) return undefined;
  const text = data.toLowerCase();
  if (expected.includes('boolean') && text in SWITCHED) return `${key}: ${SWITCHED[text]}`;
  const isNumber = expected.includes('integer') ? /^-?\d{1,15}$/ : /^-?\d{1,15}(?:\.\d+)?$/;
  const isWanted = expected.includes('integer') || expected.includes('number');
  return isWanted && isNumber.test(text) ? `${key}: ${text}` : undefined;
}

/** Words that YAML 1.1 reads as true and false. */
const SWITCHED: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  true: true,
  no: false,
  off: false,
  false: false,
};

/** The key with a valid value, as an author would write it. */
function writeExample({ parentSchema, path }: Problem, type: string): string {
  const written = [parentSchema?.['examples']].flat()[0] ?? parentSchema?.['default'];
  const fits = written !== undefined && jsonType(written) === type;
  const value = fits ? flow(written) : (SAMPLES[type] ?? 'value');
  const key = path.at(-1) ?? '';
  return /^\d*$/.test(key) ? value : `${key}: ${value}`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A value as flow YAML, with quotes where strings need them. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}: ${flow(member)}`)
      .join(', ')}}`;
  return typeof value === 'string' && !/^[A-Za-z][\w-]*$/.test(value)
    ? JSON.stringify(value)
    : String(value);
}

/** The authored date in the form of its field: local if the field takes local times. */
function dateLike(value: string, definition: string): string {
  const [, date, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(value) ?? [];
  const text = year === undefined ? value : `${year}-${month}-${date}`;
  const [, day = '2027-01-31', clock = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?)?/.exec(text) ?? [];
  return `"${day}T${clock}${seconds}${definition === 'localOrInstant' ? '' : 'Z'}"`;
}

/** A word outside the list that a field allows. */
export function badWord({ data, params }: Problem): Meaning {
  const words = (params['allowedValues'] as readonly unknown[]).map(String);
  if (isOnlyReported(data) && words.some((word) => TASK_TYPES.some((task) => task === word)))
    return { code: 'taskNotOffered', params: { value: String(data), allowed: words.join(', ') } };
  const suggestion = nearest(String(data), words);
  return {
    code: 'badValue',
    params: {
      value: isObject(data) || Array.isArray(data) ? foundType(data) : String(data),
      allowed: words.join(', '),
      ...(suggestion !== undefined && { suggestion }),
    },
  };
}

/** Whether the service only reports this task as available and cannot create it. */
function isOnlyReported(data: unknown): boolean {
  const isAvailable = AVAILABLE_TASKS.some((task) => task === data);
  return isAvailable && !TASK_TYPES.some((task) => task === data);
}

/** A string of the wrong form, by the type of value that the field takes. */
export function patternFinding(problem: Problem): Meaning {
  const value = String(problem.data);
  const definition = definitionName(problem);
  const code = KINDS[definition] ?? 'badValue';
  if (code === 'empty') return { code, params: {} };
  if (code === 'badName') return { code, params: { name: value, section: problem.section } };
  if (code === 'badCron') return { code, params: { value, problem: 'fields' } };
  if (code === 'badDuration' && parseDuration(value) === 0)
    return { code: 'outOfRange', params: { value, rule: '>', limit: '0s' } };
  if (code === 'badInstant')
    return { code, params: { value, example: dateLike(value, definition) } };
  const allowed = ALLOWED[definition];
  const meant = RESPELL[definition]?.(value);
  return {
    code,
    params: {
      value,
      ...(allowed !== undefined && { allowed }),
      // The example is for a value without quotes, whose finding replaces this one.
      ...(meant !== undefined && { suggestion: meant, example: JSON.stringify(meant) }),
    },
  };
}

/** The valid form of a usual spelling; undefined for any other value. */
const RESPELL: Readonly<Record<string, (value: string) => string | undefined>> = {
  clockTime: (value) => (value === '24:00' ? '00:00' : respellClock(value)),
  clockEnd: respellClock,
  percent: respellPercent,
  intOrPercent: respellPercent,
  duration: respellDuration,
  positiveDuration: respellDuration,
  maxAge: (value) => respellDuration(/^\d+$/.test(value) ? `${value}d` : value),
  percentOrDuration: (value) => respellDuration(value) ?? respellPercent(value),
  days: (value) => {
    const days = value.split(/\s*[-\u2013]\s*/).map(dayOf);
    return days.length <= 2 && !days.includes(undefined) ? days.join('-') : undefined;
  },
};

/** `1:00` is `01:00`. */
function respellClock(value: string): string | undefined {
  return /^\d:[0-5]\d$/.test(value) ? `0${value}` : undefined;
}

/** `30` and `30 %` are `30%`. */
function respellPercent(value: string): string | undefined {
  const [, number] = /^(\d{1,3}(?:\.\d{1,2})?)\s*%?$/.exec(value) ?? [];
  return number === undefined || Number(number) > 100 ? undefined : `${number}%`;
}

/** `6 months` is `180d`: units without a letter of their own become days. */
function respellDuration(value: string): string | undefined {
  const [, number = '', unit = ''] = /^(\d{1,6})\s*([a-z]+)$/i.exec(value) ?? [];
  const found = DURATION_UNITS.find(([, word]) => isUnit(unit.toLowerCase(), word));
  if (number === '' || !found) return undefined;
  const [letter, , days = 1] = found;
  return `${Number(number) * days}${letter}`;
}

function isUnit(unit: string, word: string): boolean {
  return (
    unit === word.charAt(0) || unit === word.slice(0, 3) || unit === word || unit === `${word}s`
  );
}

/** The letter of a unit, its word, and how many of the letter it is, where that is not one. */
const DURATION_UNITS: readonly (readonly [letter: string, word: string, days?: number])[] = [
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['d', 'month', 30],
  ['d', 'year', 365],
];

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** `Mo`, `Mon` and `Monday` are `mon`. */
function dayOf(written: string): string | undefined {
  const word = written.toLowerCase();
  return word.length < 2 ? undefined : DAYS.find((day) => day.startsWith(word))?.slice(0, 3);
}

/** JSON Schema types in YAML terms. */
const TYPES: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** The type of a value, in the same terms. */
export function foundType(data: unknown): string {
  const type = Array.isArray(data) ? 'array' : typeof data;
  return (Number.isInteger(data) ? TYPES['integer'] : TYPES[type]) ?? type;
}
