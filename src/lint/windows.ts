import {
  type Diagnostic,
  type DiagnosticCode,
  error,
  warning,
} from '../model/documents/diagnostic.ts';
import type { Params } from '../model/error.ts';
import type { Documents, EntriesByName, Policy } from '../model/documents/policy.ts';
import { listPolicies } from '../model/documents/policies.ts';
import { type Sourced, locateValue } from '../model/documents/source.ts';
import {
  DAY,
  type Milliseconds,
  formatDuration,
  formatInstant,
  readableDuration,
} from '../lib/time.ts';
import { ANYTIME, type OpenSpan, type WindowSpec } from '../model/documents/window.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { HORIZON } from '../calendar/calendar.ts';
import { parseCron } from '../lib/cron.ts';
import { openSpans } from '../calendar/windows.ts';
import { longFreeze, narrowGaps, spanParams, spanLength } from './freezes.ts';
import { needsZone } from '../calendar/freezes.ts';
import { type LintInput, type ProvablePolicy, provablePolicies } from './policy-proofs.ts';
import { FLOOR, type StartProof, floorBreach, startGaps } from '../calendar/satisfiable.ts';
import type { RetrySpec, RolloutSpec } from '../model/documents/rollout.ts';

/**
 * Lints windows, freezes and everything that must fit them over the next 400 days (semantics W30).
 * Devices are unknown here, so an error is only what is true in every zone that the documents name.
 */
export function lintWindows(input: LintInput): readonly Diagnostic[] {
  const { windows, freezes, rollouts } = input.documents;
  if (windows.size === 0 && freezes.size === 0) return [];
  const breachOf = computeOnce(floorBreach);
  return [
    ...[...windows.values()].flatMap(neverCrons),
    ...[...freezes.values()].flatMap((freeze) => longFreeze(freeze, input.now)),
    ...narrowGaps([...freezes.values()], input.now),
    ...sitesWithoutZone(input.documents),
    ...provablePolicies(input).flatMap((provable) => [
      ...closedPolicy(provable, input.documents, breachOf),
      ...lintUnion(provable, input),
      ...lintAge(provable),
      ...lintRetries(provable, rollouts),
    ]),
  ];
}

const WARNINGS: ReadonlySet<DiagnosticCode> = new Set(['floorBroken', 'openAllDay']);

function aboutWindows(policy: Sourced<Policy>, code: DiagnosticCode, params: Params): Diagnostic {
  const { address, windows } = policy.value;
  const severity = WARNINGS.has(code) ? 'warning' : 'error';
  const all = { policy: address, windows: windows.join(', '), ...params };
  return { code, severity, at: locateValue(policy, '/windows'), params: all };
}

/**
 * The finding that nothing can start: the windows never open, or never longer than the cutoff.
 * Undefined if something can.
 */
export function neverStarts(policy: Sourced<Policy>, proof: StartProof): Diagnostic | undefined {
  if (proof.starts.length > 0) return undefined;
  const { over, tooShort } = proof;
  const longest = tooShort.toSorted((a, b) => spanLength(b) - spanLength(a))[0];
  if (!longest)
    return aboutWindows(policy, 'windowNeverOpens', { days: HORIZON / DAY, ...spanParams(over) });
  const params = {
    open: formatInstant(longest.open),
    length: readableDuration(spanLength(longest)),
  };
  return aboutWindows(policy, 'cutoffTooLong', params);
}

function neverCrons(window: Sourced<WindowSpec>): readonly Diagnostic[] {
  return (['allow', 'deny'] as const).flatMap((list) =>
    window.value[list].flatMap((span, index): readonly Diagnostic[] => {
      if (span.is !== 'cron' || !isNever(span)) return [];
      const params = { window: window.name, cron: span.cron };
      const at = locateValue(window, `/${list}/${index}/cron`);
      return [error('cronNever', at, params)];
    }),
  );
}

function isNever(rule: { readonly cron: string }): boolean {
  const cron = parseCron(rule.cron);
  return 'everMatches' in cron && !cron.everMatches;
}

/** Sites without a zone that a window or freeze with `timeZone: site` needs. */
function sitesWithoutZone(documents: Documents): readonly Diagnostic[] {
  const window = listPolicies(documents)
    .flatMap(({ value }) => value.windows)
    .find((name) => documents.windows.get(name)?.value.timeZone === 'site');
  const freeze = [...documents.freezes.values()].find(({ value }) => needsZone(value));
  if (window === undefined && !freeze) return [];
  const needing = window === undefined ? { freeze: freeze?.name ?? '' } : { window };
  return [...documents.sites.values()]
    .filter(({ value }) => value.timeZone === undefined)
    .map(({ name, at }) => warning('siteWithoutZone', at, { site: name, ...needing }));
}

function closedPolicy(
  provable: ProvablePolicy,
  documents: Documents,
  breachOf: typeof floorBreach,
): readonly Diagnostic[] {
  const { policy, prove } = provable;
  const never = prove().map((proof) => neverStarts(policy, proof));
  const [first] = never;
  if (first && never.every((each) => each !== undefined))
    return hasNeverCron(policy, documents) ? [] : [first];
  return policy.value.windows.includes(ANYTIME) ? [] : brokenFloor(provable, breachOf);
}

function brokenFloor(
  { policy, prove }: ProvablePolicy,
  breachOf: typeof floorBreach,
): readonly Diagnostic[] {
  for (const proof of prove({ freezes: [] })) {
    const found = breachOf(proof);
    if (!found) continue;
    const params = {
      time: readableDuration(found.time),
      least: formatDuration(FLOOR.open),
      per: formatDuration(FLOOR.per),
      ...spanParams(found),
    };
    return [aboutWindows(policy, 'floorBroken', params)];
  }
  return [];
}

/** Long enough to see every weekday twice, whatever the day of the look. */
const LOOK = 14 * DAY;
/** What is shut for no longer is open: "23:59" means the end of the day. */
const PAUSE = 10 * 60_000;

/**
 * Reports windows of a policy that overlap, and together are open for a day on end, though none of them is: whoever
 * writes "after 9" and "before 14:30" means both, and a list means either (semantics L-openAllDay).
 */
function lintUnion(
  { policy }: ProvablePolicy,
  { documents, now }: LintInput,
): readonly Diagnostic[] {
  const windows = policy.value.windows.flatMap((name) => documents.windows.get(name)?.value ?? []);
  const parts = windows.flatMap((window) =>
    window.allow.map((span) => ({ ...window, allow: [span] })),
  );
  if (parts.length < 2 || policy.value.windows.includes(ANYTIME)) return [];
  const over = { open: now, close: now + LOOK };
  const spansOf = (all: readonly WindowSpec[]) => openSpans(all, ['UTC'], over);
  const alone = parts.map((part) => spansOf([part]));
  const isLong = (span: OpenSpan): boolean => spanLength(span) >= DAY - PAUSE;
  if (alone.some((spans) => spans.some(isLong))) return [];
  const together = spansOf(windows);
  const long = withoutPauses(together).find(
    (span) => isLong(span) && timeIn(alone.flat(), span) > timeIn(together, span),
  );
  return long ? [aboutWindows(policy, 'openAllDay', {})] : [];
}

/** Spans with less than a pause between them, as one. */
function withoutPauses(spans: readonly OpenSpan[]): readonly OpenSpan[] {
  const joined: OpenSpan[] = [];
  for (const { open, close } of spans) {
    const last = joined.at(-1);
    if (last && open - last.close <= PAUSE) joined[joined.length - 1] = { open: last.open, close };
    else joined.push({ open, close });
  }
  return joined;
}

/** How much time these spans have within another one. */
function timeIn(spans: readonly OpenSpan[], { open, close }: OpenSpan): Milliseconds {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.close, close) - Math.max(span.open, open)),
    0,
  );
}

function hasNeverCron({ value }: Sourced<Policy>, { windows }: Documents): boolean {
  return value.windows.some((name) => {
    const window = windows.get(name);
    return window !== undefined && neverCrons(window).length > 0;
  });
}

/**
 * Reports a `maxAge` that in every zone is shorter than the longest stretch without a start: a
 * value changed right before that stretch gets too old (semantics L-maxAgeTooShort).
 */
function lintAge({ policy, prove }: ProvablePolicy): readonly Diagnostic[] {
  const { value } = policy;
  if (value.section !== 'rotations' || value.due.is !== 'maxAge') return [];
  const { maxAge } = value.due;
  const worst = prove().map((proof) => longestGap(proof, maxAge));
  const [gap] = worst;
  if (!gap || worst.includes(undefined)) return [];
  const params = {
    policy: value.address,
    maxAge: formatDuration(maxAge),
    ...spanParams(gap),
  };
  return [warning('maxAgeTooShort', locateValue(policy, '/maxAge'), params)];
}

/**
 * The longest stretch without a start, if it exceeds `than`; a proof without any start is a finding
 * of its own.
 */
function longestGap(proof: StartProof, than: Milliseconds): OpenSpan | undefined {
  if (proof.starts.length === 0) return undefined;
  return startGaps(proof, than + 1).toSorted((a, b) => spanLength(b) - spanLength(a))[0];
}

/**
 * Reports attempts for one window that do not fit the longest window of any zone, each at its full
 * timeout with all waits between (semantics L-retriesOutlastWindow). Only for a rollout that
 * configures `retry`: the defaults continue in the next window.
 */
function lintRetries(
  { policy, prove }: ProvablePolicy,
  rollouts: EntriesByName<RolloutSpec>,
): readonly Diagnostic[] {
  const { address, rollout: name, section, task } = policy.value;
  const rollout = rollouts.get(name ?? '');
  // Rotations get one attempt per window, whatever the rollout says.
  if (!rollout?.places.has('/retry') || section === 'rotations') return [];
  const { retry, timeouts } = rollout.value;
  const attempts = retry.maxAttemptsPerWindow;
  const after = lastStartAfter(retry, timeouts.running[task]);
  const longest = Math.max(
    ...prove({ freezes: [], autoCutoff: timeouts.running[task] }).map(longestStartSpan),
  );
  if (longest === 0 || after < longest) return [];
  const lengths = { after: readableDuration(after), room: readableDuration(longest) };
  return [
    {
      code: 'retriesOutlastWindow',
      severity: 'warning',
      at: locateValue(rollout, '/retry/maxAttemptsPerWindow'),
      params: { rollout: rollout.name, policy: address, attempts, ...lengths },
      related: [locateValue(policy, '/windows')],
    },
  ];
}

/** The latest start of the last attempt, counted from the first. */
function lastStartAfter({ maxAttemptsPerWindow, backoff }: RetrySpec, each: Milliseconds) {
  let after = 0;
  for (let attempt = 1; attempt < maxAttemptsPerWindow && after < HORIZON; attempt++)
    after += each + Math.min(backoff.max, backoff.initial * backoff.factor ** (attempt - 1));
  return after;
}

/** How long the longest span allows starts; 0 without any. */
function longestStartSpan({ starts }: StartProof): Milliseconds {
  return starts.reduce((most, { open, lastStart }) => Math.max(most, lastStart - open), 0);
}
