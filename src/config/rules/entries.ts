import { toList } from '../../lib/objects.ts';
import { type Diagnostic, error, warning } from '../../model/documents/diagnostic.ts';
import type { DialectKey } from '../../model/fleet/dialect.ts';
import { TASK_OF, TASK_TYPES } from '../../model/fleet/task.ts';
import {
  DAY,
  formatInstant,
  parseDuration,
  parseDateOrInstant,
  parseInstant,
  type Milliseconds,
} from '../../lib/time.ts';
import {
  placeIn,
  type AuthoredEntry,
  type AuthoredFleet,
  type Authored,
  type DocumentRule,
} from '../authored.ts';
import { DAYS_ALLOWED } from '../explain-value.ts';
import { WEEK } from '../meaning/read.ts';
import { errorWith } from '../findings.ts';
import { valuesOf } from './values-of.ts';

export const ENTRY_RULES: readonly DocumentRule[] = [
  datesAreReal,
  listsHoldOnce,
  exceptionsFit,
  budgetsFit,
  incidentsEnd,
];

/** Rejects instants and dates that do not exist, and spans that are empty or run backward. */
function* datesAreReal(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const form of ['instant', 'dateOrInstant'] as const)
    for (const { entry, value, below } of valuesOf(fleet, form))
      yield* instant(entry, value, below);
  for (const entry of fleet.of('freezes')) yield* freezeDates(entry);
  for (const { entry, value, below } of valuesOf(fleet, 'span'))
    yield* spanTimes(entry, value, below);
}

/** Reports a device, or an approver of an exception, that a list names twice. */
function* listsHoldOnce(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('groups'))
    yield* repeated(
      entry,
      (entry.value.devices ?? []).map((id) => [id]),
    );
  for (const entry of fleet.of('onboarding'))
    yield* repeated(entry, (entry.value.devices ?? []).map(listIdentities));
  for (const entry of fleet.of('exceptions')) {
    const people = (entry.value.approvers ?? []).map((name) => [name.trim().toLowerCase()]);
    yield* repeated(entry, people, 'approvers');
  }
}

/** Checks the keys of each exception type that the schema cannot check. */
function* exceptionsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('exceptions')) {
    const { type, task, allow, select } = entry.value;
    const wrong = type === 'pin' ? toList(task).find((one) => one !== TASK_OF.firmware) : undefined;
    if (wrong !== undefined)
      yield error('badValue', placeIn(entry, '/task'), {
        value: wrong,
        type,
        allowed: TASK_OF.firmware,
      });
    if (type === 'expedite' && task === 'all')
      yield error('badValue', placeIn(entry, '/task'), {
        value: task,
        type,
        allowed: `${TASK_TYPES.join(', ')}; or a list of them`,
      });
    if (allow?.guardrail !== undefined) yield* raisedLimit(entry, allow.guardrail, allow.value);
    else if (allow && !select)
      yield error('missingKey', placeIn(entry, '', 'key'), {
        key: 'select',
        within: entry.address,
      });
  }
}

function* instant(
  entry: AuthoredEntry,
  text: string | undefined,
  below: string,
): Generator<Diagnostic> {
  if (text !== undefined && !isRealDate(text))
    yield error('badInstant', placeIn(entry, below), { value: text, problem: 'day' });
}

function* freezeDates(entry: AuthoredEntry<'freezes'>): Generator<Diagnostic> {
  const { from, to, annual } = entry.value;
  yield* instant(entry, from, '/from');
  yield* instant(entry, to, '/to');
  if (from !== undefined && to !== undefined && endsFirst(from, to))
    yield error('outOfRange', placeIn(entry, '/to'), { value: to, rule: '>', limit: from });
  if (annual) yield* annualDates(entry, annual);
}

/** Equal days would mean a freeze of no day or of a whole year. */
function* annualDates(
  entry: AuthoredEntry<'freezes'>,
  annual: NonNullable<Authored['freeze']['annual']>,
): Generator<Diagnostic> {
  for (const end of ['from', 'to'] as const) {
    const at = placeIn(entry, `/annual/${end}`);
    if (!isRealDate(`2024-${annual[end]}T00:00:00`))
      yield error('badValue', at, { value: annual[end], allowed: '"01-01" ... "12-31"' });
    else if (annual[end] === '02-29') yield warning('leapDay', at, { freeze: entry.address });
  }
  if (annual.from === annual.to)
    yield error('badValue', placeIn(entry, '/annual/to'), {
      value: annual.to,
      allowed: 'another day than `from`',
    });
}

/**
 * Without a zone, a local time and an instant can be compared only if they are more than a day
 * apart.
 */
function endsFirst(from: string, to: string): boolean {
  const [opens, closes] = [from, to].map((text) => parseInstant(text));
  const isPair = (opens === undefined) === (closes === undefined);
  const [first, last] = [opens ?? Date.parse(`${from}Z`), closes ?? Date.parse(`${to}Z`)];
  return isPair ? last <= first : last + DAY <= first;
}

function* spanTimes(
  entry: AuthoredEntry,
  span: Authored['span'],
  below: string,
): Generator<Diagnostic> {
  const { from, to, days, duration } = span;
  if (from !== undefined && from === to)
    yield error('badValue', placeIn(entry, `${below}/to`), {
      value: to,
      allowed: 'another time than `from`',
    });
  if (typeof days === 'string' && runsBackwards(days))
    yield error('badValue', placeIn(entry, `${below}/days`), {
      value: days,
      allowed: DAYS_ALLOWED,
    });
  if (duration !== undefined && (parseDuration(duration) ?? 0) >= 86_400_000)
    yield error('outOfRange', placeIn(entry, `${below}/duration`), {
      value: duration,
      rule: '<',
      limit: '24h',
    });
}

function runsBackwards(range: string): boolean {
  const [first = '', last = first] = range.split('-');
  return WEEK.indexOf(last) < WEEK.indexOf(first);
}

/** Whether the date and time exist: neither 31 February nor 24:00. */
function isRealDate(text: string): boolean {
  const local = /^[\d-]+$/.test(text) ? `${text}T00:00:00` : text.slice(0, 19);
  const read = Date.parse(`${local}Z`);
  return !Number.isNaN(read) && new Date(read).toISOString().startsWith(local);
}

/** The identities of a listed device; entries that share one mean the same device. */
function listIdentities({ id, serial, name, site }: Authored['listedDevice']): readonly string[] {
  return [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(serial === undefined ? [] : [`serial ${serial}`]),
    ...(name === undefined || id !== undefined || serial !== undefined
      ? []
      : [`${name} ${site ?? ''}`.trim()]),
  ];
}

function* repeated(
  entry: AuthoredEntry,
  identities: readonly (readonly string[])[],
  list = 'devices',
): Generator<Diagnostic> {
  const seen = new Map<string, number>();
  for (const [index, names] of identities.entries()) {
    const known = names.find((name) => seen.has(name));
    const first = known === undefined ? undefined : seen.get(known);
    if (known !== undefined && first !== undefined) {
      const places = [
        placeIn(entry, `/${list}/${index}`),
        placeIn(entry, `/${list}/${first}`),
      ] as const;
      yield errorWith('listedTwice', places, { entry: known });
    }
    for (const name of names) if (!seen.has(name)) seen.set(name, index);
  }
}

/** A percentage can only be raised to a percentage, a number to a number. */
function* raisedLimit(
  entry: AuthoredEntry,
  guardrail: string,
  value: string | number | undefined,
): Generator<Diagnostic> {
  const isShare = guardrail.startsWith('maxPercent');
  const at = placeIn(entry, '/allow/value');
  if (isShare && typeof value === 'number') yield error('badPercent', at, { key: 'value', value });
  if (!isShare && typeof value === 'string')
    yield error('wrongType', at, {
      key: 'value',
      expected: 'a whole number',
      found: 'a string',
      example: 'value: 500',
    });
}

/** The longest time from `since` to `until`. */
export const LONGEST_INCIDENT: Milliseconds = 72 * 3_600_000;

/** An incident ends after it began, and at most 72 hours later (semantics N55). */
function* incidentsEnd(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('incidents')) {
    const [since, until] = [parseInstant(entry.value.since), parseDateOrInstant(entry.value.until)];
    if (since === undefined || until === undefined) continue;
    const at = placeIn(entry, '/until');
    const value = entry.value.until;
    if (until <= since)
      yield error('outOfRange', at, { value, rule: '>', limit: entry.value.since });
    else if (until > since + LONGEST_INCIDENT)
      yield error('outOfRange', at, {
        value,
        rule: '<=',
        limit: formatInstant(since + LONGEST_INCIDENT),
      });
  }
}

/** The device field of each budget scope that needs one. */
const SCOPE_FIELDS = {
  deviceSource: { key: 'deviceSourcesField', what: 'the sources of a device' },
  storageServer: { key: 'storageServerField', what: 'the storage server of a device' },
} as const satisfies Readonly<Record<string, { readonly key: DialectKey; readonly what: string }>>;

/**
 * A budget needs a countable scope: groups are too small for a percentage, and sets by source or
 * storage server need a service that shows these fields (semantics B11).
 */
function* budgetsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [service] = fleet.of('service');
  const dialect: Readonly<Record<string, unknown>> = service?.value.dialect ?? {};
  for (const entry of fleet.of('budgets')) {
    const { per, maxUnavailable } = entry.value;
    if (per === 'redundancyGroup' && typeof maxUnavailable === 'string')
      yield error('wrongType', placeIn(entry, '/maxUnavailable'), {
        key: 'maxUnavailable',
        expected: 'a whole number',
        found: 'a percentage',
        example: 'maxUnavailable: 1',
      });
    if (per !== 'deviceSource' && per !== 'storageServer') continue;
    const { key, what } = SCOPE_FIELDS[per];
    if (dialect[key] === '') yield error('fieldNotMapped', placeIn(entry, '/per'), { what, key });
  }
}
