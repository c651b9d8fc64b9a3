import { ACTIONS, CAUSES, GROUPS, RISKS } from '../../model/plan/change.ts';
import type { Change, WindowRef } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { PlanView } from '../view/view.ts';
import type { PageTime } from '../words/moment.ts';
import {
  type HoursOptions,
  type TimelessReason,
  toEdit,
  vendorAndModel,
  placeEntry,
  reasonEntry,
  windowEntry,
} from './report-entries.ts';
import { CODED, type Coded, type ReportPart } from './format.ts';

/** The data that the rows of a report need. */
interface RowOptions extends HoursOptions {
  readonly originsOf: PlanView['originsOf'];
}

/** Rows in one part: large enough to be compact, small enough to be released after writing. */
const ROWS = 4_096;

/** The changes as parts of a report, each released after it is written; walks them once. */
export function* reportParts(
  changes: Iterable<Change>,
  options: RowOptions,
): Generator<ReportPart> {
  const coder = createCoder(options);
  let rows: Change[] = [];
  for (const change of changes) {
    if (rows.push(change) < ROWS) continue;
    yield encodePart(rows, coder(), options);
    rows = [];
  }
  if (rows.length > 0) yield encodePart(rows, coder(), options);
}

function encodePart(rows: readonly Change[], coder: Coder, { page }: RowOptions): ReportPart {
  const { now } = page;
  const columns = CODED.map((name) => [name, alike(rows.map(coder.code[name]))] as const);
  return {
    rows: rows.length,
    ids: rows.map(({ device }) => device.id),
    names: rows.map(({ device }) => device.name ?? ''),
    codes: Object.fromEntries(columns) as Record<Coded, number | readonly number[]>,
    since: rows.map(({ reason }) => secondsSince(reason, now)),
    next: rows.map(({ reason }) => secondsUntil(reason, now)),
    entries: coder.fresh(),
  };
}

function alike(codes: readonly number[]): number | readonly number[] {
  const [first = 0] = codes;
  return codes.every((code) => code === first) ? first : codes;
}

function secondsSince({ since }: Reason, now: Instant): number | null {
  return since === undefined ? null : Math.round((now - since) / 1_000);
}

function secondsUntil({ next }: Reason, now: Instant): number | null {
  if (next === undefined) return null;
  return next === 'never' ? -1 : Math.max(0, Math.round((next - now) / 1_000));
}

interface Coder {
  readonly code: Readonly<Record<Coded, (change: Change) => number>>;
  /** The new dictionary entries of this part. */
  fresh(): ReportPart['entries'];
}

/** Dictionaries of the whole report; each part also gets a coder with its own dictionaries. */
function createCoder({ originsOf, ...options }: RowOptions): () => Coder {
  const asItIs = (text: string): string => text;
  const site = dictionary(asItIs, asItIs);
  const make = dictionary(asItIs, asItIs);
  const wave = dictionary(asItIs, asItIs);
  const place = dictionary(({ at, lines }: Placed) =>
    placeEntry(at, originsOf({ places: [at], ...(lines && { lines }) })[0]),
  );
  const window = dictionary((ref: WindowRef) => windowEntry(ref, options));
  const losers = dictionary((codes: readonly number[]) => codes);
  const placeCode = codeByPlace(place.codeOf);
  const windowCode = byIdentity(window);
  const shared = { site, make, wave, place, window, losers };
  const code: Omit<Coder['code'], 'reason' | 'edit'> = {
    task: ({ task }) => TASK_TYPES.indexOf(task),
    action: ({ action }) => ACTIONS.indexOf(action),
    cause: ({ cause }) => CAUSES.indexOf(cause),
    risk: ({ risk }) => RISKS.indexOf(risk),
    group: (change) => (change.group === undefined ? 0 : GROUPS.indexOf(change.group) + 1),
    site: ({ device }) => site.codeOf(device.site),
    make: ({ device }) => make.codeOf(vendorAndModel(device)),
    place: ({ at, lines }) => placeCode(at, lines),
    wave: (change) => wave.codeOf(change.wave),
    window: (change) => windowCode(change.window),
    losers: (change) => losers.codeOf(change.losers?.map((at) => placeCode(at))),
  };
  return () => partCoder(code, shared, options.page);
}

/** The origin of a change: its place, and the changed lines if known. */
type Placed = Pick<Change, 'at' | 'lines'>;

/** Plans share equal places, and equal lists of lines, as one object each. */
function codeByPlace(codeOf: (placed: Placed) => number) {
  const known = new WeakMap<Change['at'], Map<Change['lines'], number>>();
  return (at: Change['at'], lines?: Change['lines']): number => {
    const codes = known.get(at) ?? new Map<Change['lines'], number>();
    known.set(at, codes);
    const code = codes.get(lines) ?? codeOf({ at, ...(lines && { lines }) });
    codes.set(lines, code);
    return code;
  };
}

function partCoder(
  code: Omit<Coder['code'], 'reason' | 'edit'>,
  shared: {
    readonly [Name in Exclude<keyof ReportPart['entries'], 'reason' | 'edit'>]: {
      fresh(): ReportPart['entries'][Name];
    };
  },
  page: PageTime,
): Coder {
  const reason = dictionary((raw: TimelessReason) => reasonEntry(raw, page));
  const edit = dictionary(toEdit);
  return {
    code: {
      ...code,
      reason: ({ reason: { code, why, params } }) =>
        reason.codeOf({ code, ...(why && { why }), ...(params && { params }) }),
      edit: ({ before, after }) => edit.codeOf([before, after]),
    },
    fresh: () => ({
      site: shared.site.fresh(),
      make: shared.make.fresh(),
      place: shared.place.fresh(),
      wave: shared.wave.fresh(),
      window: shared.window.fresh(),
      losers: shared.losers.fresh(),
      reason: reason.fresh(),
      edit: edit.fresh(),
    }),
  };
}

/** Values of a column, each sent once; code 0 is "none" and is never sent. */
interface Dictionary<Raw, Entry> {
  /** The code of a value; equal values share one. */
  codeOf(raw: Raw | undefined): number;
  /** The entries added since the last call, in the order of their codes. */
  fresh(): readonly Entry[];
}

/** Creates an empty dictionary. `keyOf` decides which values are equal. */
function dictionary<Raw, Entry>(
  entryOf: (raw: Raw) => Entry,
  keyOf: (raw: Raw) => string = JSON.stringify,
): Dictionary<Raw, Entry> {
  const codes = new Map<string, number>();
  let added: Entry[] = [];
  return {
    codeOf(raw) {
      if (raw === undefined) return 0;
      const key = keyOf(raw);
      const known = codes.get(key);
      if (known !== undefined) return known;
      added.push(entryOf(raw));
      codes.set(key, codes.size + 1);
      return codes.size;
    },
    fresh() {
      const entries = added;
      added = [];
      return entries;
    },
  };
}

/** Plans share equal places and windows as one object, so the code is looked up by the object. */
function byIdentity<Raw extends object, Entry>({
  codeOf,
}: Dictionary<Raw, Entry>): (raw: Raw | undefined) => number {
  const known = new WeakMap<Raw, number>();
  return (raw) => {
    if (raw === undefined) return 0;
    const code = known.get(raw) ?? codeOf(raw);
    known.set(raw, code);
    return code;
  };
}
