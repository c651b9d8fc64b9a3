import type { Json, JsonObject } from '../../../lib/canonical.ts';
import { isObject } from '../../../lib/objects.ts';
import { formatDuration } from '../../../lib/time.ts';
import type { Wave } from '../../../model/documents/rollout.ts';
import type { After } from '../../../model/documents/values.ts';
import { WEEKDAYS, type Span } from '../../../model/documents/window.ts';
import { DIALECT_ROWS } from '../../../model/fleet/dialect.ts';
import { TASK_TYPES } from '../../../model/fleet/task.ts';
import { type ChangedSetting, writtenNumber } from '../../../model/documents/written-form.ts';
import type { PlanBase } from '../../../model/plan/plan.ts';

/** Settings with the values of documents as texts. */
export function settingTexts(changed: readonly ChangedSetting[]): Pick<PlanBase, 'settings'> {
  const settings = changed.map(({ at, before, after, ...setting }) => {
    // Without the name of the entry and indexes.
    const field = at.replace(/^(?!service)(\w+)\.[^.]+|\.\d+(?=\.|$)/g, '$1');
    return {
      at,
      ...(before !== undefined && { before: valueText(before, field) }),
      ...(after !== undefined && { after: valueText(after, field) }),
      ...setting,
    };
  });
  return settings.length > 0 ? { settings } : {};
}

/** A value of a field; one that no line here names is as it is. */
function valueText(value: Json, field = ''): string {
  const row = DIALECT_ROWS.find(({ key }) => field === `service.dialect.${key}`);
  if (row && typeof value !== 'object') return dialectText(value, row);
  if (typeof value === 'number') return writtenNumber(value, field);
  if (isObject(value)) return objectText(value, field);
  if (!Array.isArray(value)) return String(value) || 'none';
  if (field.endsWith('.task') && value.length === TASK_TYPES.length) return 'all';
  const texts = value.map((each: Json) => valueText(each, field));
  return texts.join(field.startsWith('windows.') ? '; ' : ', ') || 'none';
}

/** The built-in value where none is written, and what an empty one means. */
function dialectText(
  value: unknown,
  { default: usual, empty }: (typeof DIALECT_ROWS)[number],
): string {
  const notes = [value === usual ? 'default' : [], value === '' ? (empty ?? []) : []].flat();
  return `${value === '' ? '""' : value}${notes.length > 0 ? ` (${notes.join(': ')})` : ''}`;
}

function objectText(value: JsonObject, field: string): string {
  const [[name = '', only] = [], ...more] = Object.entries(value);
  const words = more.length === 0 ? ONE[name] : LISTED[field];
  if (words) return words((more.length === 0 ? only : value) as never);
  const each = Object.entries(value).map(([key, member]) => `${key} ${[member].flat().join(' ')}`);
  return each.join(', ');
}

/** Objects of one member. */
const ONE: Readonly<Record<string, (value: never) => string>> = {
  percent: (percent: number) => `${percent}%`,
  builtIn: (limits: readonly Json[]) =>
    `${limits.map((each) => valueText(each)).join(' or ')} (built in)`,
  members: ([count = 0, joined = 0, left = 0]: readonly number[]) =>
    `${count}${joined > 0 && left > 0 ? ` (+${joined} -${left})` : ''}`,
  untold: () => 'cannot be told in the new dialect',
  exception: exceptionText,
};

/** `allow guardrail maxPercentOfFleet, value 90%, until 2027-02-01T00:00:00Z`. How many devices it has is a line of its own. */
function exceptionText({ type, allow, guardrail, until, ...others }: JsonObject): string {
  const texts = Object.entries(others)
    .filter(([name]) => !['select', 'reason', 'owner', 'ticket', 'notice'].includes(name))
    .map(([name, value = null]) => `${name} ${valueText(value, `exceptions.${name}`)}`);
  const what = [type, allow, guardrail].filter((word) => word !== undefined).join(' ');
  const end = until === undefined ? [] : [`until ${valueText(until, 'exceptions.until')}`];
  return [what, ...texts, ...end].join(', ');
}

/** Members of lists, by their field. */
const LISTED: Readonly<Record<string, (value: never) => string>> = {
  'windows.allow': spanText,
  'windows.deny': spanText,
  'rollouts.waves': waveText,
  'firmware.after': afterText,
  'rotations.after': afterText,
};

/** `tue, wed, thu 01:00 to 05:00`. */
function spanText(span: Exclude<Span, { is: 'always' }>): string {
  if (span.is === 'cron') return `${span.cron} for ${formatDuration(span.duration)}`;
  const [from, to] = [span.from, span.to === 0 ? 24 * 60 : span.to].map((minutes) =>
    [minutes / 60, minutes % 60].map((part) => `${Math.floor(part)}`.padStart(2, '0')).join(':'),
  );
  const days = span.days.length === WEEKDAYS.length ? 'every day' : span.days.join(', ');
  return `${days} ${from} to ${to}`;
}

function afterText({ policy, per, ignoreOffline: most }: After): string {
  const left = most === undefined ? '' : ` without what is offline for ${formatDuration(most)}`;
  return `${policy} per ${per}${left}`;
}

function waveText({ name, slice, soak, stratify }: Wave): string {
  const by = slice.is === 'size' && stratify.length > 0 ? ` by ${stratify.join('/')}` : '';
  return `${name} ${sliceText(slice)}${by} (soak ${formatDuration(soak)})`;
}

function sliceText(slice: Wave['slice']): string {
  if (slice.is === 'select') return `where ${selectorText(slice.select)}`;
  return slice.is === 'size' ? `${slice.devices}` : `${slice.percent}%`;
}

function selectorText(keys: object, of = ''): string {
  const texts = Object.entries(keys).map(([key, value]: [string, unknown]) => {
    const name = of !== '' && key === 'name' ? of : `${of} ${key}`.trim();
    if (Array.isArray(value)) return `${name} is ${value.join(' or ')}`;
    return key === 'not'
      ? `not (${selectorText(Object(value))})`
      : selectorText(Object(value), key);
  });
  return texts.join(' and ');
}
