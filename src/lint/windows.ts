import type { Diagnostic, DiagnosticCode } from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import { policiesOf } from '../model/documents/policies.ts';
import { placeOf, type Sourced } from '../model/documents/source.ts';
import { formatDuration, formatInstant, type Milliseconds } from '../lib/time.ts';
import { ANYTIME, type WindowSpec } from '../model/documents/window.ts';
import { lintAge } from './max-age.ts';
import { HORIZON } from '../calendar/calendar.ts';
import { cronOf } from '../calendar/cron.ts';
import { dates, lengthOf, lintFreezes } from './freezes.ts';
import { needsZone } from '../calendar/freezes.ts';
import { provablePolicies, type Linted, type Provable } from './policy-proofs.ts';
import { lintRetries } from './retries.ts';
import { FLOOR, floorBreach, type Proof } from '../calendar/satisfiable.ts';

/**
 * What the documents alone prove about windows, freezes and what has to fit them over the next 400
 * days (semantics W30). Which devices are concerned nobody asks here: an error
 * is only what holds in every zone that the documents name.
 */
export function lintWindows(input: Linted): readonly Diagnostic[] {
  const { windows, freezes, rollouts } = input.documents;
  if (windows.size === 0 && freezes.size === 0) return [];
  return [
    ...[...windows.values()].flatMap(neverCrons),
    ...lintFreezes([...freezes.values()], input.now),
    ...sitesWithoutZone(input.documents),
    ...provablePolicies(input).flatMap((provable) => [
      ...closedPolicy(provable, input.documents),
      ...lintAge(provable),
      ...lintRetries(provable, rollouts),
    ]),
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
export function neverStarts(policy: Sourced<Policy>, proof: Proof): Diagnostic | undefined {
  if (proof.starts.length > 0) return undefined;
  const { over, tooShort } = proof;
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
      if (span.is !== 'cron' || !isNever(span)) return [];
      const params = { window: window.name, cron: span.cron };
      const at = placeOf(window, `/${list}/${index}/cron`);
      return [{ code: 'cronNever', severity: 'error', at, params }];
    }),
  );
}

function isNever(rule: { readonly cron: string }): boolean {
  const cron = cronOf(rule);
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

function closedPolicy(provable: Provable, documents: Documents): readonly Diagnostic[] {
  const { policy, prove } = provable;
  const never = prove().map((proof) => neverStarts(policy, proof));
  const [first] = never;
  if (first && never.every((each) => each !== undefined))
    return hasNeverCron(policy, documents) ? [] : [first];
  return policy.value.windows.includes(ANYTIME) ? [] : brokenFloor(provable);
}

function brokenFloor({ policy, prove }: Provable): readonly Diagnostic[] {
  for (const proof of prove({ freezes: [] })) {
    const found = floorBreach(proof);
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
