import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { desire } from '../../src/desired/desire.ts';
import type { Change } from '../../src/model/plan/change.ts';
import type { At, SourceLocation } from '../../src/model/documents/source.ts';
import type { TaskType } from '../../src/model/fleet/task.ts';
import { sumCounts } from '../../src/lib/group-by.ts';
import { formatInstant, type Instant } from '../../src/lib/time.ts';
import { countPlanColumns, findColumn } from '../../src/model/plan/actor.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { windowRows } from '../../src/render/view/opening.ts';
import { foldRuns } from '../../src/render/view/runs.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import type { Made } from './plan-scenario.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

/** Of a saved plan, and of one line of a kept snapshot. */
export const PLAN = compiled('plan');
export const SNAPSHOT = compiled('snapshot');

function compiled(name: string): ValidateFunction {
  const schema = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
}

/** What a schema, that of plans unless another is named, says against a text. */
export function schemaErrors(text: string, validate = PLAN): readonly string[] {
  if (validate(JSON.parse(text))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A place as people write it. */
export function entryOf({ policy, file, line, column }: At): string {
  return `${policy} at ${file}:${line}:${column}`;
}

/**
 * Whether a place is not where its policy stands, or the exception that its reason names: at the
 * key, or inside its entry.
 */
export function misplaced(
  { at, reason }: Pick<Change, 'at' | 'reason'>,
  files: readonly { readonly path: string; readonly text: string }[],
): boolean {
  const exception = reason.params?.['exception'];
  // A refused change stays at the line that asked for it, and no longer names the exception that did.
  const asking = reason.code === 'refused' ? '' : exception;
  const addresses = [at.policy, ...(asking === undefined ? [] : [`exceptions.${asking}`])];
  return addresses.every((address) => isOutside(address, at, files));
}

function isOutside(
  address: string,
  { file, line, column }: SourceLocation,
  files: readonly { readonly path: string; readonly text: string }[],
): boolean {
  const lines = files.find(({ path }) => path === file)?.text.split('\n');
  const [section = '', name = ''] = address.split('.');
  if (!lines || (lines[line - 1] ?? '').charAt(column - 1).trim() === '') return true;
  const above = lines.slice(0, line).toReversed();
  const entry = above.find((each) => /^ {2}\S/.test(each));
  const top = above.find((each) => /^\S/.test(each));
  const isOther = name !== '' && entry?.trim().startsWith(`${name}:`) !== true;
  return isOther || top?.startsWith(`${section}:`) !== true;
}

/** Whether a change waits for an instant that has come: then nothing keeps it from running. */
export function isOver({ action, reason: { next } }: Change, now: Instant): boolean {
  return action === 'wait' && typeof next === 'number' && next <= now;
}

/**
 * Devices and tasks about which not exactly one thing is said; devices counted in notes, and
 * devices noted.
 */
export function standings({ planned, input }: Made): {
  readonly once: readonly string[];
  readonly counted: number;
  readonly noted: number;
} {
  const { plan, noted } = planned;
  const changes = [...plan.changes].map(({ id }) => id);
  const wanted = wantedBy(input);
  const said = ([task, id]: readonly [TaskType, string]): number =>
    changes.filter((each) => each === `${task}/${id}`).length + (noted(task, id) ? 1 : 0);
  const entries = [...desire(input).onboarding].filter(({ found }) => found === 'none');
  const absent = namedAndAbsent(input);
  return {
    once: wanted.filter((pair) => said(pair) !== 1).map((pair) => pair.join('/')),
    counted: plan.notes.reduce((sum, { count }) => sum + count, 0),
    noted: wanted.filter(([task, id]) => noted(task, id)).length + entries.length + absent,
  };
}

/** How many devices policies select by an id that is not in the fleet. */
function namedAndAbsent({ documents, snapshot }: Made['input']): number {
  const { firmware, rotations, restarts } = documents;
  const policies = [...firmware.values(), ...rotations.values(), ...restarts.values()];
  const ids = policies.flatMap(({ value }) => [...new Set(value.select.device)]);
  return ids.filter((id) => !/[*?]/.test(id) && snapshot.devices.rowOf(id) === undefined).length;
}

/** Every device and task that the documents select, worked out without the planner. */
function wantedBy(input: Made['input']): readonly (readonly [TaskType, string])[] {
  const { wants, onboarding } = desire(input);
  const { part } = input;
  const managed = [...wants].flatMap(({ row, wanted: { task, policy } }) => {
    const { id, sites } = input.snapshot.devices.at(row);
    const isOutside =
      part?.policies?.includes(policy.value.address) === false ||
      part?.devices?.includes(id) === false ||
      (part?.sites && !sites.some((site) => part.sites?.includes(site.id)));
    return isOutside ? [] : [[task, id] as const];
  });
  const listed = onboarding.flatMap((wish): readonly string[] => {
    if (wish.found === 'discovered') return [wish.device.id];
    if (wish.found === 'managed') return [wish.deviceId];
    return wish.found === 'several' ? wish.devices.map(({ id }) => id) : [];
  });
  const own = [...new Set(listed)].filter((id) => part?.devices?.includes(id) !== false);
  return [...managed, ...own.map((id) => ['onboardDevice', id] as const)];
}

/**
 * Waiting changes that may start at an instant in which no window of theirs is open. What passes
 * windows waits for the end of a freeze alone, and hours beyond the plan are not known.
 */
export function shutAt(plan: Plan): readonly string[] {
  const rows = windowRows(plan.hours);
  return [...plan.changes].flatMap(
    ({ id, action, reason: { next, params }, window, passes = [] }) => {
      if (passes.some(({ what }) => what === 'window' || what === 'softFreeze')) return [];
      if (action !== 'wait' || typeof next !== 'number' || window?.opens === undefined) return [];
      if (params?.['to'] === formatInstant(next)) return [];
      const mine = rows.filter(({ name, zone }) => name === window.name && zone === window.zone);
      if (mine.length === 0) return [];
      const isOpen = mine.some(({ spans }) => {
        const end = spans.at(-1)?.close ?? Infinity;
        return next >= end || spans.some(({ open, close }) => open <= next && next < close);
      });
      return isOpen ? [] : [`${id} at ${formatInstant(next)}`];
    },
  );
}

/** What a later run reads or discovers has no line. */
function laterNotes({ notes }: Plan, policy: string): number {
  const mine = notes.filter(({ at }) => at.policy === policy);
  return sumCounts(mine.filter(({ reason }) => findColumn({ action: 'note', reason }) === 'later'));
}

/** Starts in the table of a plan that its lines do not have, and counts that differ from line to line. */
export function unequalLines(plan: Plan): readonly string[] {
  const view = buildPlanView(plan);
  const { totals } = view.review;
  const runs = foldRuns(view);
  const unequal = view.review.policies.flatMap((row) => {
    const lines = runs.find((run) => run.row.policy === row.policy)?.lines ?? [];
    const now = sumCounts(lines.filter(({ column }) => column === 'now'));
    const later = sumCounts(lines.filter(({ column }) => column === 'later'));
    const dated = lines.filter(({ column, shut }) => column === 'later' && !shut);
    const nexts = dated.flatMap(({ next, last }) =>
      next === undefined ? [] : [next, last ?? next],
    );
    const isDated = dated.length === lines.length && nexts.length === 2 * lines.length;
    const bars = view.timeline.waves.filter(({ policy }) => policy === row.policy);
    const unlike = bars.filter(({ wave, changes }) => {
      const its = lines.filter((line) => (line.wave ?? wave) === wave);
      return sumCounts(its) !== changes;
    });
    return [
      ...unlike.map(({ wave }) => `the bar of wave ${wave} of ${row.policy}`),
      ...(now + later === bars.reduce((sum, { changes }) => sum + changes, 0)
        ? []
        : [`bars of ${row.policy}`]),
      ...(now === row.now && later + laterNotes(plan, row.policy) === row.later
        ? []
        : [`counts of ${row.policy}`]),
      ...(row.first === undefined || row.first >= Math.min(...(isDated ? nexts : []), row.first)
        ? []
        : [`${row.policy} starts before a change of it may`]),
      ...(row.last === undefined || nexts.every((next) => next <= (row.last ?? 0))
        ? []
        : [`a start of ${row.policy} after the last`]),
    ];
  });
  const { follow: _, ...columns } = totals;
  const isSame = isDeepStrictEqual(countPlanColumns(plan), columns);
  return [...unequal, ...(isSame ? [] : ['the progress line and the table'])];
}
