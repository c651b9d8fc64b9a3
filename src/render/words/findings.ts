import type { Diagnostic, DiagnosticCode } from '../../model/documents/diagnostic.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import {
  type Words,
  findWord,
  fillPhrases,
  paramsText,
  finer,
  shownParams,
  type CodePhrases,
} from './entry.ts';
import { DOCUMENT_WORDS, SYNTAX_WORDS } from './documents/document-findings.ts';
import { passedText } from './terms.ts';

/**
 * A problem in English. Parameters come from documents and the service, so they go through the
 * sink.
 */
export function diagnosticWords(diagnostic: Diagnostic): Words;

export function diagnosticWords<Text extends string>(
  diagnostic: Diagnostic,
  sink: (text: string) => Text,
): Words<Text>;

export function diagnosticWords(diagnostic: Diagnostic, sink: Sink = terminal): Words<string> {
  const { code, params } = diagnostic;
  const entry = finerEntry(diagnostic) ?? findWord(DIAGNOSTIC_WORDS, code);
  if (!entry) return fillPhrases(UNKNOWN_FINDING, { code, said: paramsText(params) }, sink);
  const said = finer(shownParams(params), 'problem', findWord(PROBLEM_WORDS, code));
  return fillPhrases(entry, said, sink);
}

export function finerEntry({ code, params }: Diagnostic): CodePhrases | undefined {
  return code === 'syntax' ? findWord(SYNTAX_WORDS, String(params['problem'])) : undefined;
}

/** A code of another version: shown as itself, with all its parameters. */
const UNKNOWN_FINDING: CodePhrases = {
  says: '{code}[: {said}]',
  next: 'this version of fleetform does not know it; the one that made the plan does',
};

/** The words of every problem of the documents. */
export const DIAGNOSTIC_WORDS: Readonly<Record<DiagnosticCode, CodePhrases>> = {
  ...DOCUMENT_WORDS,
  windowless: {
    says: 'The policy[ {policy}] does not say when it may act.',
    next: 'Add `windows:` with the name of a window, or `windows: anytime`.',
  },
  windowForOthers: {
    says: 'The window[ {window}] is not for the task[ {task}][ of {policy}].',
    next: 'Add the task to `task` of the window, or name another window.',
  },
  leapDay: {
    says: 'The 29th of February comes in leap years only[; {freeze} takes it for the 1st of March in the others].',
    next: 'Write "02-28" or "03-01".',
  },
  cronNever: {
    says: 'The cron expression[ “{cron}”][ of {window}] never matches.',
    more: 'No year has such a day.',
    next: 'Correct it, such as "0 1 * * SAT#3" for the third Saturday.',
  },
  windowNeverOpens: {
    says: '[{policy}: nothing||Nothing] can ever start in {windows=its windows}[ within {days|day|days}][ in {zone}][, on {count|device|devices} such as {device}].',
    more: '[Looked at from {from} to {to}: denies and freezes leave nothing open.]',
    next: 'Open the window more often, or shorten what takes it away: `deny`, and freezes.',
  },
  cutoffTooLong: {
    says: '[{policy}: no||No] window of {windows=its windows} is longer than [the {room} that {hops|hop|hops} take||its cutoff][ of {cutoff}][, on {count|device|devices} such as {device}].',
    more: '[The longest opens at {open} for {length}.]',
    next: 'Widen the window[ until {hops|hop|hops} fit, or write `restAtIntermediate: allow` for such devices||, or write a shorter `cutoff`].',
  },
  freezeTooLong: {
    says: 'The freeze[ {freeze}] lasts {length=very long}[, longer than {maxLength}][: from {from} to {to}].',
    next: 'Shorten it, or write `maxLength` to say that you mean it.',
  },
  freezeGap: {
    says: 'Between the freezes[ {other} and {freeze}] there is little time[: {length} of {least} at least].',
    next: 'Let them be further apart, or make one of them.',
  },
  floorBroken: {
    says: '[{policy}: {windows}||A window] is open for very little time[: {time} of {least} in {per}][, from {from} to {to}].',
    more: 'What falls due then has to wait, and all of it for the same few hours.',
    next: 'Open the window more often or for longer.',
  },
  maxAgeTooShort: {
    says: '[{policy}: an||An] age[ of {maxAge}] can be over before anything may start again.',
    more: '[Windows and freezes leave no start from {from} to {to}: what was changed just before is too old by then.]',
    next: 'Raise `maxAge`, shorten the freeze, or open the window more often.',
  },
  retriesOutlastWindow: {
    says: 'The attempts[ of rollout {rollout}] do not fit a window[ of {policy}].',
    more: '[Attempt {attempts} may have to start {after} after the first, and the longest window takes starts for {room} only.]',
    next: 'Write a smaller `maxAttemptsPerWindow` or a shorter `backoff`, or widen the window; what is left is tried in the next one.',
  },
  siteWithoutZone: {
    says: '[The time zone of site {site}||A site, and so its time zone,] is not known[, and window {window} goes by it][, and freeze {freeze} goes by it][: {count|device is|devices are} left out, such as {device}].',
    next: 'Write `timeZone` for the site under `sites`, or a zone in the window or freeze.',
  },
  unreachableBeforeExpiry: {
    says: '[{policy}: what||What] falls due finds no window before it expires[, on {count|device|devices} such as {device}].',
    more: '[There it falls due at {from} and expires at {to}, and nothing can start between.]',
    next: 'Renew earlier (`renewBefore`), open the window more often, or shorten the freeze.',
  },
  unreachableBeforeDeadline: {
    says: '[{policy}: what||What] falls due finds no window before its deadline[, on {count|device|devices} such as {device}].',
    more: '[There it falls due at {from} with its deadline at {to}, and nothing can start between.]',
    next: 'Begin earlier (`headStart`), allow more time (`deadline`), open the window more often, or shorten the freeze.',
  },
  incidentAhead: {
    says: '[Incident {incident}||An incident] begins in the future[: {since}].',
    next: 'Write when the credential became known; what is changed after that is left alone.',
  },
  incidentExpectsMore: {
    says: '[Incident {incident}||An incident] expects more devices than it selects[: {expect} instead of {count}], so one that joins would not be noticed.',
    next: 'Write the number of devices that you expect, or check what it selects.',
  },
  incidentDone: {
    says: '[Incident {incident}||An incident] is done[: {count|device has|devices have} a new credential].',
    next: 'Delete it; that causes nothing.',
  },
  factsTooSlow: {
    says: '[{count|value|values}||Values] of single devices are needed[, and hourly runs of `apply` read {perDay|value|values} a day], so that many are too old before they are read again.',
    more: 'The devices of those wait as "not read".',
    next: 'Raise `service.pace`, `--max-reads` or `--max-age`, or name the date field of the list in `service.dialect`.',
  },
  factsContradicted: {
    says: 'A read of this run shows another [{kind}||value] than an earlier run is said to have read.',
    more: 'What was stored of this kind is dropped and read again; no task started because of it.',
    next: 'Find out who may write to the store of facts.',
  },
  incidentForecast: {
    says: '[Incident {incident}: {count} of {left} devices||An incident: its devices] will be done[ by about {end}][, or by {to} if each task takes its full {running}][; not to be reached now, and listed: {away}][; too late for its end at {until}: {late}].',
    next: '[Raise `maxInFlight` or `service.pace`, or write a later `until`, for {late} of them.||It changes nothing else.]',
  },
  lateForecast: {
    says: '[{policy}: {count|device|devices}||Devices] would be done after the deadline[, such as {device}], even if nothing fails.',
    more: '[Its deadline is {deadline}. ][Its wave {wave} ends at {end} at the earliest.||Its wave does not end within 400 days.]',
    next: 'Raise `maxInFlight`, shorten a soak, open the window more often, or begin earlier.',
  },
  guardrailAhead: {
    says: '[Guardrail {guardrail}||A guardrail] will refuse the plan[ of {day}][: {limit} counts {number}, at most {allowed}][; most of it is {policy}].',
    more: 'Own days and the ends of freezes and holds fall together on that day.',
    next: 'Spread the work over more days, or add an `allow` exception for that day.',
  },
  singleChance: {
    says: '[{policy}: what||What] falls due has one window only until it is too late[, on {count|device|devices} such as {device}].',
    more: '[There the window opens at {open}; it falls due at {from}, and {to} is too late.]',
    next: 'Begin earlier, or open the window more often: whoever is offline that once comes too late.',
  },
  noCanary: {
    says: 'The first wave[ of rollout {rollout}][ for {policy}] reaches {devices|device|devices} at once, and none of them is a canary.',
    more: '[Above {limit|device|devices} a canary is wanted.]',
    next: 'Let the first wave be small and call it `canary`, or write `canary: none` to say that you mean it.',
  },
  canaryTooLarge: {
    says: 'The canary[ of {policy}] holds more than a fifth of a model[: {inCanary} of {devices|device|devices} of {model}].',
    more: 'What goes wrong in it goes wrong for much of that model.',
    next: 'Make the first wave[ of rollout {rollout}] smaller, or let `select` name devices that may fail.',
  },
  canaryMisses: {
    says: 'The canary[ of {policy}] has no place for [{count|kind|kinds}||some kinds] of [{devices|device|devices}||devices][: {kinds}].',
    more: 'They are first tried in a later wave.',
    next: 'Give the first wave[ of rollout {rollout}] a larger `size`, or `stratify` it over less.',
  },
  stopNeverTrips: {
    says: 'There are waves in which no stop rule can ever trip[: {waves}][ of {policy}].',
    more: 'They have fewer devices than a percent needs attempts, or than a count allows to fail.',
    next: 'Write a count under `stopOn`[ of rollout {rollout}], or a smaller `minAttempts`.',
  },
  batchTooLarge: {
    says: 'A batch[ of {batch}] is more than a task may have[: {limit} devices].',
    more: '`maxDevicesPerTask` under `service.dialect` says how many the service takes, or its default does.',
    next: 'Write [{limit} or ]less, or raise `maxDevicesPerTask` if the service takes more.',
  },
  stopWithoutCanary: {
    says: 'A stop rule is for the canary, and no wave[ of {rollout}] is called `canary`.',
    more: 'It would count nothing and never stop anything.',
    next: 'Call the first wave `canary`, or give the rule another scope: `wave` or `rollout`.',
  },
  noStopRule: {
    says: 'Nothing ever stops {rollout=this rollout}: its list of stop rules is empty.',
    more: 'Without the key the built-in rules hold: `{canary: 0, wave: 5%, model: 30%}`.',
    next: 'Remove `stopOn`, or write a rule; keep the empty list only if you mean it.',
  },
  lastWaveNotAll: {
    says: 'The last wave[ of {rollout}] does not reach every device.',
    next: 'End with a wave of `percent: 100%`; percents are cumulative.',
  },
  wavesNotRising: {
    says: 'A wave[ of {rollout}] reaches no more than the one before[: {percent} after {before}].',
    next: 'Let percents rise; they are cumulative.',
  },
  exceptionWithoutExpiry: {
    says: 'The exception[ {exception}] has no end, or one too far ahead[: {until}, more than {limit} from now].',
    next: 'Write `until:` with a date; an exception that is still needed then can be renewed.',
  },
  pinBelowFloor: {
    says: 'The exception[ {exception}] pins[ {version},] a version below the lowest one[ of {policy}][: {minVersion}][, on {count|device|devices}][ such as {device}].',
    next: 'Pin a newer version, or add `acceptsRisk: true` to say that you mean it.',
  },
  ticketMissing: {
    says: 'The policy[ {policy}] allows something that needs a ticket.',
    next: 'Add `ticket:` with the number under which it was agreed.',
  },
  listedTwice: {
    says: '[“{entry}”||An entry] is listed twice.',
    next: 'Remove one of the two.',
  },
  versionBelowFloor: {
    says: 'The wanted version[ {version}] is below the lowest one allowed[: {minVersion}].',
    next: 'Raise `version`, or lower `minVersion`.',
  },
  headStartTooLong: {
    says: 'The head start[ of {headStart}] is not shorter than the age it leads to[, {maxAge}].',
    next: 'Shorten `headStart`, or raise `maxAge`; otherwise the rotation is due at once, for ever.',
  },
  spreadTooLong: {
    says: 'No time of the {ahead=time} ahead is left after the spread[ of {spread}][ and the expiry guard of {expiryGuard}].',
    more: 'A device with a late offset would come too late, or break its window for it.',
    next: 'Shorten `spread`, or begin earlier[: more than {ahead} ahead].',
  },
  renewalLoop: {
    says: '[{policy} renews||This renews] as soon as a certificate is new[: {renewBefore} of its life][ of {life}][ on {count|device|devices}][, such as {device}].',
    next: 'Renew less than half of its life ahead, such as `renewBefore: 33%`.',
  },
  maintenanceIncluded: {
    says: 'The policy[ {policy}] also restarts devices that are in maintenance mode.',
    more: 'Maintenance mode says that somebody is at work on them.',
    next: 'Remove `excludeMaintenanceMode: false` unless you mean it.',
  },
  preapprovedUnusual: {
    says: 'A standing approval is of little use for the policy[ {policy}].',
    more: 'It covers rotations by age, restarts, drift and retries; a new version or a new device needs an approval of its own.',
    next: 'Remove `approval: standing` unless you mean it.',
  },
  approvalWithoutGate: {
    says: '[{problem}||No gate can record an approval here.][ Its remote is at {host}.]',
    more: 'With `approval: plan` nothing starts until a job behind a reviewer has recorded what may.',
    next: 'Use a ledger with `store: git` and the workflows of `fleetform init` on GitHub, or `approval: commit`.',
  },
  approvalLapsed: {
    says: 'The approved commit {commit=of the ledger} is no longer in the history of the default branch.',
    more: 'Standing approvals have lapsed with it. Approved outcomes hold as before.',
    next: 'Approve the newest commit: `fleetform ci look`, then its gate.',
  },
  approvalStillPlan: {
    says: '`service.approval` is commit here, and was plan in the approved commit[ {commit}].',
    more: 'A request is judged by the value before it, so changes still wait for their approval.',
    next: 'Let the gate approve this commit; from then on the commit is the approval.',
  },
  conflict: {
    says: '[{policy} and {other}||Two policies] have equal priority and want different things[ for {count|device|devices}].',
    more: '[{policy} wants {want}.][ {other} wants {otherWant}.][ For instance {device}.]',
    next: '[{problem}||Raise the `priority` of one of them, or let one select fewer devices with `not:`.]',
  },
  selectsNothing: {
    says: '[{policy}: the||The] selector matches no device of the fleet[: none is called “{written}” in this case].',
    next: '[Did you mean “{suggestion}”?||Compare it with `fleetform get devices`. A pattern must match the whole name, in upper and lower case as written.]',
  },
  notDiscoveredYet: {
    says: 'A device that is listed for onboarding has not been discovered[ since {since}][: {entry}].',
    more: '[It was expected within {expectWithin}.]',
    next: 'Check the network, the device source and the entry; or remove the entry.',
  },
  pastDeadline: {
    says: '[{count|device is|devices are}||Devices are] past the deadline[ of {policy}][, the first since {deadline}]. No safety rule is skipped for that.',
    more: '[For instance {device}, which should run {version}.]',
    next: 'See in the plan what each of them waits for.',
  },
  valueUnreadable: {
    says: 'A value of {count|device|devices} was not understood[: {field}][, {problem}][, on {devices}].',
    more: 'Nothing is done to a device because of a value that was not understood, nor while such a value may decide.',
    next: 'Look at what the service answers for [{devices}||them][; where it writes it in another place or form, set {key} under `service.dialect`].',
  },
  siteUnknown: {
    says: 'The service shows no site[ “{name}”][ “{site}”].',
    next: '[Did you mean “{suggestion}”?||Compare it with `fleetform get sites`.]',
  },
  nameNotShown: {
    says: 'The service shows no {what=site, source or group}[ that “{written}” names].',
    next: '[Did you mean “{suggestion}”?||Compare it with `fleetform get sites` and `fleetform get sources`. A pattern must match the whole name, in upper and lower case as written.]',
  },
  siteTwice: {
    says: 'Two entries mean one site[: “{id}” is the id of “{site}”].',
    next: 'Join them into one; the name or the id may be its key.',
  },
  deviceUnknown: {
    says: 'The service shows no device[ “{device}”].',
    next: '[Did you mean the one with the id “{suggestion}”?||Compare it with `fleetform get devices`, or remove it from the list.]',
  },
  nameNotUnique: {
    says: '[“{name}”||The name] stands for {count=more than one} devices, and exactly one is meant.',
    next: 'Name the device by its id[: {ids}].',
  },
  exceptionEnded: {
    says: 'The exception[ {name}] ended[ at {until}] and has no effect any more[; about to act because it ended: {count|change|changes} on {devices}].',
    next: 'Remove it, or renew `until` with a reason.',
  },
  exceptionEnding: {
    says: 'The exception[ {name}] ends[ at {until}][; about to act because it ends: {count|device|devices}, {devices}].',
    next: 'Let it end, or renew `until` with a new ticket; nothing renews it by itself.',
  },
  exceptionOpens: {
    says: 'The exception[ {name}] opens {problem=something}[ ({rollout}/{wave})] for {count|device|devices}[: {devices}].',
    next: 'Check that it is meant for them: without it they would wait.',
  },
  exceptionWithoutEffect: {
    says: 'The exception[ {name}] has no effect of its own: without it this plan would be the same.',
    next: 'Check what it selects and what it allows, or remove it.',
  },
  singletonBlocked: {
    says: 'Budget {budget=of a document} lets nothing ever go down in {sets|set|sets}[, such as {set} with {device}].',
    next: '[Add an exception of type allow with `{entry}` that selects the device.||Raise its limit, or leave these devices out of it; no exception opens it.]',
  },
  percentIsZero: {
    says: 'The percent of budget {budget=of a document} rounds down to 0 in {sets|set|sets}[, such as {set} with {device}]: no task that takes a device down can ever start there.',
    next: 'Write a number of devices instead of a percent, or raise the percent[; for a while, an exception of type allow with `{entry}`].',
  },
  generationLowered: {
    says: 'The generation[ of {policy}] was lowered[ to {generation}]; {recorded=a higher one} has been done.',
    more: 'A lower generation does nothing: what was rotated stays rotated.',
    next: 'Write the recorded number, or a higher one to rotate once more.',
  },
  generationAtFirst: {
    says: '[{policy} begins||A policy begins] with a raised generation[: {generation}].',
    more: '[It makes {count|device|devices} due at once||What it selects is due at once], whatever the age and without a spread.',
    next: 'Leave `generation` out, or write 1, where only the age is meant.',
  },
  fieldNotMapped: {
    says: 'The service does not show {what=a field that this policy needs}[; the built-in budget {off} is off].',
    more: '[The dialect key is {key}.]',
    next: 'Name the field under `service.dialect`[ as {key}], or use a rule that does not need it.',
  },
  effectNotShown: {
    says: '`apply` cannot read back what [{policy}||a rotation] changes[ on {count|device|devices}]: the service does not show it.',
    more: 'The result of the task alone counts as evidence there.',
    next: 'Give this user the right to read it, or correct `service.dialect` if the service shows it under another name.',
  },
  nothingCanStart: {
    says: '`apply` cannot start anything[: {requests} requests come before each start and take {seconds} s at {perSecond} a second, and what they show may be {limit} s old].',
    more: '[All of the {devices|device|devices} are read each time, since the service has no filter for maintenance, or does not honour the one that it is asked with.]',
    next: '[Name that filter under `service.dialect` as {key}, or set||Set] `service.pace.requestsPerSecond` to {enough=a higher pace}[ or more], where the service allows it.',
  },
};

/** The subcodes of some problems, from `problem`. */
const PROBLEM_WORDS: Readonly<Partial<Record<DiagnosticCode, Readonly<Record<string, string>>>>> = {
  approvalWithoutGate: {
    directory: 'The ledger is a directory, which no job behind a gate can reach.',
    forge: 'The repository is not on GitHub, whose gates fleetform knows.',
  },
  badCron: {
    fields: 'it does not have five fields',
    value: 'a field holds what is no number, name, list or range of its own',
    range: 'a range runs backwards',
    word: 'a word is no day or month',
    bothDays: 'it names days of the month and of the week, and that means two things',
  },
  badInstant: {
    day: 'no calendar has that day',
  },
  badVersion: {
    latest: '“latest” changes by itself; `approved` says which is meant',
    pattern: 'it is no version, x-range or range',
    notExact: 'one exact version is wanted here',
  },
  valueUnreadable: {
    address: 'it cannot be part of an address',
  },
  conflict: {
    incidents:
      'Write a later `since` for the one that counts, or let one select fewer devices with `not:`.',
  },
  exceptionOpens: {
    gate: 'a wave that waits for an approval',
    singleton: 'a set of one device',
    skipCanary: 'the waves behind the canary',
    budget: 'a budget that is full',
    expedite: `${passedText('expedite')}, and nothing else,`,
    expediteCanary: `the waves behind the canary, ${passedText('expedite')}, and nothing else,`,
  },
  linkNotRead: {
    nothing: 'it leads to nothing',
    folder: 'it leads to a folder of the fleet',
    document: 'it leads to a document of the fleet, which is read by itself',
  },
  badUrl: {
    pattern: 'it is not an address',
    scheme: 'it is neither https nor http on this machine',
    userInfo: 'it holds a user name or password',
    query: 'it holds a query',
    fragment: 'it holds a fragment',
  },
};
