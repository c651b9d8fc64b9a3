import type { Params } from '../error.ts';
import type { SourceLocation } from './source.ts';

/**
 * The errors and warnings that documents can have, and the params of each (`?`: present only where
 * it is known). Codes are stable, because tickets and searches contain them. `render/words.ts` has
 * the English of each, with the next step. `key` is the key as written, `suggestion` the nearest
 * valid name, `allowed` the valid values, joined with `, `; `within` is the address of the mapping
 * (`firmware.axis-p32`).
 */
export const DIAGNOSTIC_CODES = [
  // files
  'fleetMissing', // folder, kind, target
  'fleetEmpty', // folder
  'fileTooLarge', // bytes, limit
  'tooManyFiles', // count, limit
  'fleetTooLarge', // bytes, limit
  'notAFile', // name
  'nameNotRead', // name
  'linkLeavesFleet', // name
  'linkNotRead', // name, problem (`nothing`, `folder`, `document`), target? (in the fleet)
  'caseClash', // name, other
  'includeRefused', // folder, problem (`form`, `outside`, `name`, `own`, `twice`, `many`, `missing`)
  'includeTwice', // related: the first
  'notShared', // entry (its address, or `include`)
  'notUtf8', // offset
  'forbiddenCharacter', // character (`U+202E`)
  'nestedTooDeep', // limit
  // YAML
  'syntax', // problem (`quoteOpen` and the like, else the parser's code), key? (the one that it is at), from?, to? (lines)
  'duplicateKey', // key; related: the first
  'mergeKey', // -
  'customTag', // tag
  'tooManyAliases', // count, limit
  'aliasLoop', // anchor
  'severalDocuments', // -
  'refusedKey', // key
  'unquotedStar', // text
  // shape
  'unknownKey', // key, within, allowed, suggestion?
  'missingKey', // key, within
  'wrongType', // expected, found, key?, example?
  'quoteIt', // text, key?, example? (what the field wants)
  'notAllowed', // key, beside? (`type: pin`)
  'badValue', // value, allowed?, suggestion?, type?
  'taskNotOffered', // value, allowed
  'badName', // name, section
  'excludesEachOther', // key, other
  'reservedVariable', // name
  'oneOfRequired', // keys, within
  'empty', // key
  'outOfRange', // value, rule (`>=`, `<=`, `>`, `<`), limit
  // values
  'badDuration', // value
  'badInstant', // value, key?, example?, problem? (`day`: it has the form, and is on no calendar)
  'badZone', // value, suggestion?
  'badCron', // value, problem (`fields`, `value`, `range`, `word`, `bothDays`)
  'badPercent', // value
  'badVersion', // value, problem (`latest`, `pattern`, `notExact`, `misspelt`), example? (of what it may be)
  'badUrl', // value, problem (`pattern`, `scheme`, `userInfo`, `query`, `fragment`), variables? (in its place)
  'looksLikeSecret', // key, reference? (what a payload may hold in its place), variables? (likewise)
  // across documents
  'duplicateName', // section, name, isMixed? (one of the two is shared); related: the first
  'overrideNothing', // section, name, suggestion?
  'serviceMissing', // -
  'serviceTwice', // folder?, beside?; related: the first
  'serviceShared', // organization, folder (of the other fleet); related: its service
  'siteNotListed', // written, suggestion (an entry of `sites`)
  'fillIn', // count (of placeholders in the file)
  'nameUnknown', // section, name, suggestion?
  'reservedName', // section, name
  'unknownDialectKey', // key, suggestion?
  'windowless', // policy
  'windowForOthers', // policy, window, task; related: the `task` of the window
  'leapDay', // freeze
  'noCanary', // rollout, policy, devices, limit
  'lastWaveNotAll', // rollout
  'wavesNotRising', // rollout, percent, before
  'batchTooLarge', // batch, limit; related: the limit, where it is written
  'stopWithoutCanary', // rollout
  'noStopRule', // rollout
  'soakShort', // rollout, soak
  'exceptionWithoutExpiry', // exception; against the clock also until, limit, latest
  // exception, version, policy, minVersion; against the fleet also count, device; related: the floor
  'pinBelowFloor',
  'ticketMissing', // policy
  'listedTwice', // entry; related: the first
  'versionBelowFloor', // version, minVersion
  'headStartTooLong', // headStart, maxAge
  'spreadTooLong', // policy, spread, expiryGuard?, ahead
  'renewalLoop', // policy, renewBefore; against the live fleet also life, device, count
  'maintenanceIncluded', // policy
  'renameExists', // policy, name; related: the policy that has it
  'renameTwice', // policy, name; related: the first
  'renameOfOther', // policy, name, section
  'afterCycle', // policy, cycle (the addresses, joined); related: the other `after`
  'nameTaken', // policy, present (the policy that had the name before)
  'preapprovedUnusual', // policy, section
  'approvalWithoutGate', // problem (`directory`, `forge`), host?
  'ownersMissing', // files
  // against the live fleet
  'conflict', // policy, other, count?, want?, otherWant?, differs? (where these are equal)
  'selectsNothing',
  // policy, problem (what becomes of them: `held`, `frozen`, `counted`, `member`, `leftOut`, `laterWave`), count,
  // devices (some ids, joined), field? or version? and other? (of the first)
  'selectorUnclear',
  'notDiscoveredYet', // policy, entry, and since, expectWithin or onboarded
  'pastDeadline', // policy, count, device, version, deadline (the first)
  'canaryTooLarge', // rollout, policy, model, inCanary, devices
  'canaryMisses', // rollout, policy, count, kinds (some, each with its devices, joined), devices
  'joinsLate', // rollout, policy, devices
  'stopNeverTrips', // rollout, policy, waves (joined)
  'siteUnknown',
  'namesSeveral', // written, count, sites, devices
  'nameNotShown', // what (site, source, or the key of a text), written, suggestion?, list? (what `get` has it in); policy, rollout or protects
  'groupEmpty', // written
  'tagUnknown', // written, suggestion?; policy, rollout or protects
  'siteTwice', // site, id; related: the entry by its name
  'deviceUnknown',
  'nameNotUnique',
  'exceptionEnded', // name, until, type?, count? (changes that act because of it), devices? (some ids, joined)
  'exceptionEnding', // name, until, type, count, devices (some ids, joined)
  // name, problem (what it opens: `gate`, `singleton`, `skipCanary`, `budget`, `expedite`,
  // `expediteCanary`), count, devices (some ids, joined), wave?, rollout?
  'exceptionOpens',
  'exceptionWithoutEffect', // name
  'singletonBlocked', // budget, sets, set and device (one of them), entry? (what would open it)
  'percentIsZero', // budget, sets, set and device (one of them)
  'orderStated', // policy, older, newer, problem (`unknown`, `reversed`), count, device
  // policy, after, count, devices (some ids, joined): what `after` does not wait for, and where
  'afterLeavesOut',
  'afterHasNone', // policy, after, sites, site (one of them)
  'generationLowered',
  'generationAtFirst', // policy, generation, count
  'fieldNotMapped',
  'effectNotShown', // policy, count
  'valueUnreadable', // field, count, devices (some ids, joined), key? (of the dialect)
  'approvalLapsed', // commit (approved, and no longer in the history)
  'approvalStillPlan', // commit (approved last; its documents ask for a plan)
  'nothingCanStart', // requests, seconds, perSecond, enough, devices, unfiltered?, key?
  'ledgerLost', // found, seen (numbers of the last record)
  'clocksDiffer', // seconds
  'factsTooSlow', // count (wanted), perDay
  'factsContradicted', // kind (`password`, `certificate`), device?, count? (other stored dates)
  'incidentAhead', // incident, since
  'incidentExpectsMore', // incident, expect, count (selected)
  'incidentDone', // incident, count
  // XXoffline?, devices? (named), waiting?, blocked?, policy? (not all are named), late? and until?
  'incidentForecast',
  // against the clock; some also against the live fleet, which adds `count` and `device`
  'cronNever', // window, cron
  'windowNeverOpens', // policy, windows, days, from, to (nothing may start between), zone?; count?, device?
  // policy, windows, cutoff (the part that is known), open (when the longest window opens), length;
  // count?, device?
  'cutoffTooLong',
  'freezeTooLong', // freeze, length, maxLength, from, to
  'freezeGap', // freeze, other, length, least; related: the other
  'floorBroken', // policy, windows, time, least, per, from, to
  'openAllDay', // policy, windows
  'maxAgeTooShort', // policy, maxAge, from, to (nothing can start between)
  // rollout, policy, attempts, after (the first one, at the latest), room; related: windows of the policy
  'retriesOutlastWindow',
  'siteWithoutZone', // site, window? or freeze?; count?, device?
  'unreachableBeforeExpiry', // policy, count, device, from (when it falls due), to, freeze? and freezeAt
  'unreachableBeforeDeadline', // policy, count, device, from (when it falls due), to, freeze? and freezeAt
  'approvalTooShort', // policy, count, device, wave, expires, end? (absent: not within the horizon)
  'lateForecast', // policy, count, device, wave, deadline, end? (absent: not within the horizon)
  // guardrail, limit, number, allowed, day (the first such one), policy? (the one that counts most)
  'guardrailAhead',
  'singleChance', // policy, count, device, open (when the window opens), from (when it falls due), to
] as const;

export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];
export type Severity = 'error' | 'warning';

type Place = SourceLocation & { readonly length?: number };

/** An error or a probable error of the user: a value that is collected and never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Absent where no file has the error. `length` is the length of the underline, in characters. */
  readonly at?: Place;
  readonly params: Params;
  /** Related places: the first definition of a duplicate, the other policy of a tie. */
  readonly related?: readonly SourceLocation[];
}

export function error(code: DiagnosticCode, at: Place, params: Params = {}): Diagnostic {
  return { code, severity: 'error', at, params };
}

/** A warning: probably a mistake, but allowed. */
export function warning(code: DiagnosticCode, at: Place, params: Params = {}): Diagnostic {
  return { code, severity: 'warning', at, params };
}

/** The findings that refuse policies (semantics K27), which are in `refuses` by their addresses. */
export function findRefusing(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ params }) => params['refuses'] !== undefined);
}

/** The policies that they refuse; pins that contradict each other refuse their devices alone. */
export function refusedBy(found: readonly Pick<Diagnostic, 'params'>[]): ReadonlySet<string> {
  return new Set([...refusedEntries(found)].filter((each) => !each.startsWith('exceptions.')));
}

/** The same with such pins. */
export function refusedEntries(found: readonly Pick<Diagnostic, 'params'>[]): ReadonlySet<string> {
  const lists = found.flatMap(({ params: { refuses } }) => refuses ?? []);
  return new Set(lists.flatMap((list) => String(list).split(', ')));
}

/** Whether problems include an error. */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
