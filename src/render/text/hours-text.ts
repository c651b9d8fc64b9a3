import { parseInstant, type Instant } from '../../lib/time.ts';
import { labelled } from '../print/terminal.ts';
import { zoneClock, UTC } from '../words/local.ts';
import { longDay, wallMoment, wallTime, type PageTime } from '../words/moment.ts';
import { windowRows, type TimeSpan, type WindowRow } from '../view/opening.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { PLAN_WINDOW_WORDS } from '../words/report-words.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import type { PlanView } from '../view/view.ts';

/** How many openings of a window are listed; the JSON and the HTML report have more. */
const LISTED = 3;

/**
 * The windows of the changes: when each opens next, in local time, and which freezes close it.
 * Empty if every window is always open.
 */
export function* hoursLines(
  { hours, evaluatedAt }: Pick<PlanView, 'hours' | 'evaluatedAt'>,
  style: TextStyle,
): Generator<TerminalText> {
  const now = parseInstant(evaluatedAt) ?? 0;
  const rows = windowRows(hours).filter(({ spans }) => !isAlways(spans));
  if (!hours || rows.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Windows: ${grouped(rows.length)}`));
  for (const row of rows) {
    const { name, zone, changes, freezes } = row;
    const clock = zoneClock(zone ?? 'UTC') ?? UTC;
    yield say``;
    const title = tint(style.paint, 'bold', terminal(name));
    yield say`  ${title}, ${terminal(clock.zone)} · ${terminal(counted(changes, 'change'))}`;
    const listed = describeOpenings(row, hours.until, { now, clock });
    yield* labelled(listed.label, join(listed.texts, '; '), style);
    if (freezes.length > 0)
      yield* labelled(
        'frozen',
        join(
          freezes.map((freeze) => frozenText(freeze, { now, clock })),
          '; ',
        ),
        style,
      );
  }
}

function isAlways(spans: readonly TimeSpan[]): boolean {
  return spans.some(({ open, close }) => open === -Infinity && close === Infinity);
}

interface RowTime extends PageTime {
  readonly now: Instant;
}

function describeOpenings(
  { spans, more }: WindowRow,
  until: string,
  page: RowTime,
): { readonly label: string; readonly texts: readonly TerminalText[] } {
  const left = spans.filter(({ close }) => close > page.now);
  if (left.length === 0)
    return {
      label: 'opens',
      texts: [words('never', { until: wallMoment(parseInstant(until) ?? Infinity, page) })],
    };
  const texts = left.slice(0, LISTED).map((span) => openingText(span, page));
  const rest = Math.max(0, left.length - LISTED) + more;
  return {
    label: 'open',
    texts: rest > 0 ? [...texts, words('more', { more: grouped(rest) })] : texts,
  };
}

/** `Tue 24 Nov 01:00 to 05:00`; with a second day if it ends on another day. */
function openingText({ open, close }: TimeSpan, page: RowTime): TerminalText {
  const opens = Number.isFinite(open) ? wallMoment(open, page) : '';
  if (!Number.isFinite(close))
    return open <= page.now ? words('now', {}) : words('from', { opens });
  const closes = wallMoment(close, page);
  if (open <= page.now) return words('until', { closes });
  const isOneDay = longDay(open, page) === longDay(close, page);
  return words('span', { opens, closes: isOneDay ? wallTime(close, page) : closes });
}

function frozenText({ name, spans }: WindowRow['freezes'][number], page: PageTime): TerminalText {
  const [first] = spans;
  if (!first || !Number.isFinite(first.close)) return terminal(name);
  return words('frozen', { name, closes: wallMoment(first.close, page) });
}

function words(
  key: keyof typeof PLAN_WINDOW_WORDS,
  params: Readonly<Record<string, string>>,
): TerminalText {
  return fill(PLAN_WINDOW_WORDS[key], params, terminal) as TerminalText;
}
