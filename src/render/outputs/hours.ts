import { parseInstant, type Instant } from '../../lib/time.ts';
import {
  data,
  joined,
  own,
  say,
  strong,
  told,
  type Block,
  type Fact,
  type Inlines,
} from '../tree.ts';
import { windowRows, type TimeSpan, type WindowRow } from '../view/opening.ts';
import type { PlanView } from '../view/view.ts';
import { UTC, zoneClock } from '../words/local.ts';
import { longDay, wallMoment, wallTime, type PageTime } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { PLAN_WINDOW_WORDS } from '../words/report-words.ts';

/** How many openings of a window are listed; the JSON and the page have more. */
const LISTED = 3;

/**
 * The windows of the changes: when each opens next, in local time, and which freezes close it.
 * None if every window is always open.
 */
export function hoursBlocks({
  hours,
  evaluatedAt,
}: Pick<PlanView, 'hours' | 'evaluatedAt'>): readonly Block[] {
  const now = parseInstant(evaluatedAt) ?? 0;
  const rows = windowRows(hours).filter(({ spans }) => !isAlways(spans));
  if (!hours || rows.length === 0) return [];
  const entries = rows.map((row) => {
    const { name, zone, changes, freezes } = row;
    const clock = zoneClock(zone ?? 'UTC') ?? UTC;
    const frozen = freezes.map((freeze) => frozenText(freeze, { now, clock }));
    const title = say`${strong([data(name)])}, ${clock.zone} · ${own(counted(changes, 'change'))}`;
    const facts = [
      openingFact(row, hours.until, { now, clock }),
      ...(frozen.length > 0 ? [{ label: 'frozen', text: joined(frozen, '; ') }] : []),
    ];
    return { count: changes, title, facts };
  });
  const list = { is: 'entries', entries, noun: 'window' } as const;
  const about = { id: 'windows', title: own('Windows'), count: rows.length, isFolded: true };
  return [{ is: 'section', ...about, blocks: [list] }];
}

function isAlways(spans: readonly TimeSpan[]): boolean {
  return spans.some(({ open, close }) => open === -Infinity && close === Infinity);
}

interface RowTime extends PageTime {
  readonly now: Instant;
}

function openingFact({ spans, more }: WindowRow, until: string, page: RowTime): Fact {
  const left = spans.filter(({ close }) => close > page.now);
  if (left.length === 0) {
    const end = wallMoment(parseInstant(until) ?? Infinity, page);
    return { label: 'opens', text: words('never', { until: end }) };
  }
  const texts = left.slice(0, LISTED).map((span) => openingText(span, page));
  const rest = Math.max(0, left.length - LISTED) + more;
  const others = rest > 0 ? [words('more', { more: grouped(rest) })] : [];
  return { label: 'open', text: joined([...texts, ...others], '; ') };
}

/** `Tue 24 Nov 01:00 to 05:00`; with a second day if it ends on another day. */
function openingText({ open, close }: TimeSpan, page: RowTime): Inlines {
  const opens = Number.isFinite(open) ? wallMoment(open, page) : '';
  if (!Number.isFinite(close))
    return open <= page.now ? words('now', {}) : words('from', { opens });
  const closes = wallMoment(close, page);
  if (open <= page.now) return words('until', { closes });
  const isOneDay = longDay(open, page) === longDay(close, page);
  return words('span', { opens, closes: isOneDay ? wallTime(close, page) : closes });
}

function frozenText({ name, spans }: WindowRow['freezes'][number], page: PageTime): Inlines {
  const [first] = spans;
  if (!first || !Number.isFinite(first.close)) return [data(name)];
  return words('frozen', { name, closes: wallMoment(first.close, page) });
}

/** Of the words about windows; the instants among their parameters are ours, and names are data. */
function words(
  key: keyof typeof PLAN_WINDOW_WORDS,
  params: Readonly<Record<string, string>>,
): Inlines {
  return told((sink) =>
    fill(PLAN_WINDOW_WORDS[key], params, (text) => (text === params['name'] ? sink(text) : text)),
  );
}
