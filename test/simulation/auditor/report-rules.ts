import { isReadLate, type Change } from '../../../src/model/plan/change.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { digest } from '../../../src/lib/canonical.ts';
import type { RunReport } from '../../../src/model/ledger/run-report.ts';
import type { AttemptFile, CaseFile, ProcessFile } from './case-file.ts';

/** I7: every change ends in exactly one class, on every path. */
export function onReport(file: CaseFile, report: RunReport, by: ProcessFile): void {
  const { endings, counts, failure } = report;
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  const ids = endings.map(({ change }) => change.id);
  if (sum !== ids.length) file.violate('I7', `${by.id}: ${sum} counted, ${ids.length} told`);
  if (new Set(ids).size !== ids.length) file.violate('I7', `${by.id}: a change ends twice`);
  const plan = by.approved ?? by.plan;
  if (plan && report.planId !== '') {
    const told = new Set(ids);
    const left = [...plan.changes].filter(({ id }) => !told.has(id));
    if (left.length > 0) file.violate('I7', `${by.id}: ${left[0]?.id} of the plan is not told`);
    if (ids.length > plan.changes.length) file.violate('I7', `${by.id}: more told than planned`);
  }
  if (failure?.name === 'Bug') file.violate('I7', `${by.id}: ${failure.message}`);
}

/** I20: what waits for an instant that has come would run later with nothing changed (semantics R15). */
export function onWaits({ violate }: CaseFile, { changes }: Plan, now: number): void {
  for (const { id, action, reason } of changes) {
    const { code, why = '', next } = reason;
    if (action === 'wait' && typeof next === 'number' && next <= now)
      violate(
        'I20',
        `${id} waits (${code} ${why}) for ${new Date(next).toISOString()}, and that has come`,
      );
  }
}

/**
 * I8 and I9: what is attempted was planned by this run, or approved in its file, with this very
 * target, and from where the device was then. What the last look alone reads has neither in a plan
 * (semantics N11); an approved upgrade goes on from where our verified steps have led (N71).
 */
export function onPlanned(file: CaseFile, { body }: AttemptFile, by: ProcessFile): void {
  const plan = by.approved ?? by.plan;
  by.allowed ??= new Map([...(plan?.changes ?? [])].filter(isWanted).map((one) => [one.id, one]));
  for (const { device, target, before } of body.intents) {
    const named = `${body.task}/${device}`;
    const wanted = by.allowed.get(named);
    if (wanted === undefined) file.violate('I8', `${named} is not in what was shown`);
    else if (isReadLate(wanted)) continue;
    else {
      const shown = afterOurSteps(file, wanted, by);
      if (shown.target !== target)
        file.violate('I8', `${named} to ${target}, shown was ${shown.target}`);
      else if (digest(shown.before) !== before)
        file.violate('I9', `${named} is not where it was when it was shown`);
    }
  }
}

/**
 * What is left of a change that was shown. An approval shows each step of an upgrade path, and covers
 * those after the ones that earlier runs took and verified in their order (semantics N71). A plan of
 * the run itself, and a path that the device has left, are as they were shown.
 */
export function afterOurSteps(
  { byDevice }: CaseFile,
  { task, device, before, after, target }: Change,
  by: ProcessFile,
): Pick<Change, 'before' | 'target'> {
  const { firmwareVersion, via = '', finalVersion } = after;
  if (by.approved === undefined || finalVersion === undefined) return { before, target };
  const later = [...String(via).split(', ').filter(Boolean), String(finalVersion)];
  let shown = { before, target };
  const tried = (byDevice.get(device.id) ?? []).filter(
    (one) => one.task === task && one.standing === 'done',
  );
  for (const [at, version] of [String(firmwareVersion), ...later].entries()) {
    const next = later[at];
    const isTaken = tried.some(({ target: reached, attempts }) =>
      attempts.some(({ process, body }) => {
        const sent = body.intents.find((one) => one.device === device.id);
        const isFromHere = sent?.marker === shown.before.firmwareVersion;
        return reached === version && isFromHere && process !== by.id;
      }),
    );
    if (!isTaken || next === undefined) break;
    shown = { before: { ...before, firmwareVersion: version }, target: next };
  }
  return shown;
}

function isWanted({ action }: Change): boolean {
  return action === 'run' || action === 'wait';
}
