import { findRefusing, refusedEntries } from '../../model/documents/diagnostic.ts';
import { listEntries, type DocumentEntry } from '../../model/documents/entries.ts';
import {
  SECTIONS,
  type Documents,
  type ListedDevice,
  type Section,
} from '../../model/documents/policy.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { ChangedSetting } from '../../model/documents/written-form.ts';
import type { Plan, PlanBase } from '../../model/plan/plan.ts';
import { HORIZON } from '../../calendar/calendar.ts';
import { freezeOccurrences } from '../../calendar/freezes.ts';
import { openZone } from '../../calendar/zones.ts';
import { canonical } from '../../lib/canonical.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { DAY, formatInstant, parseInstant, type Instant } from '../../lib/time.ts';
import { meaningsOf } from './entry-forms.ts';

/** A line that the base does not have, or that only the base has. */
export interface ChangedLine {
  readonly place: SourceLocation;
  /** The device that the line of a list concerns: its ID, or where an onboarding list has it. */
  readonly item?: string;
}

/** The changed lines of entries, by address (`groups.doors`). */
export type ChangedEntries = ReadonlyMap<string, readonly ChangedLine[]>;

/**
 * Compares the entries of two versions of the documents that do not mean the same. Within an entry, a line is changed if
 * no value at the same path had its text. A removed line is named, with `base` before its file, where no other replaces
 * it. Entries are in the order of their addresses, whatever that of files is; `service.notifications` is one of its own
 * where nothing else of `service` changes.
 */
export function changedEntries(before: Documents, after: Documents, base: string): ChangedEntries {
  const [old, now] = [linesByEntry(before), linesByEntry(after)];
  const [meant, means] = [meaningsOf(before, after), meaningsOf(after, before)];
  const isSame = (address: string): boolean =>
    canonical(meant.get(address) ?? null) === canonical(means.get(address) ?? null);
  const changed = new Map<string, readonly ChangedLine[]>();
  for (const entry of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const address = entry === 'service' && isSame(entry) ? 'service.notifications' : entry;
    if (!isSame(address))
      changed.set(address, [...changedLines(old.get(entry), now.get(entry), base)]);
  }
  return changed;
}

type Edit = NonNullable<PlanBase['edits']>[number];

/** The most far-reaching first; of each freeze a sentence says more. */
const EDITS = new Set<Exclude<Edit | Section, 'freezes'>>([
  ...(['service', 'service.notifications', 'guardrails', 'budgets', 'exceptions'] as const),
  ...SECTIONS.filter((section) => section !== 'freezes'),
  ...(['workflows', 'lockFile', 'package'] as const),
]);

/** What a request edits: sections by the addresses of their entries, and files whose code makes plans by their path from the root. */
export function findEdits(entries: Iterable<string>, code: readonly string[]): readonly Edit[] {
  const found = new Set<string>(code.map(fileKind));
  for (const address of entries)
    found.add(address.startsWith('service') ? address : (address.split('.', 1)[0] ?? ''));
  return [...EDITS].filter((edit) => found.has(edit));
}

/** The policies that the request refuses, and the first changed line of each entry: first those that refuse them. */
export function findRefusals(
  { warnings }: Pick<Plan, 'warnings'>,
  before: Pick<Plan, 'warnings'> | undefined,
  changed: ChangedEntries = new Map(),
): Pick<PlanBase, 'refuses' | 'lines'> {
  const known = refusedEntries(before?.warnings ?? []);
  const refuses = [...refusedEntries(warnings)].filter((policy) => !known.has(policy));
  const causes = findRefusing(warnings).flatMap(({ params }) => [
    ...refusedEntries([{ params }]),
    `freezes.${params['freeze']}`,
  ]);
  const lines = [...changed]
    .toSorted(([a], [b]) => Number(causes.includes(b)) - Number(causes.includes(a)))
    .flatMap(([, [line]]) => (line ? [line.place] : []));
  return {
    ...(refuses.length > 0 && { refuses: refuses as [string, ...string[]] }),
    ...(lines.length > 0 && { lines: lines as [SourceLocation, ...SourceLocation[]] }),
  };
}

/** Documents, and the plan that is made of them. */
interface Side {
  readonly documents: Documents;
  readonly plan: Pick<Plan, 'dates' | 'evaluatedAt'>;
}

/** The freezes that a request adds, changes or removes, or whose devices it does, and what each does to the dates of the plan. */
export function findFreezes(
  entries: Iterable<string>,
  before: Side,
  after: Side,
  settings: readonly Pick<ChangedSetting, 'at'>[] = [],
): NonNullable<PlanBase['freezes']> {
  const names = [...entries, ...settings.map(({ at }) => at)].flatMap((address) => {
    const [section, freeze = ''] = address.split('.');
    return section === 'freezes' ? [freeze] : [];
  });
  return [...new Set(names)].flatMap((freeze) => {
    const [old, now] = [freezeIn(before, freeze), freezeIn(after, freeze)];
    const { days } = now.days ? now : old;
    const changed = old.days ? 'changed' : 'new';
    const isMoved = canonical(old.rows) !== canonical(now.rows);
    const [was, is] = isMoved ? [old.rows, now.rows] : [[], []];
    const policies = new Set((is.length > 0 ? is : was).map(({ policy }) => policy));
    const counts = { changes: sumCounts(is), before: sumCounts(was), policies: [...policies] };
    return [{ freeze, is: now.days ? changed : 'gone', ...days, ...counts }];
  });
}

/** The days of a freeze as written, and the changes that it makes start later; no days where it is not there. */
function freezeIn({ documents, plan }: Side, name: string) {
  const value = documents.freezes.get(name)?.value;
  const rows = (plan.dates ?? []).flatMap(({ policy, frozen = [] }) =>
    frozen.flatMap(({ freeze, changes: count, zone = '', opens = '', closes = '' }) =>
      freeze === name ? [{ policy, count, term: [zone, opens, closes] }] : [],
    ),
  );
  const open = parseInstant(plan.evaluatedAt) ?? 0;
  const span = { open, close: open + HORIZON };
  const [term] = value ? freezeOccurrences(value, openZone('UTC', span), span) : [];
  // Of whole days the last one is inside: nobody reads `to: 8 Jan 00:00` as the 7th.
  const isOfDays = term && term.open % DAY === 0 && term.close % DAY === 0;
  const days = term && { from: dayOf(term.open), to: dayOf(term.close - Number(isOfDays)) };
  return { rows, days: days ?? (value && {}) };
}

function dayOf(at: Instant): string {
  return formatInstant(at).slice(0, 10);
}

function fileKind(path: string): Edit {
  if (/^(?:\.git(?:hub|lab)|ci\/)/.test(path)) return 'workflows';
  return /(?:lock|shrinkwrap)\.(?:json|yaml)$|\.lock$/.test(path) ? 'lockFile' : 'package';
}

/** The lines of an entry by the path of their values without indexes, then by their text. */
type LinesByPath = ReadonlyMap<string, ReadonlyMap<string, ChangedLine>>;

function* changedLines(
  old: LinesByPath = new Map(),
  now: LinesByPath = new Map(),
  base: string,
): Generator<ChangedLine> {
  const gone: ChangedLine[] = [];
  const replaced = new Set<string>();
  for (const path of new Set([...now.keys(), ...old.keys()])) {
    const [before = NONE, after = NONE] = [old.get(path), now.get(path)];
    const added = [...after].filter(([text]) => !before.has(text));
    const removed = [...before].filter(([text]) => !after.has(text));
    for (const [, line] of added) yield line;
    for (const [, line] of removed)
      if (line.item !== undefined || removed.length > added.length) gone.push(line);
      else replaced.add(placeKey(line.place));
  }
  for (const { place, ...line } of gone)
    if (!replaced.has(placeKey(place)))
      yield { ...line, place: { ...place, file: `${base}:${place.file}` } };
}

const NONE: ReadonlyMap<string, ChangedLine> = new Map();

function linesByEntry(documents: Documents): ReadonlyMap<string, LinesByPath> {
  const texts = new Map(documents.files.map(({ path, text }) => [path, text.split('\n')]));
  const textAt = ({ file, line }: SourceLocation): string =>
    texts.get(file)?.[line - 1]?.trim() ?? '';
  return new Map(
    [...listEntries(documents)].map((entry) => [entry.address, linesOf(entry, textAt)]),
  );
}

function linesOf({ of }: DocumentEntry, textAt: (place: SourceLocation) => string): LinesByPath {
  const { devices = [] } = of.value as { readonly devices?: readonly (string | ListedDevice)[] };
  const items = devices.map((item) => (typeof item === 'string' ? item : placeKey(item.at)));
  const lines = new Map<string, Map<string, ChangedLine>>();
  const places = [...of.places];
  for (const [index, [pointer, place]] of places.entries()) {
    const isOfOthers = places[index + 1]?.[0].startsWith(`${pointer}/`) === true;
    if (isOfOthers && pointer !== '') continue;
    const path = pointer.replaceAll(/\/\d+(?=\/|$)/g, '');
    const item = items[Number(/^\/devices\/(\d+)/.exec(pointer)?.[1])];
    const ofPath = lines.get(path) ?? new Map<string, ChangedLine>();
    ofPath.set(textAt(place), {
      place: { ...place, column: 1 },
      ...(item !== undefined && { item }),
    });
    lines.set(path, ofPath);
  }
  return lines;
}

/** `FILE:LINE` */
export function placeKey({ file, line }: SourceLocation): string {
  return `${file}:${line}`;
}
