import { type Change, type Values, changeId } from '../../model/plan/change.ts';
import { ACTIONS, CAUSES, GROUPS, RISKS } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { BEHIND, PLAN_VERSION } from '../../model/plan/plan.ts';
import { FORECAST_GAPS } from '../../model/plan/plan-forecast.ts';
import { SCOPE_PROBLEMS } from '../../model/plan/scope.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { parseInstant } from '../../lib/time.ts';
import { isObject } from '../../lib/objects.ts';

/** Whether a value from a file has the shape of a change; its content may still be wrong. */
export function isChange(value: unknown): value is Change {
  if (!isObject(value) || !isObject(value.device)) return false;
  const { device, task } = value;
  return (
    isOneOf(TASK_TYPES, task) &&
    isLabel(device) &&
    value.id === changeId(task, String(device.id)) &&
    isAt(value.at) &&
    isDecided(value) &&
    isBound(value) &&
    isListOf(value.losers ?? [], isAt)
  );
}

function isDecided({
  action,
  cause,
  risk,
  reason,
  group,
  covered = true,
  countedFrom = 0,
  lines = [],
}: Fields): boolean {
  return (
    isOneOf(ACTIONS, action) &&
    isOneOf(CAUSES, cause) &&
    isOneOf(RISKS, risk) &&
    (group === undefined || isOneOf(GROUPS, group)) &&
    covered === true &&
    typeof countedFrom === 'number' &&
    isListOf(lines, isPlace) &&
    isReason(reason)
  );
}

function isBound(change: Fields): boolean {
  const {
    before,
    after,
    target,
    marker,
    generation,
    payload = '',
    outcome = '',
    wave = '',
    passes = [],
  } = change;
  const { window = { name: '' } } = change;
  return (
    typeof payload === 'string' &&
    typeof outcome === 'string' &&
    typeof wave === 'string' &&
    isWindow(window) &&
    isListOf(passes, isPassed) &&
    isValues(before) &&
    isValues(after) &&
    typeof target === 'string' &&
    typeof marker === 'string' &&
    typeof generation === 'number'
  );
}

/** A rule that this version does not know is shown as it is. */
function isPassed(value: unknown): boolean {
  return isObject(value) && areTexts({ name: '', ...value }, ['what', 'name', 'rule']);
}

function isWindow(value: unknown): boolean {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  const { zone = '', opens = '' } = value;
  return typeof zone === 'string' && typeof opens === 'string';
}

/** Whether a value from a file has the shape of a plan without its changes. */
export function isPlanHead(value: unknown): value is Omit<Plan, 'changes'> {
  return (
    isObject(value) &&
    value.version === PLAN_VERSION &&
    typeof value.id === 'string' &&
    areInstants(value, ['evaluatedAt', 'expiresAt']) &&
    isInputs(value.inputs) &&
    isObject(value.counts) &&
    areCounts(value.counts, ACTIONS) &&
    isListOf(value.notes, isNote) &&
    isListOf(value.waves, isWave) &&
    isListOf(value.verdicts, isVerdict) &&
    isListOf(value.warnings, isFinding) &&
    (value.coverage === undefined || isCoverage(value.coverage)) &&
    areFurther(value)
  );
}

function areFurther({
  origins = [],
  authors = [],
  pauses = [],
  hours,
  base,
  part,
  forecast,
}: Fields): boolean {
  return (
    (part === undefined || isPart(part)) &&
    isListOf(origins, isObject) &&
    isListOf(authors, isEntryAuthors) &&
    isListOf(pauses, isPause) &&
    (hours === undefined || isHours(hours)) &&
    (base === undefined || isBase(base)) &&
    (forecast === undefined || isForecast(forecast))
  );
}

function isCoverage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { seen, offered, known = {}, gone = 0, notOffered, oldest = EPOCH, due = NO_DUE } = value;
  const areCounted = [seen, offered, known, notOffered].every(
    (each) => isObject(each) && areCounts(each, Object.keys(each)),
  );
  return (
    areCounted &&
    areCounts({ ...value, gone }, COVERED) &&
    areInstants({ oldest }, ['oldest']) &&
    isListOf(value.person, (id) => typeof id === 'string') &&
    isListOf(value.acknowledged, isExceptedCount) &&
    isListOf(value.excluded, isExceptedCount) &&
    isObject(due) &&
    areTexts({ zone: '', ...due }, ['policy', 'zone']) &&
    areInstants(due, ['at'])
  );
}

const COVERED = ['gone', 'selected', 'matching', 'read', 'believed', 'unread', 'unreadable'];
const EPOCH = '1970-01-01T00:00:00Z';
const NO_DUE: Fields = { policy: '', at: EPOCH };

function isExceptedCount(value: unknown): boolean {
  return isObject(value) && areTexts(value, ['exception', 'until']) && areCounts(value, ['count']);
}

function isForecast(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { limit = 0, more = 0 } = value;
  if (value.is === 'leftOut')
    return isOneOf(FORECAST_GAPS, value.why) && areCounts({ limit }, ['limit']);
  return (
    value.is === 'rehearsed' &&
    areInstants(value, ['until']) &&
    areCounts({ ...value, more }, ['courses', 'devices', 'more']) &&
    isListOf(value.policies, isForecastRow)
  );
}

function isForecastRow(value: unknown): boolean {
  if (!isObject(value) || !isOneOf(TASK_TYPES, value.task)) return false;
  const ends = ['p50', 'p95'].filter((name) => value[name] !== undefined);
  return (
    areTexts(value, ['policy']) &&
    areCounts(value, ['devices', 'done', 'failed', 'late', 'blocked']) &&
    areInstants(value, ends)
  );
}

function isPause(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { ticket = '', orphaned = '', until = value.since } = value;
  return (
    areTexts({ ...value, ticket, orphaned }, ['scope', 'who', 'why', 'ticket', 'orphaned']) &&
    areInstants({ ...value, until }, ['since', 'until'])
  );
}

function isPart(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.outside) || !isObject(value.names)) return false;
  const { policies = [], sites = [], devices = [], names, outside } = value;
  const isText = (each: unknown): boolean => typeof each === 'string';
  return (
    [policies, sites, devices].every((ids) => isListOf(ids, isText)) &&
    Object.values(names).every(isText) &&
    areCounts(outside, ['devices', 'run', 'notRead'])
  );
}

function isInputs(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.service) || !isObject(value.snapshot)) return false;
  return (
    areTexts(value, ['tool', 'documents']) &&
    areTexts(value.service, ['baseUrl', 'organization', 'fingerprint']) &&
    isOneOf(['document', 'environment', 'flag'], value.service.from) &&
    areTexts(value.snapshot, ['digest', 'confidence']) &&
    areInstants(value.snapshot, ['takenAt']) &&
    areCounts(value.snapshot, ['devices', 'sites', 'discovered']) &&
    (value.facts === undefined || isFacts(value.facts)) &&
    isObject(value.ledger) &&
    areCounts(value.ledger, ['seq']) &&
    areTexts(value.ledger, ['hash'])
  );
}

function isFacts(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { budget = 0, oldest = NEVER } = value;
  return (
    areCounts({ ...value, budget }, ['used', 'notRead', 'budget']) &&
    areInstants({ oldest }, ['oldest'])
  );
}

const NEVER = '1970-01-01T00:00:00Z';

function isNote(value: unknown): boolean {
  if (!isObject(value) || !isOneOf(TASK_TYPES, value.task) || !areCounts(value, ['count']))
    return false;
  return isAt(value.at) && isReason(value.reason);
}

function isWave(value: unknown): boolean {
  return isObject(value) && areTexts(value, ['policy', 'name']) && areCounts(value, ['changes']);
}

function isVerdict(value: unknown): boolean {
  if (!isObject(value) || typeof value.passed !== 'boolean') return false;
  const { of: total = 0, scope = '', at = NOWHERE, raisedBy = NOWHERE } = value;
  return (
    isExplained(value) &&
    areTexts({ ...value, scope }, ['guardrail', 'limit', 'scope']) &&
    typeof value.value === 'number' &&
    areCounts({ ...value, of: total }, ['number', 'allowed', 'of']) &&
    isPlace(at) &&
    isPlace(raisedBy)
  );
}

/** Whether the numbers of a verdict have a shape that can be shown. */
function isExplained({
  unlisted = 0,
  inParts = 0,
  policies = [],
  waits = NO_WAITS,
}: Fields): boolean {
  const isShare = (each: unknown): boolean =>
    isObject(each) && areTexts(each, ['policy']) && areCounts(each, ['number']);
  return (
    areCounts({ unlisted, inParts }, ['unlisted', 'inParts']) &&
    isListOf(policies, isShare) &&
    isObject(waits) &&
    areTexts(waits, ['reason']) &&
    areCounts(waits, ['number'])
  );
}

const NO_WAITS: Fields = { reason: '', number: 0 };

function isFinding(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.params)) return false;
  const { at = NOWHERE, related = [] } = value;
  return areTexts(value, ['code', 'severity']) && isPlace(at) && isListOf(related, isPlace);
}

function isHours(value: unknown): boolean {
  if (!isObject(value) || typeof value.until !== 'string') return false;
  const { windows, freezes } = value;
  return isListOf(windows, isWindowHours) && isListOf(freezes, isObject);
}

function isWindowHours(value: unknown): boolean {
  return isOpenAtTimes(value) && areCounts(value as Fields, ['changes']);
}

function isOpenAtTimes(value: unknown): boolean {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  const { spans, freezes = [] } = value;
  return isListOf(spans, isObject) && isListOf(freezes, isOpenAtTimes);
}

function isEntryAuthors(value: unknown): boolean {
  return isObject(value) && isListOf(value.by, isObject);
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isBase(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.ref === 'string' &&
    typeof value.commit === 'string' &&
    isObject(value.counts) &&
    areCounts(value.counts, GROUPS) &&
    isListOf(value.gone, isDroppedClass) &&
    (value.behind === undefined || isBehind(value.behind)) &&
    (value.scope === undefined || isScope(value.scope))
  );
}

function isScope(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.outside)) return false;
  return (
    typeof value.passed === 'boolean' &&
    [value, value.outside].every((each) => areCounts(each, ['changes', 'devices'])) &&
    isListOf(value.outside.classes, isOutsideScope) &&
    isListOf(value.trailers, isTrailer)
  );
}

function isOutsideScope(value: unknown): boolean {
  if (!isObject(value) || !isOneOf(TASK_TYPES, value.task)) return false;
  const { devices } = value;
  return areTexts(value, ['policy']) && areCounts(value, ['count']) && isListOf(devices, isLabel);
}

function isTrailer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const isProblem = (each: unknown): boolean =>
    isObject(each) && isOneOf(SCOPE_PROBLEMS, each.code) && isValues(each.params);
  return (
    areTexts(value, ['commit', 'text']) &&
    areCounts(value, ['devices']) &&
    isListOf(value.problems, isProblem)
  );
}

function isBehind(value: unknown): boolean {
  if (!isObject(value) || typeof value.lacks !== 'number') return false;
  const { is: state, files = [] } = value;
  return isOneOf(BEHIND, state) && isListOf(files, (file) => typeof file === 'string');
}

function isDroppedClass(value: unknown): boolean {
  if (!isObject(value) || !isOneOf(TASK_TYPES, value.task)) return false;
  return (
    isOneOf(CAUSES, value.cause) &&
    areCounts(value, ['count']) &&
    isAt(value.at) &&
    isReason(value.reason) &&
    isListOf(value.lines ?? [], isPlace) &&
    isListOf(value.devices, isLabel)
  );
}

const NOWHERE: Fields = { file: '', line: 0, column: 0 };

function isPlace(value: unknown): boolean {
  return isObject(value) && areTexts(value, ['file']) && areCounts(value, ['line', 'column']);
}

function isAt(value: unknown): boolean {
  return isObject(value) && isPlace(value) && typeof value.policy === 'string';
}

/** An unknown code is accepted and shown as it is, because a reason only explains. */
function isReason(value: unknown): boolean {
  if (!isObject(value) || typeof value.code !== 'string') return false;
  const { why = '', since = 0, next = 0, params = {} } = value;
  const isTime = typeof since === 'number' && (typeof next === 'number' || next === 'never');
  return typeof why === 'string' && isTime && isObject(params);
}

function isLabel(value: unknown): boolean {
  if (!isObject(value) || typeof value.id !== 'string') return false;
  const { name = '', site = '', vendor = '', model = '', deviceType = '' } = value;
  return [name, site, vendor, model, deviceType].every((each) => typeof each === 'string');
}

function areTexts(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

function areInstants(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => parseInstant(String(value[name])) !== undefined);
}

function areCounts(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => Number.isSafeInteger(value[name]) && Number(value[name]) >= 0);
}

type Fields = Readonly<Record<string, unknown>>;

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.some((each) => each === value);
}

function isValues(value: unknown): value is Values {
  return (
    isObject(value) &&
    Object.values(value).every((each) => each === null || typeof each !== 'object')
  );
}
