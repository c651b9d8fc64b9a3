import type { Action, Cause, Group, Risk } from '../../model/plan/change.ts';
import type { Diagnostic, DiagnosticCode } from '../../model/documents/diagnostic.ts';
import type { Params, WorldCode, WorldError } from '../../model/error.ts';
import type { IntentPhase } from '../../model/ledger/memory.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Outcome, RunReport } from '../../model/ledger/outcome.ts';
import type { Behind, PlanBase } from '../../model/plan/plan.ts';
import type { GuardrailLimit } from '../../model/documents/policy.ts';
import type { Progress } from '../../model/progress.ts';
import type { Reason, ReasonCode, ReasonWhy } from '../../model/plan/reason.ts';
import type { PostOutcome, Verdict } from '../../model/ledger/record.ts';
import type { Read, ReadProblem } from '../../model/fleet/snapshot.ts';
import type { Unfiltered } from '../../model/fleet/filter-trial.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Governing } from '../../model/plan/who.ts';
import type { Why } from '../../model/plan/why.ts';
import type { Instant } from '../../lib/time.ts';
import type { RunClass } from '../../model/ledger/run-sums.ts';
import { moment, readable, span } from './moment.ts';
import { counted, fill, grouped, type Phrase } from './phrase.ts';
import { join, say, terminal, type Sink, type TerminalText } from '../sinks/sinks.ts';
import { SYNTAX_WORDS } from './syntax-words.ts';

/** What happened, what more there is to know, and what to do next; as safe as the sink made it. */
export interface Words<Text extends string = TerminalText> {
  readonly summary: Text;
  readonly detail?: Text;
  readonly next: Text;
}

/** How a code is said: phrases with gaps for its parameters. */
export interface Entry {
  readonly says: Phrase;
  readonly more?: Phrase;
  readonly next: Phrase;
}

/**
 * A finding in English. Parameters come from documents and the service: they go through the sink.
 */
export function diagnosticWords(diagnostic: Diagnostic): Words;
export function diagnosticWords<Text extends string>(
  diagnostic: Diagnostic,
  sink: (text: string) => Text,
): Words<Text>;
export function diagnosticWords(diagnostic: Diagnostic, sink: Sink = terminal): Words<string> {
  const { code, params } = diagnostic;
  const entry = finerEntry(diagnostic) ?? wordOf(DIAGNOSTIC_WORDS, code);
  if (!entry) return filledOf(UNKNOWN_FINDING, { code, said: textOf(params) }, sink);
  const said = finer(shownOf(params), 'problem', wordOf(PROBLEM_WORDS, code));
  return filledOf(entry, said, sink);
}

function finerEntry({ code, params }: Diagnostic): Entry | undefined {
  return code === 'syntax' ? wordOf(SYNTAX_WORDS, String(params['problem'])) : undefined;
}

/** A failure of the world in English. */
export function errorWords(code: WorldCode, params: Params): Words;
export function errorWords<Text extends string>(
  code: WorldCode,
  params: Params,
  sink: (text: string) => Text,
): Words<Text>;
export function errorWords(code: WorldCode, params: Params, sink: Sink = terminal): Words<string> {
  if (code === 'notFound')
    return wordsOf(ERROR_WORDS.notFound, finer(params, 'what', THINGS), sink);
  if (code === 'forbidden') return wordsOf(forbiddenEntry(params), params, sink);
  return wordsOf(ERROR_WORDS[code], finer(params, 'why', ERROR_WHYS[code]), sink);
}

/**
 * A reason in English: why, since when, and when or how it may go on.
 * @param options `now` lets it say how long ago `since` was; `lastNext` is when the last of several may go on
 */
export function reasonWords(reason: Reason, options?: When): Words;
export function reasonWords<Text extends string>(
  reason: Reason,
  options: When & { readonly sink: (text: string) => Text },
): Words<Text>;
export function reasonWords(
  reason: Reason,
  { now, lastNext, sink = terminal }: When & { readonly sink?: Sink } = {},
): Words<string> {
  const known = finer(reason.params ?? {}, 'problem', READ_PROBLEM_WORDS);
  const [entry, params] = reasonEntry(reason, known);
  const words = wordsOf(entry, params, sink);
  return {
    ...words,
    ...(reason.since !== undefined && { detail: sinceText(reason.since, now) }),
    ...(typeof reason.next === 'number' && { next: possibleText(reason.next, lastNext) }),
  };
}

/** The words of a code and its finer word; what this version does not know is said as it is. */
function reasonEntry({ code, why }: Reason, params: Params): readonly [Entry, Params] {
  const entry = wordOf(REASON_WORDS, code);
  if (!entry) return [UNKNOWN_REASON, { code, ...(why !== undefined && { why }) }];
  if (why === undefined) return [entry, params];
  const finerEntry = wordOf(REASON_WHYS, why);
  if (finerEntry) return [{ ...entry, ...finerEntry }, params];
  return [
    { ...entry, says: `${entry.says} ({unknownWhy})` },
    { ...params, unknownWhy: why },
  ];
}

/** A code of another version: shown as itself, with all that it says. */
const UNKNOWN_FINDING: Entry = {
  says: '{code}[: {said}]',
  next: 'this version of fleetform does not know it; the one that made the plan does',
};
const UNKNOWN_REASON: Entry = {
  says: '{code}[ ({why})]',
  next: 'this version of fleetform does not know it; the one that made the plan does',
};

function textOf(params: Params): string {
  const said = Object.entries(readable(params));
  return said.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

interface When {
  readonly now?: Instant;
  readonly lastNext?: Instant | undefined;
}

function possibleText(next: Instant, last: Instant | undefined): string {
  const first = `possible from ${moment(next)}`;
  return last === undefined ? first : `${first}, the last from ${moment(last)}`;
}

function sinceText(since: Instant, now: Instant | undefined): string {
  const long = now === undefined || now <= since ? '' : ` (${span(now - since)})`;
  return `since ${moment(since)}${long}`;
}

/** Which right is missing depends on what was asked for. */
function forbiddenEntry({ method, needs }: Params): Entry {
  if (method === 'POST') return { ...ERROR_WORDS.forbidden, ...FORBIDDEN_TASK };
  return { ...ERROR_WORDS.forbidden, ...(needs === 'Admin' && FORBIDDEN_PATHS) };
}

/** Puts the words of a finer code in the place of the code. */
function finer(
  params: Params,
  name: 'problem' | 'why' | 'what',
  words: Readonly<Record<string, string>> | undefined,
): Params {
  const code = params[name];
  const said = words !== undefined && typeof code === 'string' ? wordOf(words, code) : undefined;
  return said === undefined ? params : { ...params, [name]: said };
}

function wordsOf(entry: Entry, params: Params, sink: Sink): Words<string> {
  return filledOf(entry, readable(params), sink);
}

/** What an author wrote is quoted as written, an instant too: people look for it, and copy it. */
function shownOf(params: Params): Params {
  const written = Object.entries(params).filter(([name]) => QUOTED.includes(name));
  return { ...readable(params), ...Object.fromEntries(written) };
}

const QUOTED: readonly string[] = ['value', 'text', 'limit'];

function filledOf(entry: Entry, shown: Params, sink: Sink): Words<string> {
  const detail = entry.more === undefined ? '' : fill(entry.more, shown, sink);
  return {
    summary: fill(entry.says, shown, sink),
    ...(detail !== '' && { detail }),
    next: fill(entry.next, shown, sink),
  };
}

/** What to do about documents that cannot be used. */
export const INVALID_WORDS = { next: 'Correct what is listed under `diagnostics`; each says how.' };

/** Every finding about documents. */
export const DIAGNOSTIC_WORDS: Readonly<Record<DiagnosticCode, Entry>> = {
  fleetMissing: {
    says: 'There is no fleet folder[ at {folder}].',
    next: 'Write a first document, such as the one in the README, or name another folder with --fleet.',
  },
  fleetEmpty: {
    says: 'The fleet folder holds no YAML file[: {folder}].',
    next: 'Write a first document, such as the one in the README, or name another folder with --fleet.',
  },
  fileTooLarge: {
    says: 'The file is too large[: {bytes|byte|bytes}].',
    more: '[A document may have {limit|byte|bytes} at the most.]',
    next: 'Split it into several files; entries may stand in any of them.',
  },
  tooManyFiles: {
    says: 'The fleet folder holds too many files[: {count|file|files}].',
    more: '[At most {limit|file is|files are} read.]',
    next: 'Join documents, or keep files that are no documents elsewhere.',
  },
  fleetTooLarge: {
    says: 'The documents together are too large[: {bytes|byte|bytes}].',
    more: '[All documents may have {limit|byte|bytes} at the most.]',
    next: 'Select devices by vendor, model, site or group instead of listing them one by one.',
  },
  notAFile: {
    says: '[“{name}”||This] is not a regular file.',
    more: 'Pipes, sockets and device files are never read.',
    next: 'Replace it by a regular YAML file, or remove it from the fleet folder.',
  },
  linkLeavesFleet: {
    says: 'The link[ “{name}”] leads out of the fleet folder.',
    next: 'Copy the file into the fleet folder, so that reviewers see what counts.',
  },
  linkNotRead: {
    says: 'The link[ “{name}”] is not read[: {problem}][, {target}].',
    more: 'A link to a file of the fleet folder that is no document by its own name is read as one.',
    next: 'Remove the link, or put the file itself in its place.',
  },
  caseClash: {
    says: 'Two files differ in upper and lower case only[: “{name}” and “{other}”].',
    more: 'On some machines they are one file, and one of them would be lost.',
    next: 'Rename one of them.',
  },
  notUtf8: {
    says: 'The file is not valid UTF-8[, from byte {offset} on].',
    next: 'Save it as UTF-8.',
  },
  forbiddenCharacter: {
    says: 'A character that cannot be seen stands here[: {character}].',
    more: 'Invisible and direction-changing characters make a text read otherwise than it acts.',
    next: 'Remove it, or write it as an escape such as "\\u200b" inside double quotes.',
  },
  nestedTooDeep: {
    says: 'The nesting is too deep[: more than {limit|level|levels}].',
    next: 'Flatten this part; no document needs more than a few levels.',
  },
  syntax: {
    says: 'This is not valid YAML[, at “{key}”].',
    next: 'Check the indentation, quotes and brackets of this line and of the one above.',
  },
  duplicateKey: {
    says: 'The key[ “{key}”] stands twice in one map.',
    next: 'Keep one of the two.',
  },
  mergeKey: {
    says: 'Merge keys (<<) are not read.',
    next: 'Write the values out, or share them through a group, a window or a rollout.',
  },
  customTag: {
    says: 'YAML tags[ such as {tag}] are not read.',
    next: 'Remove the tag; put quotes around the value where a text is meant.',
  },
  tooManyAliases: {
    says: 'The file uses too many YAML aliases[: {count|alias|aliases}].',
    more: '[At most {limit} are followed.]',
    next: 'Write the values out.',
  },
  aliasLoop: {
    says: 'The alias[ *{anchor}] contains itself.',
    next: 'Write the value out.',
  },
  severalDocuments: {
    says: 'The file holds more than one YAML document.',
    next: 'Put what follows `---` into a file of its own.',
  },
  refusedKey: {
    says: 'The key[ “{key}”] is refused.',
    more: 'It has a meaning of its own inside JavaScript objects.',
    next: 'Choose another name.',
  },
  unquotedStar: {
    says: 'A pattern that starts with * needs quotes.',
    more: 'Without them YAML takes it for an alias.',
    next: 'Put the pattern in double quotes[: "{text}"].',
  },
  unknownKey: {
    says: 'The key[ “{key}”] is not known[ in {within}].',
    more: '[Known there: {allowed}.]',
    next: '[Did you mean “{suggestion}”?||Remove it, or move it to the entry where it belongs.]',
  },
  missingKey: {
    says: 'The key[ “{key}”] is missing[ in {within}].',
    next: 'Add it[: `{key}: ...`].',
  },
  wrongType: {
    says: '[“{key}”||This] must be {expected=another kind of value}[, not {found}].',
    next: '[Write, for example: {example}||Write {expected=a value of that kind}.]',
  },
  quoteIt: {
    says: '[“{key}” must be a string||This must be a string], and YAML reads {text=it} as something else.',
    more: 'Without quotes YAML reads a number, a date or a boolean: version 11.10 becomes 11.1.',
    next: '[Write it in double quotes: {example}||Put it in double quotes: "{text=...}"].',
  },
  notAllowed: {
    says: 'The key[ “{key}”] is not allowed here[ beside {beside}].',
    next: 'Remove it, or change what it stands beside.',
  },
  badValue: {
    says: '[“{value}”||This] is not one of the values that are allowed [for “{key}”||here].',
    more: '[Allowed: {allowed}.]',
    next: '[Did you mean “{suggestion}”?||Write one of the allowed values.]',
  },
  taskNotOffered: {
    says: 'The service offers no such task[: “{value}”]. Where devices tell of it, it is reported and never acted on.',
    more: '[Tasks here: {allowed}.]',
    next: 'Take the entry out; `fleetform get devices -o json` shows where it is available.',
  },
  badName: {
    says: 'The name[ “{name}”][ in {section}] cannot be used.',
    next: 'Use lower-case letters, digits and `-`, 63 of them at most; start with a letter or digit.',
  },
  excludesEachOther: {
    says: '[“{key}” and “{other}”||Two keys] exclude each other.',
    next: 'Keep one of the two.',
  },
  oneOfRequired: {
    says: 'One of these keys is needed[ in {within}][: {keys}].',
    next: 'Add the one that says what you mean.',
  },
  empty: {
    says: '[“{key}”||This] holds nothing.',
    more: 'What is empty selects nothing and says nothing.',
    next: 'Fill it, or remove the key.',
  },
  outOfRange: {
    says: '[“{value}”||This] is out of range[ for “{key}”][: it must be {rule} {limit}].',
    next: 'Write a value[ that is {rule} {limit}||within the range].',
  },
  badDuration: {
    says: '[“{value}”||This] is not a duration[, as “{key}” needs one].',
    next: 'Write a whole number and one of s, m, h, d, w: 90s, 30m, 12h, 180d.',
  },
  badInstant: {
    says: '[“{value}”||This] is not a date and time[ in the form that “{key}” needs][: {problem}].',
    next: 'Write it like {example="2027-01-31T00:00:00Z" or "2027-01-31T01:00:00+01:00"}.',
  },
  badZone: {
    says: '[“{value}”||This] is not a time zone that is known[, as “{key}” needs one].',
    next: '[Did you mean “{suggestion}”?||Use an IANA name such as Europe/Berlin.]',
  },
  badCron: {
    says: '[“{value}”||This] is not a cron expression[, as “{key}” needs one][: {problem}].',
    next: 'Write five fields: minute, hour, day, month, weekday, such as "0 1 * * SAT#3".',
  },
  badPercent: {
    says: '[“{value}”||This] is not a percentage[, as “{key}” needs one].',
    next: 'Write a number from 0 to 100, with two decimals at most, and a percent sign: 10%.',
  },
  badVersion: {
    says: '[“{value}”||This] is not a version that can be wanted[: {problem}].',
    next: 'Write it like {example="11.11.73", "11.11.x" or ">=11.5 <12" in quotes, or approved}.',
  },
  badUrl: {
    says: 'fleetform does not send credentials to [“{value}”||this address][: {problem}].',
    next: 'Write it like https://api.example.com; plain http is for this machine alone.[ Set {variables} where fleetform runs, and change the password now.]',
  },
  looksLikeSecret: {
    says: 'The value[ of “{key}”] looks like a secret.',
    more: 'Everybody who can read the repository can read it, and git keeps it in the history.',
    next: '[Write {reference} in its place and set that variable where apply runs.||Remove it: secrets come from the environment alone.][ Set {variables} where fleetform runs.] Change the secret now.',
  },
  duplicateName: {
    says: 'The name[ “{name}”] is defined twice[ in {section}].',
    next: 'Rename or remove one of the two.',
  },
  serviceMissing: {
    says: 'No document says which service to talk to.',
    next: 'Add `service: {baseUrl: "https://...", organization: ...}` to one file.',
  },
  serviceTwice: {
    says: 'The service is described twice.',
    next: 'Keep one description; one fleet folder speaks to one service.',
  },
  nameUnknown: {
    says: 'There is nothing named[ “{name}”][ in {section}].',
    next: '[Did you mean “{suggestion}”?||Correct the name, or define it.]',
  },
  reservedName: {
    says: 'The name[ “{name}”] has a meaning of its own[ under {section}] and cannot be used here.',
    more: '`anytime` is the window that is always open, `canary` the first wave.',
    next: 'Choose another name.',
  },
  unknownDialectKey: {
    says: 'The dialect has no key[ “{key}”].',
    next: '[Did you mean “{suggestion}”?||Look it up in the table of assumptions in the README.]',
  },
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
  lateForecast: {
    says: '[{policy}: {count|device|devices}||Devices] would be done after the deadline[, such as {device}], even if nothing fails.',
    more: '[Its deadline is {deadline}. ][Its wave {wave} ends at {end} at the earliest.||Its wave does not end within 400 days.]',
    next: 'Raise `maxInFlight`, shorten a soak, open the window more often, or begin earlier.',
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
  conflict: {
    says: '[{policy} and {other}||Two policies] have equal priority and want different things[ for {count|device|devices}].',
    more: '[{policy} wants {want}.][ {other} wants {otherWant}.][ For instance {device}.]',
    next: 'Raise the `priority` of one of them, or let one select fewer devices with `not:`.',
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
    says: 'A value of {count|device|devices} was not understood[: {field}][, on {devices}].',
    more: 'Nothing is done to a device because of a value that was not understood, nor while such a value may decide.',
    next: 'Look at what the service answers for [{devices}||them][; where it writes it in another place or form, set `service.dialect.{key}`].',
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
    says: 'The percent of budget {budget=of a document} rounds down to 0 in {sets|set|sets}[, such as {set} with {device}]: nothing can ever start there.',
    next: 'Write a number of devices instead of a percent, or raise the percent.',
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
  nothingCanStart: {
    says: '`apply` cannot start anything[: {requests} requests come before each start and take {seconds} s at {perSecond} a second, and what they show may be {limit} s old].',
    more: '[All of the {devices|device|devices} are read each time, since the service has no filter for maintenance, or does not honour the one that it is asked with.]',
    next: '[Name that filter under `service.dialect` as {key}, or set||Set] `service.pace.requestsPerSecond` to {enough=a higher pace}[ or more], where the service allows it.',
  },
};

/** The finer words that some findings bring as `problem`. */
const PROBLEM_WORDS: Readonly<Partial<Record<DiagnosticCode, Readonly<Record<string, string>>>>> = {
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
  exceptionOpens: {
    gate: 'a wave that waits for an approval',
    singleton: 'a set of one device',
    skipCanary: 'the waves behind the canary',
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

/** Every failure of the world. */
export const ERROR_WORDS: Readonly<Record<WorldCode, Entry>> = {
  credentialsMissing: {
    says: 'The credentials are not set[: {missing}].',
    next: 'Set FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, or FLEETFORM_CLIENT_ID_FILE and FLEETFORM_CLIENT_SECRET_FILE. They never stand in YAML.',
  },
  credentialsUnreadable: {
    says: 'The file of the credentials cannot be read[: {file}].',
    next: 'Check the path[ in {variable}] and that this user may read the file.',
  },
  credentialsRefused: {
    says: 'The service refused the credentials[ for organisation “{organization}”][ (status {status})].',
    next: 'Check FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET: one credential belongs to one organisation, and a new secret ends the old one.',
  },
  organizationUnknown: {
    says: 'The service knows no organisation[ “{organization}”].',
    next: 'Correct `service.organization`; it is the short name in the address of the console, in upper and lower case as written there.',
  },
  tokenUnreadable: {
    says: 'The service answered without a token[ in “{field}”].',
    more: '[The answer has: {found}.]',
    next: 'Name the field under `service.dialect.tokenField`, with dots where it is below another member; an empty text says that the answer is the token itself.',
  },
  baseUrlUnsafe: {
    says: 'fleetform does not send credentials to this address[: {baseUrl}][ {host}].',
    more: '[{why}]',
    next: 'Use https without user name, query or fragment; plain http is accepted for this machine alone (127.0.0.1).',
  },
  forbidden: {
    says: 'The service does not allow this user to do that[: {method} {path}][ (status {status})].',
    more: '[It needs the role {needs}.||The provider enables the interface for each account.]',
    next: 'Ask an administrator of the organisation to let this user do it, or the provider to enable it for the account.',
  },
  unreachable: {
    says: 'The service cannot be reached[ at {host}][ ({cause})].',
    next: 'Check the address in `service.baseUrl`, the name server and the network or proxy of this machine. This request never left it; run the same command again.',
  },
  tlsFailed: {
    says: 'The encrypted connection to the service failed[ ({cause})].',
    more: 'The certificate is not valid, not for this host, or not from an authority this machine trusts. fleetform never goes on without.',
    next: 'Check the clock of this machine and the address. For an authority of your own set NODE_EXTRA_CA_CERTS to its certificate.',
  },
  verificationOff: {
    says: 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the check of certificates off; fleetform does not run like that.',
    more: 'Whoever stands in between would read the credentials and could answer in the name of the service.',
    next: 'Unset it. For an authority of your own set NODE_EXTRA_CA_CERTS to the file with its certificate.',
  },
  proxyUnusable: {
    says: 'The address of the proxy in {variable=the environment} [is of a kind that is not known: {scheme}||cannot be read].',
    next: 'Write it as http://HOST:PORT or https://HOST:PORT, special characters of a user or password percent-encoded; or unset it, or name the host in NO_PROXY.',
  },
  proxyRefused: {
    says: 'The proxy does not open the way to the service[ at {host}][: it answers {status}].',
    more: 'Nothing was sent to the service.',
    next: 'With 407 put user and password into HTTPS_PROXY; otherwise let the proxy allow the host, or name it in NO_PROXY.',
  },
  timedOut: {
    says: 'The service did not answer in time[: {path}].',
    next: 'Run the same command again. If it happens often, look at the network and lower `service.pace`.',
  },
  cut: {
    says: 'The answer of the service ended before it was complete[: {path}][ ({cause})].',
    more: 'Half an answer is never used.',
    next: 'Run the same command again. If it happens often, a proxy between here and the service cuts answers.',
  },
  redirected: {
    says: 'The service answered with a redirect[ (status {status})][: {path}].',
    more: 'Redirects are refused, because the token must not go to another address.',
    next: 'Write the final address into `service.baseUrl`.',
  },
  notJson: {
    says: 'The answer is not JSON[ but {contentType}][: {path}].',
    more: 'That is what a login page, a proxy or a wrong address answers.',
    next: 'Check `service.baseUrl` and whether a proxy asks for a login.',
  },
  tooLarge: {
    says: 'The answer of the service is too large[: {path}].',
    next: 'Tell the provider; no page of this interface is that large. Nothing of it was used.',
  },
  unexpectedShape: {
    says: 'The answer of the service does not have the expected shape[: {path}][ at {at}].',
    next: 'Where the service uses other names, write them under `service.dialect`[; here the key is `{key}`]; `--trace FILE` records what it answers.',
  },
  unexpectedStatus: {
    says: 'The service answered with an unexpected status[ {status}][: {path}].',
    next: 'Run the same command again later. If it stays, record it with `--trace FILE` and tell the provider.',
  },
  tooManyRequests: {
    says: 'The service asks for fewer requests[: {path}].',
    next: 'Wait a few minutes and run again; lower `service.pace.requestsPerSecond` if others share the account.',
  },
  notFound: {
    says: 'The service does not know {what=what was asked for}[ “{id}”][: {path}].',
    more: 'It answers the same for what is gone and for what this user may not see.',
    next: 'Check the id, and whether this user sees the site. Run `fleetform plan` to read the fleet anew.',
  },
  idUnsafe: {
    says: 'The {what=id}[ “{id}”] cannot be part of an address[: {why}].',
    next: '[Correct `service.dialect.{key}`: this id is no number.||Check the id where it comes from; any letters, digits and signs are fine, blanks and slashes among them.]',
  },
  writeRefused: {
    says: 'This command only reads, and something in it tried to write[: {method} {path}].',
    next: 'Nothing was sent. Please report it with the command you ran.',
  },
  secretMissing: {
    says: 'The secret for a payload is not set[: {name}].',
    next: 'Set the environment variable[ {name}] where apply runs. Nothing was sent.',
  },
  filterNotHonoured: {
    says: 'The service ignored a filter[: {filter}][, as {id} has {found}].',
    more: 'It answered rows that do not match, so the rows would mislead.',
    next: 'Correct the spelling of the filter under `service.dialect`, or leave the filter out.',
  },
  filterUnknown: {
    says: 'There is no filter[ “{filter}”][ for {collection}].',
    more: '[Known: {known}.]',
    next: '[Did you mean “{suggestion}”?||Choose one of the known filters.]',
  },
  listTorn: {
    says: 'The list[ of {collection}] changed while it was read[ ({why})].',
    more: 'A device could be missing or counted twice, so nothing is concluded from it.',
    next: 'Run again in a quieter minute.',
  },
  permissionsChanged: {
    says: 'The service shows far fewer devices than before[: {gone|device|devices} of this plan cannot be read any more].',
    more: 'That looks like a change of permissions, not like devices that left.',
    next: 'Check which sites this user may see. If the devices are really gone, make a new plan.',
  },
  clockSkew: {
    says: 'The clocks of this machine and the service differ too much[: {seconds|second|seconds}].',
    next: 'Set the clock of this machine (NTP). Windows and deadlines would be wrong.',
  },
  planUnreadable: {
    says: 'The saved plan cannot be read[: {file}][ ({why})].',
    more: '[It stops being a plan at line {line}.]',
    next: 'Make a new one with `fleetform plan -o FILE`. Nothing was sent.',
  },
  planTampered: {
    says: 'The saved plan was edited or cut[: {file}].',
    more: '[Not right: {why}.]',
    next: 'Make a new plan and have it approved; a plan is never edited by hand. Nothing was sent.',
  },
  planExpired: {
    says: 'The saved plan has expired[, at {expiresAt}].',
    next: 'Make a new plan and have it approved. `plan --expires` sets how long one holds.',
  },
  planForeign: {
    says: 'The saved plan was made for another service or organisation[: for {made}, not {here}].',
    next: 'Apply it with the documents and credentials it was made with.',
  },
  planNotApproved: {
    says: 'This is not the plan that was approved[: {id} instead of {approved}].',
    more: '[The id is the one approved; the file is another: its digest is {digest}.]',
    next: 'Apply the approved plan, or have this one approved. Nothing was sent.',
  },
  planStale: {
    says: 'Nothing that was approved can still run: every device has changed since.',
    next: 'Make a new plan and have it approved.',
  },
  snapshotUnreadable: {
    says: 'The saved snapshot cannot be read[: {file}][ ({why})].',
    next: 'Make a new one.',
  },
  ledgerUnfit: {
    says: 'The place of the ledger does not do what a ledger needs[: {place}][ ({why})][: {cause}].',
    more: 'Without it two runs could act on one device. Nothing was sent.',
    next: 'Choose another place in `service.ledger`: a local disk, or a git remote where this user may push the branch and nobody may force it.',
  },
  ledgerBroken: {
    says: 'The ledger does not hold together[ at record {seq}][ ({why})].',
    more: 'A record was changed, lost or added by somebody else. No task is sent on such a ledger.',
    next: 'Restore the ledger from its last good copy, then run again. Do not delete it: what it knows keeps devices from being touched twice.',
  },
  ledgerForeign: {
    says: 'The ledger belongs to another service or organisation[: {place}].',
    next: 'Check credentials and `service`; each organisation has a ledger of its own.',
  },
  ledgerNewer: {
    says: 'The ledger was written by a newer fleetform[: {tool}][, record {seq}].',
    next: 'Update fleetform on this machine.',
  },
  ledgerRolledBack: {
    says: 'The ledger is older than what was seen before[: record {found} instead of {seen}].',
    more: 'It was restored from a copy, and what happened since is missing. No task is sent on such a ledger.',
    next: 'Bring the newest copy back.',
  },
  ledgerNotChosen: {
    says: 'In CI the ledger needs a place that lasts longer than the job.',
    next: 'Write `service.ledger: {store: git}` to keep it on a branch of the remote, or `{store: directory, path: ...}` with a path on a disk that lasts.',
  },
  storeFailed: {
    says: 'The ledger cannot be read or written[: {place}][ ({cause})].',
    next: 'Check free space, permissions and, for a remote, the network and the login. Nothing is attempted that could not be recorded.',
  },
  locked: {
    says: 'Another run holds the lock[: {label}][ on {host}][, process {pid}][, since {since}].',
    more: '[Its lease ends at {until}.]',
    next: 'Wait for it (`--lock-wait 10m`), or if it is dead for certain, go on with `fleetform apply --take-over`. `fleetform unlock --reason` stops it. Nothing was sent.',
  },
  leaseLost: {
    says: 'Another run took the lock over[: {label}][ on {host}].',
    more: 'This run stopped before its next task. What it had started is in the ledger.',
    next: 'Let the other run finish; it also looks after what this one started.',
  },
  postRefused: {
    says: 'The service refused the task[: status {status}].',
    next: 'Nothing was started. Look at the payload of the policy and at the names under `service.dialect`.',
  },
  confirmationMissing: {
    says: 'Nobody is there to confirm: this is not a terminal.',
    next: 'Look at the plan first, then add --yes. Nothing was sent.',
  },
  deviceUnknown: {
    says: 'No single device is called[ “{device}”].',
    more: '[It is the name of {matches} devices: {ids}.||It may be gone, or this user may not see it.]',
    next: '[Did you mean “{suggestion}”?||Give its id or its exact name; `fleetform get devices` lists them.]',
  },
  intentUnknown: {
    says: '[{matches} intents begin with “{intent}”||The ledger knows no intent “{intent=}”].',
    next: '`fleetform status` lists what is open, with the id of each intent.',
  },
  intentAtWork: {
    says: '[The task {taskId}||A task] still runs[ on {device}], so it cannot be said that it was not done.',
    more: '[Intent {intent}, attempted {since}.]',
    next: 'Wait for its end with `fleetform resume`. If the device shows that it was done, use --as done.',
  },
  intentClosed: {
    says: 'The intent[ {intent}][ on {device}] is closed already[: {verdict}][ since {since}].',
    next: 'Nothing is to be resolved. `fleetform plan` says what the device needs now.',
  },
  personUnknown: {
    says: 'Nobody is named: git has no user.name here.',
    next: 'Add --by NAME: the ledger keeps who said so.',
  },
  notARepository: {
    says: 'This folder is not in a git repository[: {path}].',
    next: 'Run it inside a clone, or leave out what compares with git.',
  },
  refUnknown: {
    says: 'git knows no commit[ “{ref}”].',
    next: 'Fetch it first: in CI check out with the full history.',
  },
  lineUnknown: {
    says: 'No entry stands [at {line}||there].',
    next: 'Write FILE:LINE as `plan` prints it, such as fleet/policies/firmware.yaml:5.',
  },
  policyUnknown: {
    says: 'Neither the documents nor the ledger know [a policy “{policy}”||that policy].[ Did you mean {near}?]',
    next: 'Write its address as `plan` prints it, such as firmware.axis-p32.',
  },
  artifactRefused: {
    says: 'The plan of the other job is refused[: {file}][, line {line}]: {why=it is not as we make them}.',
    next: 'Nothing of it is posted. Look at the run that made it; a pull request can run any code there.',
  },
  githubMissing: {
    says: 'This is no job of GitHub Actions[: {missing} is not set].',
    next: 'This command runs in a job of GitHub Actions; `fleetform init` writes workflows that call it.',
  },
  githubRefused: {
    says: 'GitHub refuses[ {what}][: status {status}][: its answer is {why}].',
    next: 'Check the permissions of the job: pull-requests or issues: write, and the token in GITHUB_TOKEN.',
  },
  githubUnreachable: {
    says: 'GitHub gave no answer[ ({cause})].',
    next: 'Run the job again: what was posted already is found and edited.',
  },
  fileExists: {
    says: 'The file is there already[: {file}].',
    next: 'Choose another name, or remove the file first; `init --force` replaces it.',
  },
  fileUnreadable: {
    says: 'The file cannot be read[: {file}][ ({cause})].',
    next: 'Check the path and that this user may read it.',
  },
  fileRefused: {
    says: 'fleetform does not use this file[: {file}].',
    more: '[{why}]',
    next: 'Name a plain file of your own, in a folder that you may write to; a trace goes into a new file, or into one that an earlier trace of yours is in.',
  },
  usage: {
    says: '{message=The command line is not understood}',
    next: '[Did you mean “{suggestion}”?||Run `fleetform --help`, or `fleetform COMMAND --help`.]',
  },
};

/** The finer words that some failures bring as `why`. */
/** A refused POST. */
const FORBIDDEN_TASK: Pick<Entry, 'more' | 'next'> = {
  more: 'The task needs the role {needs=Admin or Operator}, which the provider enables for each account.',
  next: 'Ask an administrator of the organisation to give this user the role {needs=Admin or Operator}, or the provider to enable it for the account.',
};

/** A refused list that planning does without. */
const FORBIDDEN_PATHS: Pick<Entry, 'more' | 'next'> = {
  more: 'The list of firmware paths needs the role Admin.',
  next: 'Ask an administrator of the organisation for the role Admin, or go without: `fleetform plan` falls back to the target firmware of each device by itself.',
};

/** What the service may not know, by the name of the read or of its list. */
const THINGS: Readonly<Record<string, string>> = {
  device: 'device',
  site: 'site',
  deviceSource: 'device source',
  task: 'task',
  deviceTasks: 'task',
  targetFirmware: 'the target firmware of device',
  vulnerabilities: 'the vulnerabilities of device',
  passwords: 'the passwords of device',
  certificates: 'the certificates of device',
  devices: 'the list of devices',
  sites: 'the list of sites',
  deviceSources: 'the list of device sources',
  discoveredDevices: 'the list of discovered devices',
  tasks: 'the list of tasks',
  firmwarePaths: 'the list of firmware paths',
};

/** Sentences for the finer codes of failures. */
const ERROR_WHYS: Readonly<Partial<Record<WorldCode, Readonly<Record<string, string>>>>> = {
  artifactRefused: {
    notAFile: 'it is not a regular file',
    tooLarge: 'it is larger than any plan',
    shape: 'it does not fit the schema of plans',
  },
  planTampered: {
    id: 'its id is not that of its changes',
    twice: 'it says something twice about one device and task',
    counts: 'its counts are not those of its changes',
    groups: 'what it says of its base is not what its changes say',
    waves: 'its waves are not those of its changes',
    verdicts: 'what it says of guardrails does not follow from its changes',
    risk: 'the risk of a change is not that of its task and device',
  },
  githubRefused: {
    shape: 'something that is no list',
    tooLong: 'more pages than any pull request has',
  },
  baseUrlUnsafe: {
    unreadable: 'It is not an address.',
    http: 'It is plain http: whoever sits on the way could read the token.',
    notHttps: 'It is neither https nor http.',
    origin: 'It is not the address that the documents name.',
    userinfo: 'It holds a user name or password.',
    query: 'It holds a query.',
    fragment: 'It holds a fragment.',
  },
  idUnsafe: {
    empty: 'it is empty',
    long: 'it is longer than 128 characters',
    unseen: 'it holds characters that nobody sees',
    dots: 'the dots in it would lead to another address',
    address: 'it does not survive as one part of a path',
  },
  fileRefused: {
    link: 'It is a link: what it points to may be anybody’s.',
    notPlain: 'It is no plain file, but a pipe, a device or a folder.',
    notOurs: 'It belongs to another user.',
    notTrace: 'It holds something else than a trace.',
    tooLarge: 'It is too large to hold a credential.',
    notWritable: 'Its folder is not there, or this user may not write to it.',
    folder: 'It is a folder.',
  },
  ledgerBroken: {
    chain: 'it does not follow from the one before',
    hole: 'a record is missing',
    content: 'it is not the record of its place',
    unreadable: 'it cannot be read',
    notALedger: 'that branch does not hold a ledger and nothing else',
  },
  ledgerUnfit: {
    create: 'nothing can be made there',
    refused: 'the remote refuses the push',
    bothWon: 'of two writers at once both won',
    noneWon: 'of two writers at once none won',
    remoteName: 'this is no name, address or path of a remote',
    branchName: 'this is no name of a branch',
    noClone: 'git has no clone here whose remote it could be',
    noRemote: 'this repository has no remote of that name',
    noGit: 'there is no git on this machine',
    fsync: 'it does not promise that a file is on disk',
    link: 'it cannot link files',
    overwrites: 'a second record takes the place of the first',
    readBack: 'what was written is not what is read',
  },
  listTorn: {
    overlap: 'the pages do not join',
    total: 'its total changed',
    duplicate: 'a row came twice',
    tooLong: 'it did not end',
    short: 'rows are missing',
  },
};

/** Which limit leaves no room, and what takes it up: what reads down by itself, what is at work, what this plan gave out. */
const ROOM: Phrase =
  '[: {limit} of {members} may be down][: at most {atOnce} may be at work at once]' +
  '[; {down|is|are} down now][ ({devices})]' +
  '[ · {atWork} at work][ · {inDoubt} in doubt][ · {unverified} unverified][ · {maintenance} in maintenance]' +
  '[ · {offline} offline][ · {unseen} not seen lately][ · {unreadable} not understood][ · {partial} partial][ · {unknown} of unknown state]' +
  '[; {given|is|are} taken by changes before it]';

/** Every reason; `next` is said where the reason itself has no instant. */
export const REASON_WORDS: Readonly<Record<ReasonCode, Entry>> = {
  notSelected: {
    says: 'no policy selects it',
    next: 'select it in a policy to bring it under management',
  },
  unmanaged: {
    says: 'named in a document, but not a managed device[: {entry}][ (the list was read in a {confidence})]',
    next: 'onboard it, or remove it from the list',
  },
  notDiscovered: {
    says: 'listed for onboarding[ {age} ago], not discovered yet[: {entry}][ (the list was read in a {confidence})]',
    next: 'as soon as a device source reports it; check the network and the entry',
  },
  unsupported: {
    says: 'the service cannot do this for the device',
    next: 'only when the service supports it',
  },
  notComparable: {
    says: 'the versions cannot be put in order[: {versions}]',
    next: 'write one exact version that the service lists for the device: `fleetform get target-firmware ID` shows them',
  },
  alreadyConverged: { says: 'as wanted', next: 'nothing to do' },
  blockedVendor: {
    says: 'the vendor[ {vendor}] is blocked',
    next: 'only when `blockVendors` no longer names it',
  },
  hold: {
    says: 'held by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  exclude: {
    says: 'excluded by exception {exception=of a document}[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  pinned: {
    says: 'at the version that exception {exception=of a document} pins[ until {until}]',
    next: 'when the exception ends or is removed',
  },
  frozenHard: {
    says: 'in hard freeze {freeze=of a document}[ until {to}]',
    next: 'when the freeze ends',
  },
  siteWithoutZone: {
    says: 'its site[ {site}] has no time zone',
    next: 'write `timeZone` for the site under `sites`',
  },
  notDue: { says: 'not due yet', next: 'when it falls due' },
  inDoubt: {
    says: 'the outcome of an earlier attempt is unknown[: {attempt}]',
    next: 'look at the device; `fleetform resume` asks it for evidence again',
  },
  quarantined: {
    says: 'set aside after earlier attempts',
    next: 'look at the device; another target or a raised generation starts anew',
  },
  busy: { says: 'something is going on at the device', next: 'when that has ended' },
  offline: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]offline',
    next: 'as soon as it is online',
  },
  unknown: {
    says: 'its status is not known to be online[: {status}]',
    next: 'as soon as it reads online',
  },
  rolloutPaused: {
    says: 'the rollout is paused[ by rule {rule}]',
    next: 'find out why; `fleetform resume --ticket T --reason R` lifts it, or a commit that changes the rollout',
  },
  rolloutAborted: {
    says: 'the rollout was aborted[ by rule {rule}]',
    next: 'change the policy to start a new one',
  },
  correlatedOutage: {
    says: 'many devices of the site went down together[: {down} of {of}][ at {site}]; that is the network',
    next: 'mend the network first',
  },
  waveNotOpen: {
    says: 'its wave[ {wave}] has not begun',
    next: 'when the waves before it are through',
  },
  gatePending: {
    says: 'the wave before has not passed its gate[ ({wave})]',
    next: 'when the gate is passed',
  },
  approvalPending: {
    says: 'its wave[ {wave}] waits for an approval',
    next: 'add an exception of type allow that opens the wave[, with gate {entry}]',
  },
  frozen: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]in freeze {freeze=of a document}[ until {to}]',
    next: 'when the freeze ends',
  },
  windowClosed: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]outside its window[ {window}][, which has to hold {hops|hop|hops} in a row]',
    next: 'change the window: it does not open within 400 days',
  },
  pastCutoff: {
    says: '[overdue since {dueSince}, {windowsMissed|window|windows} missed, too late from {breachesAt}; ]too late to start in window {window=now}[, {cutoff} before it closes at the latest][, for {hops|hop|hops} in a row]',
    next: 'change the window: within 400 days it leaves no room to start',
  },
  budgetExhausted: {
    says: `no room left in budget {budget=of a document}[ ({scope})]${ROOM}`,
    next: 'as soon as others are done; run again',
  },
  apiBudget: {
    says: 'too many requests come before its turn[: {requests} at {perSecond} a second][, and window {window} closes for starts before]',
    next: 'raise `service.pace`[, or widen window {window}]; the service has to allow it',
  },
  act: { says: 'wanted now', next: 'apply runs it' },
  stale: {
    says: 'changed since it was approved[: {field}]',
    next: 'make a new plan and have it approved',
  },
  left: { says: 'no longer selected by its policy', next: 'nothing to do' },
  gone: {
    says: 'the service no longer shows the device',
    next: 'check whether it was removed, or whether this user still sees its site',
  },
  interrupted: {
    says: 'the run was interrupted before its turn',
    next: 'run the same command again',
  },
  notReached: { says: 'the run ended before its turn', next: 'run the same command again' },
};

/** The finer words of reasons. They replace what the code says, and where given what to do. */
export const REASON_WHYS: Readonly<Record<ReasonWhy, { says: Phrase; next?: Phrase }>> = {
  taskUnavailable: {
    says: 'the service does not offer this task for the device',
    next: 'find out in the console why the task is not available',
  },
  noPath: {
    says: 'the service knows no way to the version[ {version}][ but through {hop}]',
    next: 'choose a version that the service offers for the device',
  },
  noTargetFirmware: {
    says: 'the service approves no such firmware for the device[: {version}]',
    next: 'when the service approves one, or never for an old model',
  },
  endOfSupport: {
    says: 'past its end of support, and the service approves no such firmware for it[: {version}]',
    next: 'replace the device, or exclude it',
  },
  downgrade: {
    says: 'the wanted version is older than the present one[: {version}]',
    next: 'write `downgrade: allow` with a ticket to go back',
  },
  valueUnknown: {
    says: 'the present value cannot be read[: {field}][, {problem}]',
    next: 'check the permissions of this user and the dialect',
  },
  ageNotShown: {
    says: 'the service does not know the date that the policy goes by[: {field}]',
    next: 'look at the device; `unknownAge: rotate` rotates such devices once',
  },
  enrichmentRequired: {
    says: 'the discovered device lacks information',
    next: 'complete it in the console; it needs a person',
  },
  archived: {
    says: 'the discovered device is archived',
    next: 'restore it in the console if it is wanted',
  },
  duplicate: {
    says: 'the entry matches more than one discovered device[: {ids}]',
    next: 'name the device by its id',
  },
  age: { says: 'not old enough yet' },
  spread: {
    says: 'due, but given its own day within the spread[ (not seen by an apply yet: {unseen})]',
  },
  deferral: {
    says: 'the version is deferred[ for {deferral}][; no apply has seen its {unseen}]',
    next: 'an apply has to see it approved first; from then on the time counts',
  },
  cooldown: { says: 'acted on not long ago' },
  backoff: { says: 'waiting after a failed attempt' },
  offlineGrace: {
    says: 'online again, and given some time to settle[ (not seen by an apply yet: {unseen})]',
  },
  symptomNotHeld: {
    says: 'the symptom shows, but not for long enough yet[; no apply has seen its {unseen}]',
    next: 'an apply has to see it first, and then see it again once it has lasted',
  },
  noSymptom: { says: 'without the symptom', next: 'nothing to do' },
  maxPerDay: {
    says: 'as many as the policy allows in 24 hours are taken[: {maxPerDay}]',
    next: 'within 24 hours; run again',
  },
  maxPerSite: {
    says: 'as many restarts as the policy allows at one site[: {maxPerSite}][ per {per}]',
    next: 'run again later',
  },
  firstDay: {
    says: 'new, and {task=another task} comes first',
    next: 'when that is done; run again',
  },
  retriesUsed: { says: 'all attempts are used up[: {attempts}]' },
  maxPerDevice: {
    says: 'done as often as the policy allows for one device[: {count} times]',
    next: 'look at the device: it needs a person',
  },
  escalated: {
    says: 'the symptom is back[ after {restarts|restart|restarts}]: it needs a person',
    next: 'look at the device; it is restarted again only after it has been well for a while',
  },
  ours: { says: 'a task of ours is still running on it[: {task}]' },
  foreign: { says: 'a task of somebody else is running on it' },
  soak: { says: '[wave {wave} soaks||left alone while its new firmware soaks]' },
  gap: { says: 'left alone between two actions[, the last {task}]' },
  maintenanceMode: {
    says: 'in maintenance mode',
    next: 'when maintenance mode is switched off in the console',
  },
  emptyWave: {
    says: 'no device of wave {wave} can be acted on',
    next: 'when a device of it can; or let the rollout begin with other devices',
  },
  minReached: {
    says: 'too few devices of wave {wave} were attempted yet',
    next: 'when more of them are online; run again',
  },
  minSuccess: {
    says: 'too few attempts of wave {wave} were verified',
    next: 'look at the devices that failed; it is paused if this lasts',
  },
  checks: {
    says: 'the checks of wave {wave} did not come out well often enough in a row',
    next: 'at the next runs of apply, each of which looks once',
  },
  canaryPace: {
    says: 'its age is not known; such devices go {most} at a time',
    next: 'when those before it are done; run again',
  },
  singleton: {
    says: 'the only device of its set in budget {budget=of a document}[ ({scope})]; its going down wants an approval',
    next: 'add an exception of type allow with `allow: {singleton: true}` that selects it',
  },
  noRoomEver: {
    says: 'budget {budget=of a document}[ ({scope})] leaves no room for any device of its set',
    next: 'change the budget; waiting does not help',
  },
  downAlready: {
    says: `devices that are down take up all of budget {budget=of a document}[ ({scope})]${ROOM}`,
    next: 'when enough of them are up again or settled, or once the budget allows more; no running task frees it',
  },
  versionDiffers: { says: 'the version is not the wanted one' },
  belowMinVersion: { says: 'the version is below the lowest one allowed' },
  nextHop: { says: 'one step on the way to the wanted version[, {target}]' },
  ageReached: { says: 'older than the policy allows' },
  renewalDue: { says: 'expires soon' },
  ageUnknown: { says: 'its age is not known' },
  generationRaised: { says: 'the generation was raised in git' },
  symptomHeld: { says: 'the symptom has lasted longer than the policy allows' },
  listed: { says: 'listed for onboarding' },
  matched: { says: 'discovered, and matched by the policy' },
  pinned: { says: 'exception {exception=of a document} pins another version' },
  expedited: { says: 'expedited by exception {exception=of a document}' },
  retry: { says: 'once more after a failed attempt' },
};

/** Each class of the report: what it is called, what it means, what to do next. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, Entry & { label: string }>> = {
  verified: {
    label: 'verified',
    says: 'done and read back from the device',
    next: 'nothing to do',
  },
  unverified: {
    label: 'unverified',
    says: 'the task succeeded, but the device does not show it',
    next: 'look at the device; it counts as down until it shows the target',
  },
  failed: {
    label: 'failed',
    says: 'the task failed',
    next: 'look at the step that failed; the next run tries again within its limits',
  },
  rolledBack: {
    label: 'rolled back',
    says: 'the device went back to what it had',
    next: 'look at the device; it is not tried again by itself',
  },
  aborted: {
    label: 'aborted',
    says: 'the task was aborted',
    next: 'find out who aborted it; it is not tried again by itself',
  },
  timedOut: {
    label: 'timed out',
    says: 'started, and not finished by its deadline',
    next: 'run the same command again: it goes on watching the task',
  },
  inDoubt: {
    label: 'in doubt',
    says: 'nobody knows yet whether it ran',
    next: 'look at the device; it is not repeated by itself. `fleetform resume` asks for evidence again, `fleetform resolve INTENT --as done|not-done --reason WHY` settles it',
  },
  skipped: {
    label: 'skipped',
    says: 'not done on purpose',
    next: 'see the reason',
  },
  notStarted: {
    label: 'not started',
    says: 'wanted, but not now',
    next: 'run the same command again when the reason has passed',
  },
};

/** What a person said of an intent, and what follows from it. */
export const RESOLUTION_WORDS: Readonly<Record<'done' | 'notDone', Pick<Entry, 'says' | 'next'>>> =
  {
    done: {
      says: 'it was done',
      next: 'nothing to do; the next plan takes the device as it reads',
    },
    notDone: {
      says: 'it was not done',
      next: 'run `fleetform plan`: it may be tried again, within the limits of its rollout',
    },
  };

/** Before the name of a run that ended without giving the lock back. */
export const FOLLOWED_WORDS = 'Took the lock over from';

/** What a person did to the lock of another run, and what follows from it. */
export const UNLOCKED_WORDS = {
  none: 'Nothing is locked, so nothing was done.',
  says: 'Unlocked. It was held by',
  next: 'that run makes no further attempt; `fleetform resume` looks after what it had started',
};

/** What is called timed out in data because its run ended first: it may well be in time. */
export const AT_WORK_WORDS: Entry & { label: string } = {
  label: 'at work',
  says: 'still at work when the run ended',
  next: 'run the same command again: it goes on watching the task',
};

/** The classes that a report, a note and an audit count in. */
export const CLASS_WORDS: Readonly<Record<RunClass, Entry & { label: string }>> = {
  ...OUTCOME_WORDS,
  converged: {
    label: 'right already',
    says: 'the device had it before anything was sent',
    next: 'nothing to do',
  },
  atWork: AT_WORK_WORDS,
  stale: {
    label: 'stale',
    says: 'the device is no more as the plan saw it',
    next: 'make a new plan',
  },
};

export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  run: 'to run',
  wait: 'to wait',
  skip: 'skipped',
  note: 'without change',
};

/** Whose wish a change is, where a plan was compared with another commit. */
export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  branch: 'caused by the documents since then',
  dropped: 'no longer to be done',
  pending: 'pending already',
  clock: 'due by the clock alone',
};

/** What a plan is of where its branch lacks commits of the base. `{base}` is its name, `{left}` where they parted. */
export const BEHIND_WORDS: Readonly<Record<Behind['is'], Phrase>> = {
  merged:
    '{base} has {lacks|commit|commits} that this branch lacks. The plan is of what merging both gives.',
  conflict:
    '{base} has {lacks|commit|commits} that this branch lacks, and they conflict with it in {files}. The plan is of the branch as it is, compared with {left}, where it left {base}. Merge or rebase, and plan again.',
  gitTooOld:
    '{base} has {lacks|commit|commits} that this branch lacks, and this git is too old to tell what merging both gives: that takes 2.38. The plan is of the branch as it is, compared with {left}, where it left {base}.',
  failed:
    '{base} has {lacks|commit|commits} that this branch lacks, and git could not merge them. The plan is of the branch as it is, compared with {left}, where it left {base}.',
  unrelated:
    'This branch and {base} have no commit in common here, so that work of {base} may be told as caused by the branch. Fetch the whole history, and plan again.',
};

/** What the gaps of `BEHIND_WORDS` take; undefined where the branch has all of its base. */
export function behindParams({ ref, commit, behind }: PlanBase): Params | undefined {
  if (!behind) return undefined;
  const { lacks, files = [] } = behind;
  const named = files.slice(0, FILES_NAMED).join(', ');
  const more = files.length > FILES_NAMED ? `, … (${files.length} files)` : '';
  return { base: ref, lacks, left: commit.slice(0, 12), files: named + more };
}

const FILES_NAMED = 5;

export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  config: 'the documents want it',
  drift: 'the device drifted',
  clock: 'its time has come',
  onboarding: 'a new device',
  detection: 'a symptom was seen',
  retry: 'a retry',
};

/** `1a2b3c4d5e6f Ada Lovelace 2026-11-03: Move the P32 cameras`, or why nobody can be named. */
export function originWords(origin: LineOrigin): TerminalText {
  if (origin.is === 'notCommitted') return say`not committed yet`;
  if (origin.is === 'cutOff')
    return say`a commit that this shallow clone does not have; fetch the whole history to see it`;
  const { commit, author, subject, at } = origin;
  const [id, day] = [commit.slice(0, 12), at.slice(0, 10)];
  return say`${terminal(id)} ${terminal(author)} ${terminal(day)}: ${terminal(subject)}`;
}

/** How an entry bears on devices. */
export const GOVERNING_WORDS: Readonly<Record<Governing, string>> = {
  wins: 'its wish holds',
  exempts: 'it changes the wish',
  uses: 'the wish goes by it',
  loses: 'another policy wins',
  member: 'belongs to it',
};

export const RISK_WORDS: Readonly<Record<Risk, string>> = {
  low: 'low risk',
  medium: 'medium risk',
  high: 'high risk',
};

export const TASK_WORDS: Readonly<Record<TaskType, string>> = {
  upgradeFirmware: 'Upgrade firmware',
  rotatePassword: 'Rotate password',
  rotateSslCertificate: 'Rotate SSL certificate',
  restartDevice: 'Restart',
  onboardDevice: 'Onboard',
};

/** What a limit counts, and how to let a plan through that is meant. */
export const LIMIT_WORDS: Readonly<Record<GuardrailLimit, Phrase>> = {
  maxPercentOfFleet: '{number} of {of=all} devices of the fleet; at most {allowed}',
  maxChanges: '{number|change|changes}; at most {allowed}',
  maxPercentOfSite: '{number} of {of=all} devices of {scope=one site}; at most {allowed}',
  maxSitesAtOnce: '{number|site|sites} at once; at most {allowed}',
  maxVanished:
    '{number|device is|devices are} no longer shown, of {of=those} in the last run that attempted anything; at most {allowed}',
};
export const WAY_OUT: Phrase =
  'select fewer devices, or add an exception of type allow for {limit} with a ticket';

/** Where selecting fewer devices would not help. */
export const OTHER_WAY_OUT: Readonly<Partial<Record<GuardrailLimit, Phrase>>> = {
  maxVanished:
    'check which sites this user may see; if the devices are really gone, add an exception of type allow for {limit} with a ticket',
};

export const PHASE_WORDS: Readonly<Record<IntentPhase, string>> = {
  open: 'attempted, answer not recorded yet',
  running: 'running',
  inDoubt: 'in doubt',
  failed: 'failed, may be tried again',
  none: 'not started',
  closed: 'closed',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  done: 'done',
  unverified: 'not shown by the device',
  failed: 'failed',
  rolledBack: 'rolled back',
  aborted: 'aborted',
  notDone: 'not done',
  unknown: 'never known',
};

export const POST_WORDS: Readonly<Record<PostOutcome, string>> = {
  notSent: 'not sent',
  accepted: 'accepted',
  rejected: 'refused',
  inDoubt: 'in doubt, no clear answer',
};

/** How a detail is said, and what to do where the outcome alone does not know. */
export interface DetailEntry {
  readonly says: Phrase;
  readonly next?: string;
}

/**
 * Details of endings that are codes of ours: rows of the outcome table, alone or with a status
 * that has words of its own, and why something is unverified or in doubt.
 */
export const DETAIL_WORDS: Readonly<Record<string, DetailEntry>> = {
  onTheWay: { says: 'a version on the way is installed and verified; the next is still to come' },
  P01: { says: 'the service could not be reached' },
  P02: { says: 'the connection was refused before the request' },
  P03: { says: 'accepted' },
  P04: { says: 'the answer[ ({status})] had no usable task id' },
  P05: {
    says: 'the service refused the token[ ({status})]',
    next: 'check the credentials, then run the same command again',
  },
  P06: {
    says: 'the service refused the task[ ({status})]: nothing was started',
    next: 'look at the payload of the policy and at the names under `service.dialect`',
  },
  'P06 403': {
    says: 'the service refused the task (403): it needs the role Admin or Operator, which the provider enables for each account',
    next: 'ask an administrator of the organisation for the role, or the provider to enable it',
  },
  P07: { says: 'the service asked for fewer requests' },
  P08: { says: 'the service refused the batch[ ({status})], part of it may run' },
  P09: { says: 'the refusal was cut off' },
  P10: { says: 'the service answered with an error[ ({status})], the task may run' },
  P11: { says: 'the answer was lost, the task may run' },
  P12: { says: 'the run ended before the answer was recorded' },
  mismatch: { says: 'the device shows something else' },
  noFreshRead: { says: 'no reading newer than the task' },
  notOnline: { says: 'the device did not come back online' },
  asItWas: {
    says: 'the device still has what it had long after the attempt: nothing ran',
    next: 'run the same command again: it may be tried anew, within the limits of its rollout',
  },
  noEvidence: { says: 'the device never showed whether it ran' },
  taskLost: { says: 'the service no longer shows the task' },
  lost: {
    says: 'its task has not ended for longer than `timeouts.lost`: a person has to look',
    next: 'look at the device; if it shows that it was done, `fleetform resolve INTENT --as done --reason WHY` closes it',
  },
};

/** Where the detail is the step at which the task went wrong: the service's name for it. */
export const STEP_WORDS: Readonly<Partial<Record<Outcome, Phrase>>> = {
  failed: 'failed at step “{detail}”',
  rolledBack: 'went back at step “{detail}”',
  aborted: 'aborted at step “{detail}”',
};

/** Why a run ended before its work did. */
export const ENDED_WORDS: Readonly<Record<NonNullable<RunReport['ended']>, Entry>> = {
  interrupted: {
    says: 'The run was interrupted. What was on the wire is finished and recorded.',
    next: 'Run `fleetform {command=apply}` again: it goes on where this one stopped.',
  },
  guardrail: {
    says: 'A guardrail refused the plan. Nothing was started.',
    next: 'Select fewer devices, or add an exception of type allow with a ticket.',
  },
  unfit: {
    says: 'The service or the ledger is not fit to go on.',
    next: 'Mend what the message above names, then run `fleetform {command=apply}` again.',
  },
  locked: {
    says: 'Another run holds or took the lock.',
    next: 'Wait for it (`--lock-wait 10m`), or use --take-over if it is dead for certain.',
  },
  stale: {
    says: 'Nothing that was approved can still run.',
    next: 'Make a new plan and have it approved.',
  },
  error: {
    says: 'The run stopped at an error. What was started is recorded.',
    next: 'Mend the error above, then run `fleetform {command=apply}` again.',
  },
};

/** What each exit code means; its number is the index. `command` is the one that is to be run again. */
export const EXIT_WORDS: readonly Entry[] = [
  { says: 'done, or nothing to do', next: 'nothing to do' },
  { says: 'an error', next: 'see the message above' },
  { says: 'the plan has changes', next: 'review the plan, then run `fleetform apply`' },
  { says: 'refused by a guardrail', next: 'select fewer devices, or allow it with a ticket' },
  { says: 'finished, some devices failed', next: 'look at the devices listed as not verified' },
  {
    says: 'something is in doubt',
    next: 'look at the devices in doubt, then run `fleetform resume` or `fleetform resolve`',
  },
  { says: 'locked by another run', next: 'wait for the other run' },
  { says: 'work is left', next: 'run `fleetform {command=apply}` again' },
  { says: 'the plan is stale or not the approved one', next: 'make a new plan' },
  { says: 'the ledger or the service is unfit', next: 'mend it, then run again' },
];

/** The next step where work is left: when the next of it may start, or that a person has to act before it. */
export const LEFT_WORDS = {
  from: 'run `fleetform {command=apply}` again from {at}: the first of {left|change|changes} may start then',
  person: 'a person has to act first, nothing of it starts by itself: {todo}',
} as const satisfies Readonly<Record<string, Phrase>>;

/** The next step after a run; `command` is what ran, and may go on. */
export function goOnWords(next: Phrase, command = 'apply'): string {
  return fill(next, { command }, String);
}

/** What each per-device read is about. */
export const READ_WORDS: Readonly<Record<Read, string>> = {
  targetFirmware: 'the firmware that the service approves',
  passwords: 'when the password changed',
  certificates: 'the certificate in use',
};

export const STANDING_WORDS: Readonly<Record<Why['standing'], string>> = {
  managed: 'a managed device',
  discovered: 'discovered, not managed yet',
  unknown: 'not shown by the service: it may be gone, or this user may not see it',
};

/** The English of a code from a file or the service; the code itself where this version does not know it. */
export function wordOr(words: Readonly<Record<string, string>>, code: string): string {
  return wordOf(words, code) ?? code;
}

/** What an unknown limit of a guardrail counts. */
export const UNKNOWN_LIMIT: Phrase = '{limit}: {number}[ of {of}][ at {scope}]; at most {allowed}';

/** The English of a code that may be a word of the service's: then undefined. */
export function wordOf<Word>(
  words: Readonly<Record<string, Word>>,
  code: string,
): Word | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}

/** What apply asks on a terminal before it starts. */
export function askWords(run: number, wait: number): string {
  const later = wait === 0 ? '' : ` ${counted(wait, 'change')} wait for now.`;
  return `Run ${counted(run, 'change')}?${later} Only “yes” starts it: `;
}

/** What apply says when the answer was not yes. */
export function declinedWords(): string {
  return 'Nothing was started. The same command asks again.';
}

/** A plan in a repository that does not have the remote yet that the ledger is to be on. */
export function noRemoteWords(place: string): TerminalText {
  return say`This repository does not have the remote of the ledger (${terminal(place)}). The plan takes the ledger for empty, as it is before the first run, and cannot be saved. Add the remote with \`git remote add\`, or set \`service.ledger\`.`;
}

/** What a writing command says in CI where something keeps the signals of a cancelled job from it. */
export function launcherWords(launcher: string): string {
  return `Started by ${launcher} in CI: a cancelled job does not reach this process, which is then cut off or runs on. Nothing is done twice either way; to let it finish cleanly start it with \`exec\`, as \`exec node_modules/.bin/fleetform apply\`.`;
}

/** What plan says once the plan is in a file; one that a guardrail refuses is not for apply. */
export function savedWords(saved: {
  readonly file: string;
  readonly id: string;
  /** Of the file: who passes it on, too, binds its expiry and everything else in it. */
  readonly digest: string;
  readonly refused: boolean;
}): readonly TerminalText[] {
  const file = terminal(saved.file);
  const approved = terminal(`${saved.id}:${saved.digest}`);
  const apply = say`\`fleetform apply ${file} --approved ${approved}\` to run it`;
  const next = [say`\`fleetform show ${file}\` to review it`, ...(saved.refused ? [] : [apply])];
  return [say`Saved to ${file}.`, say`next: ${join(next, ', then ')}`];
}

/** What a read that came to nothing does next. */
export function retryWords({ tried, most }: { readonly tried: number; readonly most: number }) {
  return `no good answer from the service, trying again: ${tried + 1} of ${most}`;
}

const FILTER_FAILS: Readonly<Record<Unfiltered, (filter: string) => string>> = {
  ignored: (filter) => `the service ignored the filter ${filter}`,
  refused: (filter) => `the service refused the filter ${filter}`,
  empty: (filter) =>
    `the service shows no device for the filter ${filter}, though there were when the fleet was read`,
  untried: (filter) =>
    `nothing that was read tells whether the service honours the filter ${filter}`,
};

/** What a run does where a filter is no help, said once. */
export function unfilteredWords(event: Extract<Progress, { readonly kind: 'unfiltered' }>): string {
  const { filter, why } = event;
  const what = `${FILTER_FAILS[why](filter)}, so all rows are read and looked at before each start`;
  const isMaintenance = filter.includes('maintenanceMode=');
  return isMaintenance
    ? `${what}; \`service.dialect.filterMaintenanceMode\` names the filter, or says "" that there is none`
    : what;
}

/** What a reading does where the list of upgrade paths is no help, said once. */
export function pathsUnreadWords({ code, params }: Pick<WorldError, 'code' | 'params'>): string {
  const { summary } = errorWords(code, params, String);
  const key = typeof params['key'] === 'string' ? params['key'] : 'firmwarePathsListField';
  return `the list of upgrade paths is left alone, and targetFirmware is read for each kind of device instead: ${summary.replace(/\.$/, '')}; \`service.dialect.${key}\` corrects its names, and firmwarePathsListField: "" says that there is none`;
}

/** What a run does while the service, or the store of the ledger, gives nothing of use. */
export function awayWords(
  { failure, until, givenUpAt }: Extract<Progress, { readonly kind: 'away' }>,
  now: Instant,
): string {
  const { summary } = errorWords(failure.code, failure.params, String);
  const end = moment(Math.max(until, givenUpAt));
  return `${summary.replace(/\.$/, '')}; asked again in ${span(until - now)}, given up about ${end}`;
}

/** What a run waits for. */
export const WAIT_WORDS: Readonly<
  Record<Extract<Progress, { readonly kind: 'waiting' }>['why'], string>
> = {
  poll: 'the tasks are at work',
  verify: 'the devices are to show what was done',
  pace: 'the service asks for fewer requests',
  lock: 'another run holds the lock',
  window: 'a window has to open',
  freeze: 'a freeze has to end',
  hold: 'an exception has to end',
  soak: 'a wave or a device soaks',
  rest: 'a device is busy, or rests between two tasks',
  room: 'budgets leave no room; the fleet is read again then',
  due: 'something has to fall due',
};

/** What is left alone since it was not understood, for the first lines of a plan; nothing where all was. */
export function notUnderstoodWords(
  counts: readonly { readonly field: string; readonly count: number }[],
): string | undefined {
  if (counts.length === 0) return undefined;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const fields = counts.map(({ field, count }) => `${field} ${grouped(count)}`).join(', ');
  return `${counted(total, 'change')} skipped: the answer of the service was not understood (${fields})`;
}

/** Why a read gave nothing. */
const READ_PROBLEM_WORDS: Readonly<Record<ReadProblem, string>> = {
  notFound: 'the service does not know it',
  forbidden: 'this user may not read it',
  unreadable: 'the answer could not be understood',
  notRead: 'it was not read',
};

/** What the world did that it must not do. */
export const ANOMALY_WORDS: Readonly<Record<string, string>> = {
  foreignDevices: 'a task names devices that were not in its batch',
  foreignUser: 'a task of this run is shown as the task of another user',
  taskLost: 'the service no longer shows a task that it had accepted',
};

/** A broken promise of our own, and what to do about it. */
export const BUG_SAYS = 'fleetform broke a promise of its own and stopped.';
export const BUG_NEXT =
  'Please report it with these lines and the command you ran. What was started is in the ledger; the same command goes on from there.';
