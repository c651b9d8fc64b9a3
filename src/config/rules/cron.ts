export type CronProblem = 'fields' | 'value' | 'range' | 'bothDays';

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
  /** `L` for the last day, and `#3` or `L` after a day of the week. */
  readonly special?: RegExp;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const FIELDS: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31, special: /^L$/ },
  { from: 1, to: 12, names: ['', ...MONTHS] },
  { from: 0, to: 7, names: DAYS, special: /^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(#[1-5]|L)$/ },
];

/**
 * The error in the form of a cron expression, if any (semantics W25): five fields, names in any
 * case, no `@` words, no backward range, a step only after `*` or a range and no longer than it,
 * and not both day fields, which other readers combine with "or".
 */
export function cronProblem(text: string): CronProblem | undefined {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== FIELDS.length) return 'fields';
  for (const [index, field] of FIELDS.entries()) {
    const problem = fieldProblem(field, fields[index] ?? '');
    if (problem) return problem;
  }
  return fields[2] !== '*' && fields[4] !== '*' ? 'bothDays' : undefined;
}

function fieldProblem(field: Field, text: string): CronProblem | undefined {
  for (const item of text.split(',')) {
    const problem = itemProblem(field, item);
    if (problem) return problem;
  }
  return undefined;
}

function itemProblem(field: Field, item: string): CronProblem | undefined {
  if (field.special?.test(item)) return undefined;
  const match = /^(?:\*|([A-Z0-9]+)(?:-([A-Z0-9]+))?)(?:\/([1-9]\d?))?$/.exec(item);
  if (!match) return 'value';
  const [, first, last, step] = match;
  const from = first === undefined ? field.from : parseValue(field, first);
  const to = last === undefined ? from : parseEnd(field, last);
  if (from === undefined || to === undefined) return 'value';
  if (to < from) return 'range';
  const isOne = first !== undefined && last === undefined;
  return step !== undefined && (isOne || Number(step) > countValues(field)) ? 'value' : undefined;
}

/** The number of values of a field; Sunday has two. */
function countValues({ from, to, names }: Field): number {
  return names === DAYS ? 7 : to - from + 1;
}

/** Sunday is 0 and 7, so that `FRI-SUN` does not run backward. */
function parseEnd(field: Field, text: string): number | undefined {
  return text === 'SUN' && field.names === DAYS ? 7 : parseValue(field, text);
}

function parseValue(field: Field, text: string): number | undefined {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named : Number(/^\d{1,2}$/.test(text) ? text : NaN);
  return value >= field.from && value <= field.to ? value : undefined;
}
