import { zoneClock, UTC, type ZoneClock } from '../../words/local.ts';
import { longDay, wallMoment, wallTime, type PageTime } from '../../words/moment.ts';
import { counted, grouped } from '../../words/phrase.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { FreezeRow, TimeSpan, WindowRow } from '../../view/opening.ts';
import { axis, type Scale } from './axis.ts';
import { AXIS, bar, heading, LANE, laneLabel, left, type Drawn } from './lane.ts';

/** How many zones one drawing has; the table has the rest. */
const ZONES = 12;
const LANES = 6;
const SPANS = 100;

/**
 * The windows of the changes and the freezes that close them, those of each time zone under an axis
 * in its local time.
 */
export function windowLanes(windows: readonly WindowRow[], scale: Scale, start: number): Drawn {
  const zones = [...new Set(windows.map(({ zone }) => zone ?? ''))];
  const pieces: HtmlText[] = [];
  let y = start;
  for (const zone of zones.slice(0, ZONES)) {
    const mine = windows.filter((row) => (row.zone ?? '') === zone);
    const drawn = zoneLanes(zone, mine, { scale, start: y });
    pieces.push(...drawn.pieces);
    y = drawn.y;
  }
  const more = zones.length - ZONES;
  if (more > 0) {
    pieces.push(left(`and ${counted(more, 'time zone')} more: see the table`, y));
    y += 22;
  }
  return { pieces, y };
}

function zoneLanes(
  zone: string,
  windows: readonly WindowRow[],
  { scale, start }: { readonly scale: Scale; readonly start: number },
): Drawn {
  const clock = zoneClock(zone) ?? UTC;
  const name = zone === '' || zone === clock.zone ? clock.zone : `${zone}: UTC`;
  const freezes = freezesIn(windows);
  let y = start + AXIS;
  const pieces: HtmlText[] = [];
  for (const row of windows.slice(0, LANES)) {
    pieces.push(windowLane(row, { clock, scale, y }));
    y += LANE;
  }
  for (const row of freezes.slice(0, LANES)) {
    pieces.push(freezeLane(row, { clock, scale, y }));
    y += LANE;
  }
  const more = Math.max(0, windows.length - LANES) + Math.max(0, freezes.length - LANES);
  if (more > 0) {
    pieces.push(left(`and ${grouped(more)} more: see the table`, y));
    y += 22;
  }
  const ticks = axis(clock, scale, { y: start + 14, to: y });
  return { pieces: [heading(name, start + 14, markup`zone`), ...ticks, ...pieces], y: y + 14 };
}

interface Place {
  readonly clock: ZoneClock;
  readonly scale: Scale;
  readonly y: number;
}

function windowLane(row: WindowRow, { clock, scale, y }: Place): HtmlText {
  const bars = row.spans
    .slice(0, SPANS)
    .flatMap((span) => bar(span, scale, { y, kind: markup`window` }) ?? []);
  const closed = row.freezes
    .flatMap(({ spans }) => spans)
    .flatMap((span) => bar(span, scale, { y, kind: markup`freeze thin`, height: 6 }) ?? []);
  const about = `${nextText(row, { clock, now: scale.now })}, ${counted(row.changes, 'change')}`;
  return markup`${laneLabel(row.name, about, y)}<g>
<title>${htmlText(`${row.name}: ${about}`)}</title>${closed}${bars}</g>`;
}

/** `open until Tue 24 Nov 05:00`, or when it opens next. */
export function nextText(
  { spans }: Pick<WindowRow, 'spans'>,
  page: PageTime & { readonly now: number },
): string {
  const [next] = spans;
  if (!next) return 'opens at no time that is known';
  const until = Number.isFinite(next.close);
  if (next.open <= page.now) return until ? `open until ${wallMoment(next.close, page)}` : 'open';
  return `opens ${spanText(next, page)}`;
}

/** `Tue 24 Nov 01:00–05:00`, or `Sat 28 Nov 23:00 – Sun 29 Nov 05:00`, in the zone of the page. */
export function spanText({ open, close }: TimeSpan, page: PageTime): string {
  const from = Number.isFinite(open) ? wallMoment(open, page) : '';
  if (!Number.isFinite(close)) return from === '' ? 'always' : `from ${from}`;
  const to = wallMoment(close, page);
  if (from === '') return `until ${to}`;
  if (longDay(open, page) === longDay(close, page)) return `${from}–${wallTime(close, page)}`;
  return `${from} – ${to}`;
}

/** The freezes of windows, once for each time span. */
export function freezesIn(windows: readonly WindowRow[]): readonly FreezeRow[] {
  const rows = windows.flatMap(({ freezes }) => freezes);
  const byText = new Map(rows.map((row) => [JSON.stringify([row.name, row.spans]), row]));
  return [...byText.values()];
}

function freezeLane(row: FreezeRow, { clock, scale, y }: Place): HtmlText {
  const bars = row.spans.flatMap((span) => bar(span, scale, { y, kind: markup`freeze` }) ?? []);
  const times = row.spans.map((span) => spanText(span, { clock, now: scale.now })).join('; ');
  const about = row.note ? `${freezeKind(row)}: ${row.note.reason}` : freezeKind(row);
  return markup`${laneLabel(row.name, about, y)}<g>
<title>${htmlText(`${row.name}, ${about}, ${times}`)}</title>${bars}</g>`;
}

/** A hard freeze also stops changes that break glass lets pass. */
export function freezeKind({ note }: FreezeRow): string {
  return note?.hard === true ? 'hard freeze' : 'freeze';
}
