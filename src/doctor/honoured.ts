import { formatInstant } from '../lib/time.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import { FILTERS, type FilterRow } from '../model/fleet/filters.ts';
import type { Check } from '../model/report/checkup.ts';
import { confirmed, notObserved, type Assessment, type Assessments } from './findings.ts';
import { readDate, type DateKind } from './inventory.ts';
import { check } from './failure-check.ts';
import type { DeviceSample } from './paging.ts';
import { isOk, readPage, valueAt, type AnswerRow, type Probing } from './probing.ts';

/** How a filter was answered. */
type Trial = 'honoured' | 'ignored' | 'refused' | 'wrong' | 'empty';

/** A filter with a value that some rows have and others have not. */
interface Aimed {
  readonly value: string;
  readonly selects: (row: AnswerRow) => boolean;
  /** No row has the value: an honoured filter returns nothing. */
  readonly isNone?: boolean;
}

const ENOUGH = 20;

/** A service that takes no date at all would otherwise cost two requests for each dated filter. */
const MOST_FORM_TRIALS = 2;

/**
 * Tries each filter with a value that separates the devices: an ignored filter returns them all.
 * Dates are tried in other forms once, and other spellings where some are known.
 */
export function* examineFilters(
  sample: DeviceSample,
  dialect: Dialect,
  plain: readonly Check[],
): Probing<Assessments> {
  const mayBeNone = plain.every(({ code }) => code !== 'unknownEmpty');
  const judged = new Map<DialectKey, Assessment>();
  let form = dialect.filterDateForm;
  let formTrials = 0;
  judged.set('filterDateForm', notObserved('filterUntried', { form }));
  for (const each of FILTERS) {
    const name = dialect[each.key];
    const aimed = aim(each, { rows: sample.rows, dialect, form, mayBeNone });
    if (!aimed || (name === '' && !each.others)) {
      judged.set(each.key, name === '' ? confirmed('unneeded') : notObserved(untriedCode(sample)));
      continue;
    }
    let trial = name === '' ? 'ignored' : yield* tryFilter(name, aimed, sample);
    const isDated = each.type === 'before' || each.type === 'after';
    if (isDated && trial === 'honoured') judged.set('filterDateForm', dateForm(dialect, form));
    else if (isDated && formTrials < MOST_FORM_TRIALS && isOpen(judged)) {
      formTrials += 1;
      const other = yield* otherForm(each, { sample, dialect, form });
      if (other) {
        form = other;
        trial = 'honoured';
        judged.set('filterDateForm', dateForm(dialect, form));
      }
    }
    const instead =
      trial === 'honoured' ? undefined : yield* otherSpelling(each, { name, aimed, sample });
    judged.set(each.key, judgeTrial(name, { trial, instead, value: aimed.value }));
  }
  return judged;
}

/** Whether no filter has shown yet how dates are written. */
function isOpen(judged: Assessments): boolean {
  return judged.get('filterDateForm')?.verdict === 'notObserved';
}

function untriedCode({ rows }: DeviceSample): 'noRows' | 'filterUntried' {
  return rows.length === 0 ? 'noRows' : 'filterUntried';
}

function dateForm({ filterDateForm: assumed }: Dialect, form: DateKind): Assessment {
  return form === assumed
    ? confirmed('dateForm', { form })
    : { verdict: 'differs', code: 'dateForm', params: { form }, suggested: form };
}

interface Aim {
  readonly rows: readonly AnswerRow[];
  readonly dialect: Dialect;
  readonly form: DateKind;
  /** A flag that all rows have alike may be tried with the other value, which none has. */
  readonly mayBeNone?: boolean;
}

/** The value that parts the rows best; undefined if none parts them. */
function aim(filter: FilterRow, { rows, dialect, form, mayBeNone }: Aim): Aimed | undefined {
  const path = typeof filter.field === 'string' ? dialect[filter.field] : filter.field.path;
  if (path === '') return undefined;
  const read = (row: AnswerRow): unknown => valueAt(row, path);
  const values = rows.map(read);
  if (filter.type === 'before' || filter.type === 'after') {
    const dates = values.map(readDate).filter((at) => at !== undefined);
    const middle = dates.toSorted((a, b) => a - b)[Math.floor(dates.length / 2)];
    if (middle === undefined) return undefined;
    const at = Math.floor(middle / 1_000) * 1_000;
    const isAfter = filter.type === 'after';
    const selects = (row: AnswerRow): boolean => {
      const date = readDate(read(row));
      return date !== undefined && (isAfter ? date >= at : date <= at);
    };
    return parts(rows, { value: dateText(at, form), selects });
  }
  const shown = filter.type === 'flag' ? flagText : plainText;
  const found = [...new Set(values.flatMap(shown))].slice(0, ENOUGH);
  const selecting = (value: string): Aimed => ({
    value,
    selects: (row) => shown(read(row)).includes(value),
  });
  const best = found.map(selecting).find((aimed) => parts(rows, aimed) !== undefined);
  const isUniform = filter.type === 'flag' && found.length === 1;
  if (best || !isUniform || !mayBeNone) return best;
  return { ...selecting(found[0] === '1' ? '0' : '1'), isNone: true };
}

function parts(rows: readonly AnswerRow[], aimed: Aimed): Aimed | undefined {
  const count = rows.filter(aimed.selects).length;
  return count > 0 && count < rows.length ? aimed : undefined;
}

function plainText(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function flagText(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [value ? '1' : '0'];
  return value === 0 || value === 1 ? [String(value)] : [];
}

function dateText(at: number, form: DateKind): string {
  if (form === 'iso') return formatInstant(at);
  return String(form === 'seconds' ? at / 1_000 : at);
}

function* tryFilter(name: string, aimed: Aimed, sample: DeviceSample): Probing<Trial> {
  const query = { [name]: aimed.value, limit: String(ENOUGH), offset: '0' };
  const { answer, rows, total } = yield* readPage('devices', query);
  if (!isOk(answer) || !rows) return 'refused';
  if (rows.length === 0) return aimed.isNone ? 'honoured' : 'empty';
  const isRight = rows.every(aimed.selects);
  if (isRight && (total ?? rows.length) < sample.total) return 'honoured';
  return (total ?? rows.length) >= sample.total ? 'ignored' : 'wrong';
}

/** The form in which the service takes this date, where it did not take the assumed one. */
function* otherForm(
  filter: FilterRow,
  { sample, dialect, form }: Omit<Aim, 'rows'> & { readonly sample: DeviceSample },
): Probing<DateKind | undefined> {
  const forms = (['iso', 'seconds', 'milliseconds'] as const).filter((each) => each !== form);
  for (const each of forms) {
    const aimed = aim(filter, { rows: sample.rows, dialect, form: each });
    if (aimed && (yield* tryFilter(dialect[filter.key], aimed, sample)) === 'honoured') return each;
  }
  return undefined;
}

interface Tried {
  readonly name: string;
  readonly aimed: Aimed;
  readonly sample: DeviceSample;
}

function* otherSpelling(
  { others = [] }: FilterRow,
  { name, aimed, sample }: Tried,
): Probing<string | undefined> {
  for (const other of others.filter((each) => each !== name))
    if ((yield* tryFilter(other, aimed, sample)) === 'honoured') return other;
  return undefined;
}

function judgeTrial(
  name: string,
  { trial, instead, value }: { trial: Trial; instead: string | undefined; value: string },
): Assessment {
  const params = { name, value };
  if (trial === 'honoured') return confirmed('filterHonoured', params);
  if (instead !== undefined)
    return {
      verdict: 'differs',
      code: 'filterInstead',
      params: { name: instead },
      suggested: instead,
    };
  if (name === '') return confirmed('unneeded');
  return { verdict: 'differs', code: FAILED[trial], params, suggested: '' };
}

const FAILED = {
  ignored: 'filterIgnored',
  refused: 'filterRefused',
  wrong: 'filterWrong',
  empty: 'filterEmpty',
} as const;

/** The filter by which a last look finds devices that are down, and one that no service has. */
export function* examinePlainFilters(sample: DeviceSample): Probing<readonly Check[]> {
  if (sample.rows.length === 0) return [];
  const words = [...new Set(sample.rows.flatMap(({ status }) => plainText(status)))];
  const aimed = words
    .map((value) => ({ value, selects: ({ status }: AnswerRow) => status === value }))
    .find((each) => parts(sample.rows, each) !== undefined);
  const trial = aimed && (yield* tryFilter('status', aimed, sample));
  const status =
    trial === undefined
      ? check('statusFilter', 'unknown', 'statusUniform')
      : check('statusFilter', trial === 'honoured' ? 'good' : 'note', STATUS_CODES[trial], {
          value: aimed?.value ?? '',
        });
  const query = { fleetformDoctor: 'none', limit: '1', offset: '0' };
  const { answer, rows, total } = yield* readPage('devices', query);
  if (!rows)
    return [status, check('unknownFilter', 'good', 'unknownRefused', { status: answer.status })];
  const code = total === sample.total ? 'unknownIgnored' : 'unknownEmpty';
  return [status, check('unknownFilter', 'note', code)];
}

const STATUS_CODES: Readonly<Record<Trial, string>> = {
  honoured: 'statusHonoured',
  ignored: 'statusIgnored',
  refused: 'statusRefused',
  wrong: 'statusWrong',
  empty: 'statusWrong',
};
