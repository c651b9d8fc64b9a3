import { zoneClock, UTC } from '../../words/local.ts';
import { wallMoment, type PageTime } from '../../words/moment.ts';
import { counted } from '../../words/phrase.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { FreezeRow, WindowRow } from '../../view/opening.ts';
import type { WaveBar } from '../../view/timeline.ts';
import { countCell, dataTable, NO_CELL, type TableRow } from '../data-table.ts';
import { named, numberHtml, placed, policyName } from '../said.ts';
import { freezeKind, spanText } from './window-lanes.ts';
import { HELD_WORDS } from '../words.ts';

/** Rows of each table, and spans of each window; the plan as JSON has all of them. */
const ROWS = 200;
const SPANS = 8;

/** When the waves of each policy may start, and how long each one soaks. */
export function waveTable(waves: readonly WaveBar[], page: PageTime): HtmlText {
  if (waves.length === 0) return markup``;
  const rows = waves
    .slice(0, ROWS)
    .map(({ policy, wave, changes, from, to, soak = '', held }): TableRow => ({
      cells: [
        policyName(policy),
        nameCell(wave),
        countCell(changes),
        htmlText(wallMoment(from, page)),
        htmlText(soak),
        htmlText(soak === '' ? '' : wallMoment(to, page)),
        htmlText(held ? HELD_WORDS[held] : ''),
      ],
    }));
  const { zone } = page.clock ?? UTC;
  const times = [`From (${zone})`, 'Soak', `Until (${zone})`];
  const titles = ['Policy', 'Wave', 'Changes', ...times, 'Blocked by'];
  return timesTable('Waves', titles, [...rows, ...more(waves.length)]);
}

/** When windows are open, each in its own time zone. */
export function windowTable(windows: readonly WindowRow[], page: PageTime): HtmlText {
  if (windows.length === 0) return markup``;
  const rows = windows
    .slice(0, ROWS)
    .map(({ name, zone, spans, changes, freezes, more: left }): TableRow => {
      const clock = zoneClock(zone ?? '') ?? UTC;
      const shown = spans.slice(0, SPANS);
      const others = spans.length - shown.length + left;
      const rest = others > 0 ? markup`, and ${htmlText(counted(others, 'time'))} more` : markup``;
      const times = shown.map((span) => spanText(span, { ...page, clock })).join(', ');
      return {
        cells: [
          named(name),
          nameCell(zone ?? ''),
          markup`${htmlText(times || 'at no time that is known')}${rest}`,
          nameCell(freezes.map((freeze) => freeze.name).join(', ')),
          countCell(changes),
        ],
      };
    });
  const titles = ['Window', 'Time zone', 'Open, local time', 'Freezes', 'Changes'];
  return timesTable('Windows', titles, [...rows, ...more(windows.length)]);
}

/** When freezes apply, why, and whom to ask. */
export function freezeTable(freezes: readonly FreezeRow[], page: PageTime): HtmlText {
  if (freezes.length === 0) return markup``;
  const rows = freezes.slice(0, ROWS).map((freeze): TableRow => {
    const { name, spans, note } = freeze;
    const times = spans.map((span) => spanText(span, page)).join(', ');
    return {
      cells: [
        named(name),
        htmlText(freezeKind(freeze)),
        htmlText(times),
        nameCell(note?.reason ?? ''),
        nameCell(note?.owner ?? ''),
        nameCell(note?.ticket ?? ''),
        note ? placed(note.at) : NO_CELL,
        note ? countCell(note.changes) : NO_CELL,
      ],
    };
  });
  const titles = [
    'Freeze',
    'Kind',
    `Applies (${(page.clock ?? UTC).zone})`,
    'Reason',
    'Owner',
    'Ticket',
    'Defined at',
    'Changes',
  ];
  return timesTable('Freezes', titles, [...rows, ...more(freezes.length)]);
}

function timesTable(label: string, titles: readonly string[], rows: readonly TableRow[]): HtmlText {
  const columns = titles.map((title) => ({ title, isNumber: title === 'Changes' }));
  return dataTable({ label, kind: 'times', columns, rows });
}

function nameCell(name: string): HtmlText {
  return name === '' ? NO_CELL : named(name);
}

function more(all: number): readonly TableRow[] {
  if (all <= ROWS) return [];
  return [{ spans: markup`and ${numberHtml(all - ROWS)} more; the plan as JSON has all of them` }];
}
