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
} from './phrase.ts';
import { DOCUMENT_WORDS, SYNTAX_WORDS } from './documents/document-findings.ts';
import { RECORD_FINDING_WORDS } from './documents/record-findings.ts';
import type { PageTime } from './moment.ts';
import { passedText } from './terms.ts';

/**
 * A problem in English. Parameters come from documents and the service, so they go through the
 * sink; our own words do not. Instants are in the time of the page.
 */
export function diagnosticWords(diagnostic: Diagnostic): Words;

export function diagnosticWords(
  diagnostic: Diagnostic,
  sink: (text: string) => string,
  page?: PageTime,
): Words<string>;

export function diagnosticWords(
  diagnostic: Diagnostic,
  sink: Sink = terminal,
  page: PageTime = {},
): Words<string> {
  const { code, params } = diagnostic;
  const entry = finerEntry(diagnostic) ?? findWord(DIAGNOSTIC_WORDS, code);
  if (!entry) return fillPhrases(UNKNOWN_FINDING, { code, said: paramsText(params) }, sink);
  const said = finer(shownParams(params, page), 'problem', findWord(PROBLEM_WORDS, code));
  const words = fillPhrases(entry, said, sink);
  return params['refuses'] === undefined ? words : { ...words, summary: REFUSED + words.summary };
}

/** In front of a finding because of which nothing of its policies starts (semantics K27). */
const REFUSED = 'Refused: ';

export function finerEntry({ code, params }: Diagnostic): CodePhrases | undefined {
  const problem = String(params['problem']);
  if (code === 'conflict' && problem === 'pins')
    return { ...DIAGNOSTIC_WORDS[code], ...PINS_DIFFER };
  const words = code === 'syntax' && findWord(SYNTAX_WORDS, problem);
  return words ? { ...DOCUMENT_WORDS.syntax, ...words } : undefined;
}

const PINS_DIFFER: CodePhrases = {
  says: '[{policy} and {other}||Two exceptions] pin different versions[ for {count|device|devices}].',
  next: 'Remove one of the pins, or narrow one with `not:`.',
};

/** A code of another version: shown as itself, with all its parameters. */
const UNKNOWN_FINDING: CodePhrases = {
  says: '{code}[: {said}]',
  next: 'use the version of fleetform that created the plan',
};

export const DIAGNOSTIC_WORDS: Readonly<Record<DiagnosticCode, CodePhrases>> = {
  ...DOCUMENT_WORDS,
  ...RECORD_FINDING_WORDS,
  windowless: {
    says: 'Policy[ {policy}] has no `windows`.',
    next: 'Add `windows:` with a window, or `windows: anytime`.',
  },
  windowForOthers: {
    says: 'Window[ {window}] does not apply to task[ {task}][ of {policy}].',
    next: 'Add the task to `task` of the window, or use another window.',
  },
  leapDay: {
    says: '29 February exists only in leap years[; in other years {freeze} uses 1 March].',
    next: 'Write "02-28" or "03-01".',
  },
  cronNever: {
    says: 'The cron expression[ "{cron}"][ of {window}] never matches.',
    more: 'No year has this day.',
    next: 'Correct it: "0 1 * * SAT#3" is the third Saturday.',
  },
  windowNeverOpens: {
    says: '[{policy}: no||No] task can start in {windows=its windows}[ within {days|day|days}][ in {zone}][, on {count|device|devices} such as {device}].',
    more: '[From {from} to {to}, `deny` and freezes leave nothing open.]',
    next: 'Open the window more often, or shorten `deny` and freezes.',
  },
  cutoffTooLong: {
    says: '[{policy}: no||No] window of {windows=its windows} is longer than [the {room} that {hops|step|steps} take||its cutoff][ of {cutoff}][, on {count|device|devices} such as {device}].',
    more: '[The longest one opens at {open} for {length}.]',
    next: 'Widen the window[ until {hops|step|steps} fit, or write `restAtIntermediate: allow` for such devices||, or write a shorter `cutoff`].',
  },
  freezeTooLong: {
    says: 'Freeze[ {freeze}] lasts {length=very long}[, longer than {maxLength}][: from {from} to {to}].',
    next: 'Shorten it, or confirm it with `maxLength`.',
  },
  freezeGap: {
    says: 'The gap between freezes[ {other} and {freeze}] is short[: {length}, at least {least} is recommended].',
    next: 'Move them apart, or merge them.',
  },
  floorBroken: {
    says: '[{policy}: {windows}||A window] is rarely open[: {time} in {per}, at least {least} is recommended][, from {from} to {to}].',
    more: 'All due changes then wait for the same few hours.',
    next: 'Open the window more often or for longer.',
  },
  openAllDay: {
    says: '[{policy}: the spans of {windows}||The spans of these windows] overlap, and together they are open all day.',
    more: 'Of several windows or spans, a task may start in any one.',
    next: 'Write one window with the time that all of them have in common, or `anytime` if all day is meant.',
  },
  maxAgeTooShort: {
    says: '[{policy}: `maxAge`||`maxAge`][ of {maxAge}] can pass before any task can start again.',
    more: '[Windows and freezes allow no start from {from} to {to}.]',
    next: 'Raise `maxAge`, shorten the freeze, or open the window more often.',
  },
  retriesOutlastWindow: {
    says: 'The retries[ of rollout {rollout}] do not fit into one window[ of {policy}].',
    more: '[Try {attempts} can start {after} after the first; the longest window allows starts for {room}.]',
    next: 'Lower `maxAttemptsPerWindow` or `backoff`, or widen the window. Remaining retries run in the next window.',
  },
  siteWithoutZone: {
    says: 'The time zone of [site {site}||a site] is unknown[; window {window} depends on it][; freeze {freeze} depends on it][; {count|device needs|devices need} you, such as {device}].',
    next: 'Add `timeZone` to the site under `sites`, or to the window or freeze.',
  },
  unreachableBeforeExpiry: {
    says: '[{policy}: no||No] window opens between due date[ {from}] and expiry[ {to}][, on {count|device|devices} such as {device}][, because of freeze {freeze} ({freezeAt})][: they rotate all the same in the last {guarded} (`expiryGuard`), in a freeze or outside a window, as their credential would expire].',
    next: 'Write [`{start}`||a longer `headStart` or `renewBefore`] or, for certificates, a longer `expiryGuard`; or open the window more often[, or shorten freeze {freeze}].',
  },
  unreachableBeforeDeadline: {
    says: '[{policy}: no||No] window opens between due date[ {from}] and deadline[ {to}][, on {count|device|devices} such as {device}][, because of freeze {freeze} ({freezeAt})]: they start before or after.',
    next: 'Write [`{start}`||a longer `headStart` or `deadline`][, open the window more often, or shorten freeze {freeze}||, or open the window more often].',
  },
  incidentAhead: {
    says: '[Incident {incident}||An incident] starts in the future[: {since}].',
    next: 'Set `since` to the time at which the credential became known; newer credentials are not replaced.',
  },
  incidentExpectsMore: {
    says: '[Incident {incident}||An incident] expects more devices than it selects[: {expect#} instead of {count#}].',
    next: 'Set `expect` to the number that you expect, or check `select`.',
  },
  incidentDone: {
    says: '[Incident {incident}||An incident] is complete[: {count|device has|devices have} a new credential].',
    next: 'Delete it; deleting it starts no task.',
  },
  incidentForecast: {
    says: '[Incident {incident}: {count#} of {left#} devices||An incident: its devices] take[ until about {end}][, at worst {to}].[ Offline: {offline#} ({devices}).][ Budget full: {waiting#}.][ Blocked: {blocked#}.][ After {until}: {late#}.]',
    next: '[Raise `maxInFlight` or `service.pace`, or set a later `until`, for {late#} of them.||It changes nothing else.][ `fleetform plan --only {policy} --all` lists all.]',
  },
  lateForecast: {
    says: '[{policy}: {count|device misses|devices miss}||Devices miss] the deadline even if nothing fails[, such as {device}].',
    more: '[Deadline {deadline}. ][Wave {wave} ends {end} at the earliest.||Its wave does not end within 400 days.]',
    next: 'Raise `maxInFlight`, shorten a soak, open the window more often, start earlier, or expedite these devices (`fleetform explain exceptions`).',
  },
  guardrailAhead: {
    says: '[Guardrail {guardrail}||A guardrail] will refuse the plan[ of {day}][: {limit} counts {number#}, at most {allowed#}][; most of it is {policy}].',
    more: 'Due dates and ends of freezes and exceptions coincide on that day.',
    next: 'Spread the work over more days, or add an `allow` exception for that day.',
  },
  singleChance: {
    says: '[{policy}: only||Only] one window opens between due date[ {from}] and deadline or expiry[ {to}][, on {count|device|devices} such as {device}].',
    more: '[It opens {open}; a device that is offline then misses it.]',
    next: 'Write [`{start}`||a longer `headStart` or `renewBefore`], or open the window more often.',
  },
  noCanary: {
    says: 'The first wave[ of rollout {rollout}][ for {policy}] has {devices|device|devices} and is not a canary.',
    more: '[A canary is required above {limit|device|devices}.]',
    next: 'Make the first wave small and name it `canary`, or confirm with `canary: none`.',
  },
  canaryTooLarge: {
    says: 'The canary[ of {policy}] contains more than a fifth of a model[: {inCanary} of {devices|device|devices} of {model}].',
    more: 'A failure in the canary affects much of that model.',
    next: 'Make the first wave[ of rollout {rollout}] smaller, or `select` devices that may fail.',
  },
  canaryMisses: {
    says: 'The canary[ of {policy}] misses [{count|kind|kinds}||some kinds] of [{devices|device|devices}||devices][: {kinds}].',
    more: 'A later wave is the first to change them.',
    next: '[`stratify` by fewer keys: a larger canary holds still more of {model}.||Raise `size` of the first wave, or `stratify` by fewer keys.]',
  },
  joinsLate: {
    says: '[{devices|device starts|devices start}||Devices start] without a canary: selected or due only after that[ of {policy}] had passed.',
    more: 'Its target is the same, so its rollout goes on. A new version begins at the canary.',
    next: 'If these devices differ, give them a policy of their own, which has its own canary.',
  },
  stopNeverTrips: {
    says: 'Stop rules cannot trigger in waves[ {waves}][ of {policy}]: too few devices.',
    more: 'Each has fewer devices than the rules require.',
    next: 'Set a count under `stopOn`[ of rollout {rollout}], or lower `minAttempts`.',
  },
  batchTooLarge: {
    says: '`batch`[ {batch}] exceeds the maximum of a task[: {limit} devices].',
    more: '`service.dialect.maxDevicesPerTask` sets the maximum.',
    next: 'Set `batch` to [at most {limit}||a lower number], or raise `maxDevicesPerTask` if the service accepts more.',
  },
  stopWithoutCanary: {
    says: 'A stop rule applies to the canary, but no wave[ of {rollout}] is named `canary`.',
    more: 'The rule would never trigger.',
    next: 'Name the first wave `canary`, or use scope `wave` or `rollout`.',
  },
  soakShort: {
    says: 'The canary of {rollout=this rollout} soaks for {soak=less than an hour}: what fails after that is seen only when the next wave has begun.',
    next: 'Write `soak: 24h`, the built-in one. Less than an hour is for a simulator.',
  },
  noStopRule: {
    says: '{rollout=This rollout} has an empty list of stop rules, so nothing stops it.',
    more: 'Without the key, the built-in rules apply: `{canary: 0, wave: 5%, model: 30%}`.',
    next: 'Remove `stopOn`, or add a rule.',
  },
  lastWaveNotAll: {
    says: 'The last wave[ of {rollout}] does not include every device.',
    next: 'Add a last wave with `percent: 100%`; percentages are cumulative.',
  },
  wavesNotRising: {
    says: 'A wave[ of {rollout}] adds no devices[: {percent} after {before}].',
    next: 'Use rising percentages; they are cumulative.',
  },
  exceptionWithoutExpiry: {
    says: 'Exception[ {exception}][ ends too late: {until}, more than {limit} from now|| has no `until`].',
    next: 'Write [`until: "{latest}"` or earlier||`until: "YYYY-MM-DD"`], and renew the exception if you still need it then.',
  },
  pinBelowFloor: {
    says: 'Exception[ {exception}] pins[ {version},] a version below `minVersion`[ of {policy}][: {minVersion}][, on {count|device|devices}][ such as {device}].',
    next: 'Pin a newer version, or confirm with `acceptsRisk: true`.',
  },
  ticketMissing: {
    says: 'Policy[ {policy}] needs a `ticket`.',
    next: 'Add `ticket:` with the number of the approval.',
  },
  listedTwice: {
    says: '["{entry}"||An entry] is listed twice.',
    next: 'Remove one of the two.',
  },
  versionBelowFloor: {
    says: '`version`[ {version}] is below `minVersion`[ {minVersion}].',
    next: 'Raise `version`, or lower `minVersion`.',
  },
  headStartTooLong: {
    says: '`headStart`[ of {headStart}] must be shorter than `maxAge`[ of {maxAge}].',
    next: 'Shorten `headStart`, or raise `maxAge`; otherwise the rotation is always due.',
  },
  spreadTooLong: {
    says: '`spread`[ of {spread}][ plus the expiry guard of {expiryGuard}] leaves none of the {ahead=time} before the limit.',
    more: 'Devices with a late offset would miss their limit or their window.',
    next: 'Shorten `spread`, or start earlier[: more than {ahead} ahead].',
  },
  renewalLoop: {
    says: '[{policy} renews||This renews] certificates as soon as they are issued[: `renewBefore` {renewBefore}][ of a lifetime of {life}][ on {count|device|devices}][, such as {device}].',
    more: '[{count|device needs|devices need} you. Everything else continues.]',
    next: 'Set `renewBefore` below half of the lifetime, such as `33%`.',
  },
  maintenanceIncluded: {
    says: 'The policy[ {policy}] also restarts devices that are in maintenance mode.',
    more: 'In maintenance mode, a person is working on the device.',
    next: 'Remove `excludeMaintenanceMode: false` unless you need it.',
  },
  renameExists: {
    says: '[{policy} names||A policy names] an earlier address that another policy has[: {name}].',
    more: 'Both would share its pauses and waves.',
    next: 'Remove the other policy, or name another address.',
  },
  renameTwice: {
    says: 'Two policies name one earlier address[: {name}].',
    more: 'Only one of them can have its pauses and waves.',
    next: 'Keep it in one; write `renamedFrom: none` in the other.',
  },
  renameOfOther: {
    says: '[{policy} names||A policy names] an earlier address of another section[: {name}].',
    next: 'Name an address in {section=its own section}.',
  },
  afterCycle: {
    says: '[{policy} comes||A policy comes] after itself[: {cycle}].',
    more: 'Nothing of these policies could ever start.',
    next: 'Remove one `after`.',
  },
  nameTaken: {
    says: '[{policy}||A policy] has a name that {present=another policy} had before, by the ledger.',
    more: 'Its pauses and waves are those of {present=that policy}.',
    next: 'Give it another name[, or write `renamedFrom: {present}` in it if it is that policy].',
  },
  preapprovedUnusual: {
    says: 'A standing approval has little effect on policy[ {policy}].',
    more: 'It covers rotations by age, restarts, drift and retries. Each new version or new device still needs an approval.',
    next: 'Remove `approval: standing`, or keep it for the retries.',
  },
  approvalWithoutGate: {
    says: '[{problem}||No gate can record an approval for these documents.][ The remote is at {host}.]',
    more: 'With `approval: plan`, no change starts until a job behind a reviewer records its approval.',
    next: 'Use a ledger with `store: git` and the jobs that `fleetform init --approval plan` writes for GitHub or GitLab, or `approval: commit`.',
  },
  ownersMissing: {
    says: 'No owner in CODEOWNERS reviews a change of [{files}||files that decide what runs].',
    more: 'These files decide which code makes plans and starts tasks, and what it starts.',
    next: 'Name their owners in CODEOWNERS, and let the rules of the default branch require their review.',
  },
  conflict: {
    says: '[{policy} and {other}||Two policies] have equal priority and different {differs=targets}[ for {count|device|devices}].',
    more: '[{policy}: {want}.][ {other}: {otherWant}.][ Example: {device}.]',
    next: '[{problem}||Raise the `priority` of one of them, or narrow one with `not:`.]',
  },
  selectsNothing: {
    says: '[{policy}: the||The] selector matches no device[: no "{written}" in this case][. Did you mean "{suggestion}"?||.]',
    next: '[Write "{suggestion}", if that is what you mean.||Compare it with `fleetform get devices`. A pattern must match the whole name; case matters.]',
  },
  selectorUnclear: {
    says: '[Whether {policy} selects {count|device|devices} ({devices})||Whether a selector selects some devices] is unclear[: {problem}].',
    more: '[Version {version} cannot be compared with {other}.][The field {field} could not be read.]',
    next: 'Select by device IDs, or by a glob in place of a range.',
  },
  notDiscoveredYet: {
    says: 'A device [onboarded on {onboarded} is no longer returned||listed for onboarding has not been discovered][ since {since}][: {entry}].',
    more: '[It was expected within {expectWithin}.]',
    next: 'Check network, device source and entry, or remove the entry.',
  },
  pastDeadline: {
    says: '[{count|device is|devices are}||Devices are] past the deadline[ of {policy}][, the first since {deadline}]. All safety rules still apply.',
    more: '[Example: {device}, target {version}.]',
    next: 'The plan shows what each of them waits for.',
  },
  valueUnreadable: {
    says: 'Unreadable value on {count|device|devices}[: {field}][, {problem}][, on {devices}].',
    more: 'fleetform starts no task that depends on an unreadable value.',
    next: 'Check the responses of the service for [{devices}||them][; if it uses another field or form, set {key} under `service.dialect`].',
  },
  siteUnknown: {
    says: 'The service returns no site[ "{name}"][ "{site}"].',
    more: '[What {protects} keeps from tasks by a tag of this site may have another name now: nothing starts.][What {policy} leaves out by a tag of this site may have another name now.][The waves of rollout {rollout} would take other devices than are meant.]',
    next: '[Did you mean "{suggestion}"?||Compare it with `fleetform get sites`, and put it right or remove it.]',
  },
  nameNotShown: {
    says: 'The service returns no {what=site or source}[ named "{written}"].',
    more: '[What {protects} keeps from tasks may have another name now: nothing starts.][What {policy} leaves out may have another name now.][The waves of rollout {rollout} would take other devices than are meant.]',
    next: '[Did you mean "{suggestion}"? If it is none of `fleetform get {list}` any more, remove it.||Did you mean "{suggestion}"?||Write it as `fleetform get {list}` shows it, or remove it if it is gone for good.||Compare it with `fleetform get sites` and `fleetform get sources`, and put it right or remove it. A pattern must match the whole name; case matters.]',
  },
  groupEmpty: {
    says: 'No device is in a group[ named "{written}"].',
    next: 'Compare its entry in `groups` with `fleetform get devices`.',
  },
  tagUnknown: {
    says: 'No entry of `sites` has a tag[ "{written}"].',
    more: '[What {protects} keeps from tasks would start: nothing starts.][What {policy} leaves out would start.][The waves of rollout {rollout} would take other devices than are meant.]',
    next: '[Did you mean "{suggestion}"?||Add the tag to the entries of the sites that it means, or remove it.]',
  },
  namesSeveral: {
    says: '"{written=A name}" matches {count=several|device|devices}[ at {sites|site|sites}][ ({devices})]: add `site` or `device`.',
    next: 'Leave it only if every one of them is meant.',
  },
  siteTwice: {
    says: 'Two entries describe one site[: "{id}" is the ID of "{site}"].',
    next: 'Merge them; the key can be the name or the ID.',
  },
  deviceUnknown: {
    says: 'The service returns no device[ "{device}"].',
    next: '[Did you mean the device with ID "{suggestion}"?||Compare it with `fleetform get devices`, or remove it from the list.]',
  },
  nameNotUnique: {
    says: '["{name}"||The name] matches {count=more than one} devices; exactly one is required.',
    next: 'Use the ID of the device[: {ids}].',
  },
  exceptionEnded: {
    says: 'Exception[ {name}] ended[ at {until}] and has no effect[; {count|change|changes} on {devices} can start because it ended].',
    next: 'Remove it, or extend `until` with a reason.',
  },
  exceptionEnding: {
    says: 'Exception[ {name}] ends[ at {until}][; {count|device|devices} can then change: {devices}][; {person|change then needs|changes then need} a person: {devices}].',
    next: 'Let it end, or extend `until` with a new ticket.',
  },
  exceptionOpens: {
    says: 'Exception[ {name}] {problem=has an effect}[ ({rollout}/{wave})]: {count|device|devices}[ ({devices})].',
    next: 'Check that this is intended. Without the exception, these devices wait.',
  },
  exceptionWithoutEffect: {
    says: 'Exception[ {name}] has no effect on this plan.',
    next: 'Check `select` and `allow`, or remove it.',
  },
  singletonBlocked: {
    says: 'Budget {budget=of a document} never lets a device go offline in {sets|set|sets}[, such as {set} with {device}].',
    next: '[Add an `allow` exception with `{entry}` that selects the device.||Raise its limit, or exclude these devices; no exception overrides it.]',
  },
  percentIsZero: {
    says: 'The percentage of budget {budget=of a document} rounds down to 0 in {sets|set|sets}[, such as {set} with {device}]. No task that takes a device offline can start there.',
    next: 'Use a number of devices, or raise the percentage[; for a limited time, add an `allow` exception with `{entry}`].',
  },
  orderStated: {
    says: '`order`[ of {policy}] decides [that {newer} is newer than {older}||about versions][; the built-in order {problem}].',
    more: '[{count|device|devices} concerned][, such as {device}.]',
    next: "Compare `order` with the vendor's release notes.",
  },
  afterLeavesOut: {
    says: '[{policy} does not wait||A policy does not wait] for {count|device|devices}[ of {after}][: {devices}].',
    more: 'They are excluded, pinned, offline for longer than `ignoreOffline`, or cannot be upgraded.',
    next: 'To wait for them, end the exception, or raise `ignoreOffline`.',
  },
  afterHasNone: {
    says: '[{after} has||The policy that comes first has] no device at {sites|site|sites}[, such as {site},] where [{policy}||another policy] has changes: nothing holds them there.',
    next: 'Correct the selector if there should be one.',
  },
  generationLowered: {
    says: '`generation`[ of {policy}] was lowered[ to {generation}]; {recorded=a higher one} has been applied.',
    more: 'A lower generation starts no task.',
    next: 'Set the recorded number, or a higher one to rotate again.',
  },
  generationAtFirst: {
    says: '[{policy} starts||A policy starts] with a raised generation[: {generation}].',
    more: '[{count|device is|devices are}||All selected devices are] due immediately; age and `spread` do not count.',
    next: 'Omit `generation`, or set 1, if only the age matters.',
  },
  fieldNotMapped: {
    says: 'The service does not return {what=a field that this policy needs}[; the built-in budget {off} is off].',
    more: '[Dialect key: {key}.]',
    next: 'Set the field under `service.dialect`[ as {key}], or use a rule that does not need it.',
  },
  effectNotShown: {
    says: '`apply` cannot confirm the changes of [{policy}||a rotation][ on {count|device|devices}]: the service does not show the value.',
    more: 'There, the result of the task is the only evidence.',
    next: 'Give this user the right to read it, or correct `service.dialect` if the service shows it under another name.',
  },
};

/** The subcodes of some problems, from `problem`. */
const PROBLEM_WORDS: Readonly<Partial<Record<DiagnosticCode, Readonly<Record<string, string>>>>> = {
  approvalWithoutGate: {
    directory: 'The ledger is a directory, and jobs behind a gate cannot reach it.',
    forge: 'The repository shows no gate of GitHub or GitLab, which fleetform supports.',
    job: 'No job of this repository runs `fleetform ci approve`, and `init` keeps the files of CI that it finds.',
  },
  badCron: {
    fields: 'it does not have five fields',
    value: 'a field has an invalid value',
    range: 'a range is reversed',
    word: 'a word is not a day or month',
    bothDays: 'it combines days of the month and days of the week, which is ambiguous',
  },
  badInstant: {
    day: 'this day does not exist',
  },
  badVersion: {
    latest: 'use `approved` instead of "latest"',
    pattern: 'it is not a version, x-range or range',
    notExact: 'an exact version is required',
    misspelt: 'the word is `approved`',
    otherVendor: 'only other vendors spell versions like this',
    foreign: 'ranges of npm and Terraform are spelled otherwise here',
  },
  quoteIt: {
    time: 'some readers of YAML take a time for a number of minutes',
    date: 'some readers of YAML take it for a date',
  },
  unknownKey: {
    switch:
      'No entry has a switch: `fleetform pause` stops a policy, on record; else remove the key',
  },
  valueUnreadable: {
    address: 'it cannot be part of a URL',
  },
  conflict: {
    incidents: 'Set a later `since` in the one that applies, or narrow one with `not:`.',
  },
  exceptionOpens: {
    gate: 'opens a wave that needs approval',
    singleton: 'lets the only device of its set go offline',
    skipCanary: 'opens the waves after the canary',
    budget: 'overrides a full budget',
    expedite: `bypasses only ${passedText('expedite')}`,
    expediteCanary: `opens the waves after the canary and bypasses ${passedText('expedite')}`,
  },
  selectorUnclear: {
    held: 'held until that is clear, or the exception ends',
    frozen: 'frozen, too',
    counted: 'counted while down or at work',
    member: 'a possible member wherever the group is named',
    leftOut: 'left out',
    laterWave: 'left to a later wave',
  },
  orderStated: {
    unknown: 'cannot compare them',
    reversed: 'says the opposite, and decides nothing else in this policy',
  },
  includeRefused: {
    form: 'it is no relative path of plain names',
    outside: 'it is outside the repository, or of the directory of the fleet',
    name: 'no name in its path begins with `_`, which marks what fleets share',
    own: 'it holds the fleet, or the fleet holds it',
    twice: 'it is listed already, alone or within another',
    many: 'a fleet includes at most 8',
    missing: 'there is no such directory with documents, or a link leads to it',
  },
  linkNotRead: {
    nothing: 'its target does not exist',
    folder: 'its target is a directory',
    document: 'its target is a document that is read anyway',
  },
  badUrl: {
    pattern: 'it is not a URL',
    scheme: 'it is neither https nor http on this machine',
    userInfo: 'it contains a user name or password',
    query: 'it contains a query',
    fragment: 'it contains a fragment',
  },
};
