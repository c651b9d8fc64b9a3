import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { Documents, Policy } from '../model/policy.ts';
import { placeOf, type Sourced } from '../model/source.ts';
import { formatDuration, formatInstant, type Instant, type Milliseconds } from '../model/time.ts';
import { ANYTIME, type WindowSpec } from '../model/window.ts';
import { createCalendar, HORIZON, type Calendar } from './calendar.ts';
import { parseCron } from './cron.ts';
import { dates, lengthOf, lintFreezes } from './freeze-lint.ts';
import { needsZone } from './freezes.ts';
import { FLOOR, floorBreach, prove, type Proof } from './satisfiable.ts';
import type { Asked } from './standing.ts';

/** What there is to look at: the documents alone, and the time. */
export interface Linted {
  readonly documents: Documents;
  readonly now: Instant;
}

/**
 * What the documents alone prove about windows and freezes over the next 400 days (semantics 4.13, the
 * lines marked V). Which devices are concerned nobody asks here: an error is only what holds in every
 * zone that the documents name.
 */
export function lintWindows(input: Linted): readonly Diagnostic[] {
  const { windows, freezes } = input.documents;
  if (windows.size === 0 && freezes.size === 0) return [];
  return [
    ...[...windows.values()].flatMap(neverCrons),
    ...lintFreezes([...freezes.values()], input.now),
    ...sitesWithoutZone(input.documents),
    ...policiesOf(input.documents).flatMap((policy) => closedPolicy(policy, input)),
  ];
}

/** A finding about the windows of one policy. */
export function aboutWindows(
  policy: Sourced<Policy>,
  code: DiagnosticCode,
  params: Params,
): Diagnostic {
  const { address, windows } = policy.value;
  const severity = code === 'floorBroken' ? 'warning' : 'error';
  const all = { policy: address, windows: windows.join(', '), ...params };
  return { code, severity, at: placeOf(policy, '/windows'), params: all };
}

/** Why nothing of a proof can start: never open, or never longer than the cutoff; else undefined. */
export function neverStarts(
  policy: Sourced<Policy>,
  { starts, tooShort, over }: Proof,
): Diagnostic | undefined {
  if (starts.length > 0) return undefined;
  const longest = tooShort.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (!longest)
    return aboutWindows(policy, 'windowNeverOpens', { days: HORIZON / DAY, ...dates(over) });
  const params = { open: formatInstant(longest.open), length: formatDuration(lengthOf(longest)) };
  return aboutWindows(policy, 'cutoffTooLong', params);
}

const DAY: Milliseconds = 86_400_000;

function neverCrons(window: Sourced<WindowSpec>): readonly Diagnostic[] {
  return (['allow', 'deny'] as const).flatMap((list) =>
    window.value[list].flatMap((span, index): readonly Diagnostic[] => {
      if (span.is !== 'cron' || !isNever(span.cron)) return [];
      const params = { window: window.name, cron: span.cron };
      const at = placeOf(window, `/${list}/${index}/cron`);
      return [{ code: 'cronNever', severity: 'error', at, params }];
    }),
  );
}

function isNever(text: string): boolean {
  const cron = parseCron(text);
  return 'everMatches' in cron && !cron.everMatches;
}

/** Sites that the documents name without a zone while something goes by it. */
function sitesWithoutZone(documents: Documents): readonly Diagnostic[] {
  const window = policiesOf(documents)
    .flatMap(({ value }) => value.windows)
    .find((name) => documents.windows.get(name)?.value.timeZone === 'site');
  const freeze = [...documents.freezes.values()].find(({ value }) => needsZone(value));
  if (window === undefined && !freeze) return [];
  const needing = window === undefined ? { freeze: freeze?.name ?? '' } : { window };
  return [...documents.sites.values()]
    .filter(({ value }) => value.timeZone === undefined)
    .map(({ name, at }) => {
      const params = { site: name, ...needing };
      return { code: 'siteWithoutZone', severity: 'warning', at, params };
    });
}

function closedPolicy(policy: Sourced<Policy>, { documents, now }: Linted): readonly Diagnostic[] {
  const { windows, task } = policy.value;
  const isAlways = windows.includes(ANYTIME) && documents.freezes.size === 0;
  const isNamed = [...windows].every((name) => name === ANYTIME || documents.windows.has(name));
  if (isAlways || !isNamed) return [];
  const freezes = [...documents.freezes.values()].filter(({ value }) => !value.select);
  const calendar = calendarOf(documents, now);
  const asked = { windows, task, autoCutoff: 0, freezes: freezes.map(({ name }) => name) };
  const proofs = zonesOf(documents).map((zone) =>
    prove(calendar, { ...asked, zones: [zone] }, now),
  );
  const never = proofs.map((proof) => neverStarts(policy, proof));
  const [first] = never;
  if (first && never.every((each) => each !== undefined))
    return hasNeverCron(policy, documents) ? [] : [first];
  return windows.includes(ANYTIME) ? [] : brokenFloor(policy, { calendar, asked, documents, now });
}

interface Floor extends Linted {
  readonly calendar: Calendar;
  readonly asked: Omit<Asked, 'zones'>;
}

function brokenFloor(
  policy: Sourced<Policy>,
  { calendar, asked, documents, now }: Floor,
): readonly Diagnostic[] {
  for (const zone of zonesOf(documents)) {
    const found = floorBreach(prove(calendar, { ...asked, freezes: [], zones: [zone] }, now));
    if (!found) continue;
    const params = {
      time: formatDuration(found.time),
      least: formatDuration(FLOOR.open),
      per: formatDuration(FLOOR.per),
      ...dates(found),
    };
    return [aboutWindows(policy, 'floorBroken', params)];
  }
  return [];
}

function hasNeverCron({ value }: Sourced<Policy>, { windows }: Documents): boolean {
  return value.windows.some((name) => {
    const window = windows.get(name);
    return window !== undefined && neverCrons(window).length > 0;
  });
}

function calendarOf({ windows, freezes }: Documents, now: Instant): Calendar {
  return createCalendar({
    windows: new Map([...windows].map(([name, { value }]) => [name, value])),
    freezes: new Map([...freezes].map(([name, { value }]) => [name, value])),
    now,
  });
}

/** The zones that the documents name; without any, one stands for all. */
function zonesOf({ sites }: Documents): readonly string[] {
  const named = [...sites.values()].flatMap(({ value }) => value.timeZone ?? []);
  return named.length === 0 ? ['UTC'] : [...new Set(named)].sort();
}

function policiesOf(documents: Documents): readonly Sourced<Policy>[] {
  const { firmware, rotations, onboarding, restarts } = documents;
  return [firmware, rotations, onboarding, restarts].flatMap(
    (section): readonly Sourced<Policy>[] => [...section.values()],
  );
}
