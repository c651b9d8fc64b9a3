import type { Instant } from '../../lib/time.ts';
import type { Params } from '../../model/error.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import type { DiagnosticCode } from '../../model/documents/diagnostic.ts';
import { findDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import {
  possibleText,
  SINCE_TEXTS,
  sinceText,
  withReadableInstants,
  type PageTime,
} from './moment.ts';
import {
  fill,
  type Phrase,
  type Words,
  finer,
  codeWords,
  type CodePhrases,
  findWord,
} from './phrase.ts';
import { diagnosticWords } from './findings.ts';
import { ACKNOWLEDGE, HEADROOM, REASON_WHYS } from './review/reason-whys.ts';
import { FLEET } from '../../model/ledger/scopes.ts';
import { renamingOf, STOP_WORDS } from './report-words.ts';
import { VALUE_PROBLEM_WORDS } from './terms.ts';

/**
 * A reason in English: why, since when, and when or how the change may continue.
 * @param options the time of the page, whose `now` adds how long ago `since` was; `lastNext` is when
 * the last of several may continue
 */
export function reasonWords(reason: Reason, options?: When): Words;

export function reasonWords<Text extends string>(
  reason: Reason,
  options: When & { readonly sink: (text: string) => Text },
): Words<Text>;

export function reasonWords(
  reason: Reason,
  { lastNext, sink = terminal, ...page }: When & { readonly sink?: Sink } = {},
): Words<string> {
  if (reason.code === 'refused' && reason.params?.['finding'] !== undefined)
    return refusedWords(reason, sink, page);
  const known = finer(withKeys(reason), 'problem', VALUE_PROBLEM_WORDS);
  const [entry, params] = reasonEntry(reason, known);
  const { summary, ...words } = codeWords(entry, params, sink, page);
  const also = alsoHeld(reason, sink, page);
  const sinceWords = findWord(SINCE_TEXTS, reason.why ?? '') ?? sinceText;
  return {
    summary: params['alsoPaused'] === undefined ? summary : `paused, and ${summary}`,
    ...words,
    ...(reason.since !== undefined && { detail: sinceWords(reason.since, page) }),
    ...(typeof reason.next === 'number' && { next: possibleText(reason.next, lastNext, page) }),
    ...(also !== undefined && { next: also }),
  };
}

/** A change of a refused policy has the words of the finding that refuses it (semantics K27). */
function refusedWords({ params = {} }: Reason, sink: Sink, page: PageTime): Words<string> {
  const { finding = '', ...rest } = params;
  const code = String(finding) as DiagnosticCode;
  const found = diagnosticWords({ code, severity: 'error', params: rest }, sink, page);
  const detail = found.detail === undefined ? '' : ` (${withoutStop(found.detail)})`;
  const next = withoutStop(found.next);
  return {
    summary: `policy refused: ${withoutStop(found.summary)}${detail}`,
    next: next.charAt(0).toLowerCase() + next.slice(1),
  };
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/**
 * Adds the dialect keys for a reading that was not understood; keys do not help if it was refused.
 */
function withKeys({ why, params = {} }: Reason): Params {
  const { field, key, problem } = params;
  if (why !== 'valueUnknown' || problem !== 'unreadable' || key !== undefined) return params;
  const keys = findDialectKeys(String(field));
  return keys === undefined ? params : { ...params, key: keys };
}

/** The words of a code and its subcode; a code that this version does not know is shown as is. */
function reasonEntry({ code, why }: Reason, params: Params): readonly [CodePhrases, Params] {
  const entry = findWord(REASON_WORDS, code);
  if (!entry) return [UNKNOWN_REASON, { code, ...(why !== undefined && { why }) }];
  const { rule, scope } = params;
  if (code === 'rolloutPaused' && why === undefined && scope === FLEET)
    return [
      { ...entry, ...HALTED },
      { ...params, ...renamingOf(rule) },
    ];
  if (why === undefined) return [entry, params];
  const finerEntry = findWord(REASON_WHYS, why);
  if (finerEntry) return [{ ...entry, ...finerEntry }, params];
  return [
    { ...entry, says: `${entry.says} ({unknownWhy})` },
    { ...params, unknownWhy: why },
  ];
}

/** A stop of the whole fleet, which no change of documents ends (semantics H4). */
const HALTED: CodePhrases = {
  says: 'the fleet is stopped[ by rule {rule}]',
  next: STOP_WORDS.afterHalt,
};

const UNKNOWN_REASON: CodePhrases = {
  says: '{code}[ ({why})]',
  next: 'use the version of fleetform that created the plan',
};

interface When extends PageTime {
  readonly lastNext?: Instant | undefined;
}

/** A reason in a few words, or the pause that a person ends first; a code that this version does not know is shown as is. */
export function reasonLabel({
  code,
  why,
  params,
}: Pick<Reason, 'code' | 'why' | 'params'>): string {
  if (params?.['alsoPaused'] !== undefined) return 'paused';
  const { label } = (why && findWord(REASON_WHYS, why)) || {};
  return label ?? codeLabel(code);
}

/** A code without its more precise word, in a few words. */
export function codeLabel(code: ReasonCode): string {
  return findWord(REASON_WORDS, code)?.label ?? code;
}

/** Somebody has acknowledged it, or something that has no end holds the change as well (semantics M33, K26). */
const ALSO_HELD: readonly (readonly [param: string, next: Phrase])[] = [
  ['acknowledged', 'acknowledged by exception {acknowledged}[ until {acknowledgedUntil}]'],
  [
    'alsoPaused',
    'end the pause of {alsoPaused}[ at {alsoSite}]: `fleetform unpause {alsoPaused}[ --site "{alsoSite}"] --reason R[ --ticket {alsoTicket}]`',
  ],
  [
    'alsoStopped',
    'find out why {alsoStopped} was stopped, too, then `fleetform unpause {alsoStopped} --ticket T --reason R`',
  ],
  [
    'alsoAborted',
    'set another version or generation, too: the rollout of {alsoAborted} was aborted',
  ],
  ['alsoFrozen', 'end freeze {alsoFrozen} earlier, too: it lasts for more than 400 days'],
  [
    'incidentEnds',
    '[it may start {startsAt} at the earliest, but its||its] incident ends {incidentEnds}[; then {thenBy} takes over||: set a later `until`, or add an incident or a rotation policy that selects it]',
  ],
];

/** What a person does about that; undefined where nothing else holds it. */
function alsoHeld({ params = {} }: Reason, sink: Sink, page: PageTime): string | undefined {
  const phrase = ALSO_HELD.find(([param]) => params[param] !== undefined)?.[1];
  return phrase === undefined ? undefined : fill(phrase, withReadableInstants(params, page), sink);
}

/** In front of what holds a rotation that is overdue. */
const OVERDUE =
  '[overdue since {dueSince}, {windowsMissed|window|windows} missed, limit {breachesAt}; ]';

/** The words of every reason, its label for filters, columns and lines; `next` applies if the reason has no instant. */
export const REASON_WORDS: Readonly<Record<ReasonCode, CodePhrases & { label: string }>> = {
  notSelected: {
    label: 'not selected',
    says: 'no policy selects it',
    next: 'select it in a policy to manage it',
  },
  unmanaged: {
    label: 'not managed',
    says: 'listed in a document, but not a managed device[: {entry}][ (list read: {confidence})]',
    next: 'onboard it, or remove it from the list',
  },
  notDiscovered: {
    label: 'not discovered',
    says: 'listed for onboarding[ {age} ago], not discovered yet[: {entry}][ (list read: {confidence})]',
    next: '[write "{suggestion}": a device is discovered under it||when a device source reports it; check the network and the entry]',
  },
  unsupported: {
    label: 'not possible',
    says: 'the service does not support this for the device',
    next: `check the device in the console, or ${ACKNOWLEDGE}`,
  },
  notComparable: {
    label: 'cannot compare versions',
    says: '[{version} cannot be compared with {other}||versions cannot be compared]',
    next: '`order: [[OLDEST, ..., NEWEST]]` in {policy=the policy}, or an exact version from `fleetform get target-firmware ID`',
  },
  notRead: {
    label: 'not read yet',
    says: 'not read yet[: {field}]',
    next: 'a later run reads it and decides',
  },
  alreadyConverged: { label: 'up to date', says: 'up to date', next: 'nothing to do' },
  blockedVendor: {
    label: 'vendor blocked',
    says: 'vendor[ {vendor}] is blocked',
    next: 'when `blockVendors` no longer lists it',
  },
  hold: {
    label: 'held',
    says: 'blocked by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  exclude: {
    label: 'excluded',
    says: 'excluded by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  pinned: {
    label: 'pinned',
    says: 'pinned by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  incidentEnded: {
    label: 'incident over',
    says: 'incident {incident=of a document} ended[ {until}] before this device changed[: its credential is older than {before}]',
    next: 'extend its `until`, or add an incident or a rotation policy that selects it',
  },
  frozenHard: {
    label: 'hard freeze',
    says: 'blocked by hard freeze {freeze=of a document}[ until {to}]',
    next: 'end the freeze earlier: nothing may start within 400 days',
  },
  siteWithoutZone: {
    label: 'site without time zone',
    says: '[no time zone for site {site}||site without a time zone]',
    next: 'add `timeZone` to the site under `sites`',
  },
  notDue: { label: 'not due', says: 'not due yet', next: 'when it falls due' },
  inDoubt: {
    label: 'in doubt',
    says: 'the outcome of [request {attempt}||an earlier task] is not known',
    next: 'check the device; `fleetform recover` looks for evidence again',
  },
  quarantined: {
    label: 'quarantined',
    says: 'quarantined: it failed and no retry is left',
    next: 'check the device[ and change its credential, as incident {incident} asks; if the service shows no date of the change, write an incident of another name||; another target or a raised generation starts again]',
  },
  awaitsApproval: {
    label: 'awaits approval',
    says: 'no approval covers this change yet',
    next: 'have the newest plan approved: `fleetform ci look`, then the gate of its workflow',
  },
  busy: { label: 'busy', says: 'the device is busy', next: 'when it is idle' },
  offline: {
    label: 'offline',
    says: `${OVERDUE}offline`,
    next: 'check power and network; a later run continues',
  },
  unknown: {
    label: 'status unknown',
    says: 'the service reports its status as {status=unknown}',
    next: 'check the status in the console; a later run continues',
  },
  rolloutPaused: {
    label: 'rollout paused',
    says: 'the rollout is paused[ at {site}|| at site {goneSite}, which the service does not return,|| for model {goneModel}, which no device has,||][ by rule {rule}]',
    next: 'find the cause, then `fleetform unpause [{policy} --site {goneSite}||"{policy}/model={goneModel}"||{scope=SCOPE}] --ticket T --reason R`, or change the rollout in a commit',
  },
  rolloutAborted: {
    label: 'rollout aborted',
    says: 'the rollout was aborted[ at {site}|| at site {goneSite}, which the service does not return,|| for model {goneModel}, which no device has,||][ by rule {rule}]',
    next: 'change the policy to start a new one',
  },
  correlatedOutage: {
    label: 'probable network outage',
    says: 'probable network outage[ at {site}][: {down} of {of} devices down]',
    next: 'fix the network first',
  },
  orderPending: {
    label: 'behind another policy',
    says: 'after {after=another policy}[, whole {per}]',
    next: 'when {after=that policy} is done [in the whole {per}||at its site] (`fleetform why DEVICE` names what holds it)',
  },
  waveNotOpen: {
    label: 'wave not open',
    says: 'wave[ {wave}] has not started',
    next: 'when the waves before it have passed',
  },
  gatePending: {
    label: 'gate not passed',
    says: 'gate of [wave {wave}||the previous wave] not passed',
    next: 'when the gate is passed',
  },
  approvalPending: {
    label: 'needs approval',
    says: 'wave[ {wave}] needs approval',
    next: 'allow the wave[ with gate {entry}] by an exception (`fleetform explain exceptions.allow`)',
  },
  frozen: {
    label: 'freeze',
    says: `${OVERDUE}blocked by freeze {freeze=of a document}[ until {to}][, or until its \`expiryGuard\` of {guard}]`,
    next: 'end the freeze earlier: nothing may start within 400 days',
  },
  windowClosed: {
    label: 'outside window',
    says: `${OVERDUE}outside window[ {window}][, until its \`expiryGuard\` of {guard}][, which must fit {hops|upgrade step|upgrade steps} in a row]`,
    next: 'change the window: it does not open within 400 days',
  },
  pastCutoff: {
    label: 'past cutoff',
    says: `${OVERDUE}past the cutoff of window {window=now}[, {cutoff} before it closes][, until its \`expiryGuard\` of {guard}][, for {hops|upgrade step|upgrade steps} in a row]`,
    next: 'change the window: it allows no start within 400 days',
  },
  refused: { label: 'policy refused', says: 'its policy is refused', next: 'correct the policy' },
  budgetExhausted: {
    label: 'budget full',
    says: `budget {budget=of a document}[ ({scope})] is full${HEADROOM}`,
    next: 'when earlier changes end, in this run or the next',
  },
  apiBudget: {
    label: 'no requests left',
    says: 'this change needs too many requests before it can start[: {requests} at {perSecond} a second][; window {window} closes for starts first]',
    next: 'raise `service.pace` if the service allows it[, or widen window {window}]',
  },
  act: { label: 'due now', says: 'due now', next: 'apply runs it' },
  stale: {
    label: 'stale',
    says: 'changed since it was approved[: {field}]',
    next: 'create a new plan and have it approved',
  },
  left: {
    label: 'no longer selected',
    says: 'no longer selected by its policy',
    next: 'nothing to do',
  },
  gone: {
    label: 'not returned by the service',
    says: 'the service no longer returns the device',
    next: 'check whether it was removed, and whether this user sees its site',
  },
  interrupted: {
    label: 'interrupted',
    says: 'the run was interrupted before this change started',
    next: 'run the same command again',
  },
  notReached: {
    label: 'not reached',
    says: 'the run ended before this change started',
    next: 'run the same command again',
  },
};
