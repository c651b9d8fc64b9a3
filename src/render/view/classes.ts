import { startDigest } from '../../lib/canonical.ts';
import type { Change, ChangeRow, Values, WindowRef } from '../../model/plan/change.ts';
import { type MaybeColumns, rowsIn, kindsIn } from '../../model/plan/change-rows.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { At, SourceLocation } from '../../model/documents/source.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Instant } from '../../lib/time.ts';
import { classKeys, eachFacet, type ClassKey } from './class-key.ts';
import type { ChangeClass, Spreads, Value } from './change-class.ts';

/**
 * Folds equal changes into classes, in the same order for equal plans. Walks the changes twice; what a class shows of
 * changes of one kind is looked at once.
 */
export function foldClasses(changes: MaybeColumns, most: number): readonly ChangeClass[] {
  const keyOf = classKeys(kindsIn(changes).map(({ change }) => change));
  const found = new Map<ClassKey, Draft>();
  const byKind: (Draft | undefined)[] = [];
  const draftFor = (row: ChangeRow): Draft => {
    const change = row.change();
    const key = keyOf(change);
    const draft = found.get(key) ?? startDraft(change);
    found.set(key, draft);
    addKind(draft, change);
    byKind[row.kind] = draft;
    return draft;
  };
  for (const row of rowsIn(changes)) addTo(byKind[row.kind] ?? draftFor(row), row, most);
  return [...found.entries()].sort(byKey).map(([, draft]) => finish(draft));
}

interface Draft {
  readonly first: Change;
  readonly facets: Map<string, { least: Value; most: Value; differs: boolean }>;
  readonly sites: Map<string, number>;
  readonly places: Map<string, At>;
  readonly lines: Map<string, SourceLocation>;
  readonly listed: Change[];
  readonly ids: ReturnType<typeof startDigest>;
  count: number;
  since: number | undefined;
  sinceDiffers: boolean;
  next: Reason['next'];
  lastNext: Instant;
  opens: string | undefined;
}

function startDraft(change: Change): Draft {
  return {
    first: change,
    facets: new Map(),
    sites: new Map(),
    places: new Map(),
    lines: new Map(),
    listed: [],
    ids: startDigest(),
    count: 0,
    since: change.reason.since,
    sinceDiffers: false,
    next: change.reason.next,
    lastNext: -Infinity,
    opens: change.window?.opens,
  };
}

/** Adds what all changes of a kind have. */
function addKind(draft: Draft, change: Change): void {
  draft.places.set(`${change.at.file}:${change.at.line}:${change.at.column}`, change.at);
  for (const line of change.lines ?? []) draft.lines.set(`${line.file}:${line.line}`, line);
  draft.opens = earlier(draft.opens, change.window?.opens);
  eachFacet(change, (name, value) => {
    const facet = draft.facets.get(name);
    if (facet === undefined) draft.facets.set(name, { least: value, most: value, differs: false });
    else widen(facet, value);
  });
}

/** Adds what one change has for itself. */
function addTo(draft: Draft, row: ChangeRow, most: number): void {
  const { site, since, next } = row;
  draft.count += 1;
  draft.ids.add(`${row.deviceId}\n`);
  draft.sites.set(site, (draft.sites.get(site) ?? 0) + 1);
  draft.sinceDiffers ||= since !== draft.since;
  draft.since = earlier(draft.since, since);
  draft.next = earlierNext(draft.next, next);
  if (typeof next === 'number') draft.lastNext = Math.max(draft.lastNext, next);
  if (draft.listed.length < most) draft.listed.push(row.change());
}

function widen(facet: { least: Value; most: Value; differs: boolean }, value: Value): void {
  if (value !== facet.least || value !== facet.most) facet.differs = true;
  if (before(value, facet.least)) facet.least = value;
  if (before(facet.most, value)) facet.most = value;
}

function finish(draft: Draft): ChangeClass {
  const { task, action, cause, risk, wave, window, losers, group, passes } = draft.first;
  const places = [...draft.places.values()].sort(byPlace);
  return {
    task,
    action,
    cause,
    risk,
    at: places[0] ?? draft.first.at,
    ...(wave !== undefined && { wave }),
    ...(group && { group }),
    ...(passes && { passes }),
    ...(window && { window: classWindow(window, draft.opens) }),
    reason: commonReason(draft),
    sinceDiffers: draft.sinceDiffers,
    ...(isLater(draft) && { lastNext: draft.lastNext }),
    before: valueSpreads(draft, 'before.'),
    after: valueSpreads(draft, 'after.'),
    losers: losers ?? [],
    places,
    lines: [...draft.lines.values()].sort(byPlace),
    count: draft.count,
    digest: draft.ids.hex().slice(0, 8),
    sites: [...draft.sites]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (before(a.name, b.name) ? -1 : 1)),
    devices: draft.listed.map((change) => ({
      ...change.device,
      own: ownValues(draft, change),
      at: change.at,
    })),
  };
}

function byPlace(a: SourceLocation, b: SourceLocation): number {
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function classWindow({ name, zone }: WindowRef, opens: string | undefined): WindowRef {
  return { name, ...(zone !== undefined && { zone }), ...(opens !== undefined && { opens }) };
}

function isLater({ next, lastNext }: Draft): boolean {
  return typeof next === 'number' && lastNext > next;
}

function commonReason({ first, facets, since, next }: Draft): Reason {
  const same = Object.entries(first.reason.params ?? {}).filter(
    ([name]) => facets.get(`params.${name}`)?.differs !== true,
  );
  return {
    code: first.reason.code,
    ...(first.reason.why && { why: first.reason.why }),
    ...(since !== undefined && { since }),
    ...(next !== undefined && { next }),
    ...(same.length > 0 && { params: Object.fromEntries(same) }),
  };
}

function valueSpreads({ facets }: Draft, prefix: 'before.' | 'after.'): Spreads {
  const mine = [...facets].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(mine.map(([name, facet]) => [name.slice(prefix.length), facet]));
}

function ownValues({ facets }: Draft, change: Change): Values {
  const own = Object.entries(change.before).filter(
    ([name]) => facets.get(`before.${name}`)?.differs === true,
  );
  return Object.fromEntries(own);
}

function earlier<T extends string | number>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b < a ? b : a;
}

function earlierNext(a: Reason['next'], b: Reason['next']): Reason['next'] {
  if (typeof a === 'number' && typeof b === 'number') return Math.min(a, b);
  return typeof a === 'number' ? a : (b ?? a);
}

function before(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return String(a) < String(b);
}

function byKey([a]: readonly [ClassKey, Draft], [b]: readonly [ClassKey, Draft]): number {
  if (a.text === b.text) return 0;
  return a.text < b.text ? -1 : 1;
}
