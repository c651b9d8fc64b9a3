import type { OpenSpan } from '../../model/documents/window.ts';
import {
  data,
  own,
  place,
  say,
  small,
  type Block,
  type Inlines,
  type Lane,
  type LaneGroup,
  type TableBlock,
} from '../tree.ts';
import type { FreezeRow, WindowRow } from '../view/opening.ts';
import type { PlanTimeline, WaveBar } from '../view/timeline.ts';
import type { PlanView } from '../view/view.ts';
import { UTC, zoneClock, type ZoneClock } from '../words/local.ts';
import {
  longDay,
  moment,
  momentText,
  wallMoment,
  wallTime,
  type PageTime,
} from '../words/moment.ts';
import { counted, grouped } from '../words/phrase.ts';
import { planTime } from '../words/review/review-words.ts';

/** How many lanes of waves, zones, and lanes of a zone a drawing has; the tables have the rest. */
const WAVES = 40;
const ZONES = 12;
const LANES = 6;

/** How many spans of a window are drawn, and are in its row. */
const DRAWN_SPANS = 100;
const LISTED_SPANS = 8;

/** Why a wave has no end. */
const HELD_WORDS = {
  blocked: 'blocked',
  paused: 'the rollout is paused',
  aborted: 'the rollout is aborted',
} as const;

/** The times at which waves may start, windows are open and freezes apply: as a drawing, and as tables. */
export function timelineBlocks(view: PlanView): readonly Block[] {
  const { waves, windows, freezes, from, to } = view.timeline;
  if (waves.length === 0 && windows.length === 0) return [];
  const page = planTime(view);
  const until = view.hours
    ? ` Windows are known to this plan until ${momentText(view.hours.until, page)}.`
    : '';
  const drawn = [
    { kind: 'wave', text: 'wave starts', isThere: waves.length > 0 },
    { kind: 'soak', text: 'soak', isThere: waves.some(({ soak }) => soak !== undefined) },
    { kind: 'window', text: 'window open', isThere: windows.length > 0 },
    { kind: 'freeze', text: 'freeze', isThere: freezes.length > 0 },
  ];
  const what = [
    counted(waves.length, 'wave'),
    counted(windows.length, 'window'),
    counted(freezes.length, 'freeze'),
  ].join(', ');
  const note = `If every task ends well and no device recovers or goes down.${until}`;
  const tables = [waveTable(waves, page), windowTable(windows, page), freezeTable(freezes, page)];
  return [
    {
      is: 'section',
      id: 'timeline',
      title: own('When'),
      blocks: [
        small(own(note)),
        {
          is: 'plot',
          label: 'Waves, windows and freezes',
          about: `${what}, from ${moment(from, page)} to ${moment(to, page)}. The table below says the same.`,
          from,
          now: from,
          to,
          legend: drawn.filter(({ isThere }) => isThere),
          groups: [...waveGroups(waves, page), ...windowGroups(view.timeline, page)],
        },
        {
          is: 'section',
          id: 'times',
          title: own('The same as a table'),
          isClosed: true,
          blocks: tables.filter(({ rows }) => rows.length > 0),
        },
      ],
    },
  ];
}

/** The least drawn width of a wave. */
const SHORT = 3_600_000;

/** The waves of each policy as lanes: the start, then the soak. */
function waveGroups(waves: readonly WaveBar[], page: PageTime): readonly LaneGroup[] {
  if (waves.length === 0) return [];
  const { clock = UTC } = page;
  const more = waves.length - WAVES;
  return [
    {
      title: clock.zone,
      clock,
      lanes: waves.slice(0, WAVES).map((wave) => waveLane(wave, page)),
      ...(more > 0 && { more: `and ${grouped(more)} more: see the table` }),
    },
  ];
}

function waveLane(bar: WaveBar, page: PageTime): Lane {
  const { policy, wave, changes, from, last, to, soak, held } = bar;
  const state = held ? ' held' : '';
  const about = [
    counted(changes, 'change'),
    ...(soak === undefined ? [] : [`soak ${soak}`]),
    ...(held ? [HELD_WORDS[held]] : []),
  ].join(', ');
  return {
    ...(wave !== '' && { under: policy }),
    name: wave || policy,
    about,
    times: `from ${moment(from, page)} until ${moment(to, page)}`,
    spans: [
      ...(soak === undefined ? [] : [{ open: from, close: to, kind: `soak${state}` }]),
      { open: from, close: Math.max(last, Math.min(to, from + SHORT)), kind: `wave${state}` },
    ],
  };
}

/** The windows of the changes and the freezes that move them, those of each time zone under an axis in its local time. */
function windowGroups(
  { windows, freezes: frozen, from: now }: PlanTimeline,
  { clock: own = UTC }: PageTime,
): readonly LaneGroup[] {
  const zoneOf = ({ zone = own.zone }: FreezeRow): string => zone;
  const zones = [...new Set([...windows.map(({ zone }) => zone ?? ''), ...frozen.map(zoneOf)])];
  const left = zones.length - ZONES;
  return zones.slice(0, ZONES).map((zone, index) => {
    const clock = zoneClock(zone) ?? UTC;
    const rows = windows.filter((row) => (row.zone ?? '') === zone);
    const freezes = frozen.filter((row) => zoneOf(row) === zone);
    const page = { clock, now };
    const more = Math.max(0, rows.length - LANES) + Math.max(0, freezes.length - LANES);
    const rest = [
      ...(more > 0 ? [`${grouped(more)} more`] : []),
      ...(left > 0 && index === ZONES - 1 ? [counted(left, 'more time zone')] : []),
    ];
    return {
      title: zone === '' || zone === clock.zone ? clock.zone : `${zone}: UTC`,
      clock,
      lanes: [
        ...rows.slice(0, LANES).map((row) => windowLane(row, page)),
        ...freezes.slice(0, LANES).map((row) => ({
          name: row.freeze,
          about: `${freezeKind(row)}: ${row.reason}`,
          times: spanText(row.span, page),
          spans: [{ ...row.span, kind: 'freeze' }],
        })),
      ],
      ...(rest.length > 0 && { more: `and ${rest.join(' and ')}: see the table` }),
    };
  });
}

type At = PageTime & { readonly now: number };

function windowLane(row: WindowRow, page: At): Lane {
  return {
    name: row.name,
    about: `${nextText(row, page)}, ${counted(row.changes, 'change')}`,
    spans: row.spans.slice(0, DRAWN_SPANS).map((span) => ({ ...span, kind: 'window' })),
  };
}

/** `open until Tue 24 Nov 05:00`, or when it opens next. */
function nextText({ spans }: Pick<WindowRow, 'spans'>, page: At): string {
  const [next] = spans;
  if (!next) return 'opens at no time that is known';
  const until = Number.isFinite(next.close);
  if (next.open <= page.now) return until ? `open until ${wallMoment(next.close, page)}` : 'open';
  return `opens ${spanText(next, page)}`;
}

/** `Tue 24 Nov 01:00–05:00`, or `Sat 28 Nov 23:00 – Sun 29 Nov 05:00`, in the zone of the page. */
function spanText({ open, close }: OpenSpan, page: PageTime): string {
  const from = Number.isFinite(open) ? wallMoment(open, page) : '';
  if (!Number.isFinite(close)) return from === '' ? 'always' : `from ${from}`;
  const to = wallMoment(close, page);
  if (from === '') return `until ${to}`;
  if (longDay(open, page) === longDay(close, page)) return `${from}–${wallTime(close, page)}`;
  return `${from} – ${to}`;
}

/** A hard freeze also stops changes that break glass lets pass. */
function freezeKind({ hard }: FreezeRow): string {
  return hard ? 'hard freeze' : 'freeze';
}

/** When the waves of each policy may start, and how long each one soaks. */
function waveTable(waves: readonly WaveBar[], page: PageTime): TableBlock {
  const { zone } = page.clock ?? UTC;
  const titles = [
    'Policy',
    'Wave',
    'Changes',
    `From (${zone})`,
    'Soak',
    `Until (${zone})`,
    'Blocked by',
  ];
  return timesTable(
    'Waves',
    titles,
    waves.map(({ policy, wave, changes, from, to, soak, held }) => [
      [data(policy)],
      nameCell(wave),
      own(grouped(changes)),
      own(wallMoment(from, page)),
      own(soak ?? ''),
      own(soak === undefined ? '' : wallMoment(to, page)),
      own(held ? HELD_WORDS[held] : ''),
    ]),
  );
}

/** When windows are open, each in its own time zone. */
function windowTable(windows: readonly WindowRow[], page: PageTime): TableBlock {
  const titles = ['Window', 'Time zone', 'Open, local time', 'Changes'];
  return timesTable(
    'Windows',
    titles,
    windows.map(({ name, zone = '', spans, changes, more }) => {
      const clock: ZoneClock = zoneClock(zone) ?? UTC;
      const shown = spans.slice(0, LISTED_SPANS);
      const others = spans.length - shown.length + more;
      const times = shown.map((span) => spanText(span, { ...page, clock })).join(', ');
      const rest = others > 0 ? `, and ${counted(others, 'time')} more` : '';
      return [
        [data(name)],
        nameCell(zone),
        own(`${times || 'at no time that is known'}${rest}`),
        own(grouped(changes)),
      ];
    }),
  );
}

/** When freezes apply, why, and whom to ask. */
function freezeTable(freezes: readonly FreezeRow[], page: PageTime): TableBlock {
  const { zone } = page.clock ?? UTC;
  const titles = [
    'Freeze',
    'Kind',
    `Applies (${zone})`,
    'Reason',
    'Owner',
    'Ticket',
    'Defined at',
    'Changes',
  ];
  return timesTable(
    'Freezes',
    titles,
    freezes.map((row) => [
      [data(row.freeze)],
      own(freezeKind(row)),
      own(spanText(row.span, page)),
      nameCell(row.reason),
      nameCell(row.owner),
      nameCell(row.ticket),
      say`${place(row.at)}`,
      own(grouped(row.changes)),
    ]),
  );
}

function timesTable(
  label: string,
  titles: readonly string[],
  rows: readonly (readonly Inlines[])[],
): TableBlock {
  const columns = titles.map((title) => ({ title, isNumber: title === 'Changes' }));
  return { is: 'table', label, kind: 'times', columns, rows: rows.map((cells) => ({ cells })) };
}

function nameCell(name: string): Inlines {
  return name === '' ? [] : [data(name)];
}
