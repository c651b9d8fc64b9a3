import type { FleetReport, ReportRow } from '../../../model/report/fleet-report.ts';
import { SMALLEST_INSTANT } from '../../../lib/time.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import {
  availabilityColumns,
  availabilityBasis,
  availabilityWords,
  FLEET_WORDS,
  placesLeftWords,
} from '../../words/fleet/fleet-words.ts';
import { moment } from '../../words/moment.ts';
import { countCell, dataTable } from '../data-table.ts';
import { pageSection } from '../page-head.ts';
import { named, fixed } from '../said.ts';
import { percentHtml } from './measures.ts';

/** How many places have a row of their own. */
const NAMED = 25;

/** Availability over time as a line, then by site and type, the lowest first. */
export function availabilityHtml(report: Pick<FleetReport, 'availability' | 'sources'>): HtmlText {
  const { rows, totals } = report.availability;
  const columns = availabilityColumns(report);
  const [whole, ...places] = totals;
  if (!whole) return markup``;
  const lowest = places.toSorted((a, b) => value(a) - value(b)).slice(0, NAMED);
  const table = dataTable({
    label: 'Availability by site and type',
    kind: 'sites places',
    columns: [
      { title: 'Site' },
      { title: 'Type' },
      ...['Devices', ...columns.map(([, title]) => title), 'Available'].map((title) => ({
        title,
        isNumber: true,
      })),
    ],
    rows: lowest.map((total) => ({
      cells: [
        named(String(total['site'] || FLEET_WORDS.noSite)),
        named(String(total['deviceType'] ?? '')),
        ...['devices', ...columns.map(([name]) => name)].map((name) =>
          countCell(Number(total[name])),
        ),
        availabilityCell(total, report),
      ],
    })),
  });
  const left = places.length - lowest.length;
  const more =
    left > 0 ? markup`<p class="about basis">${htmlText(placesLeftWords(left))}</p>` : markup``;
  const body = markup`${linePlot(rows)}
<p class="about basis">${htmlText(availabilityBasis(report))}</p>
${table}${more}`;
  return pageSection('availability-title', 'Availability', body, percentHtml(share(whole)));
}

function availabilityCell(total: ReportRow, report: Pick<FleetReport, 'sources'>): HtmlText {
  const words = availabilityWords(total, report);
  return words === undefined ? percentHtml(null) : htmlText(words);
}

function share(total: ReportRow): number | null {
  const found = total['availability'];
  return typeof found === 'number' ? found : null;
}

/** Places of which nothing is known come last. */
function value(total: ReportRow): number {
  return share(total) ?? 101;
}

interface Point {
  readonly at: number;
  readonly percent: number;
}

const PLOT = { width: 800, height: 220, left: 56, right: 16, top: 16, bottom: 32 };

/** The share of devices up in each snapshot; at least two are needed for a line. */
function linePlot(rows: readonly ReportRow[]): HtmlText {
  const points = sumSnapshots(rows);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first.at === last.at) return markup``;
  const lowest = Math.min(...points.map(({ percent }) => percent));
  const floor = Math.max(0, Math.min(90, Math.floor(lowest / 10) * 10));
  const x = (at: number): number =>
    PLOT.left + ((at - first.at) / (last.at - first.at)) * (PLOT.width - PLOT.left - PLOT.right);
  const y = (percent: number): number =>
    PLOT.top + ((100 - percent) / (100 - floor)) * (PLOT.height - PLOT.top - PLOT.bottom);
  const grid = [floor, (floor + 100) / 2, 100].map(
    (percent) => markup`<line class="grid" x1="${PLOT.left}" x2="${PLOT.width - PLOT.right}"
y1="${fixed(y(percent))}" y2="${fixed(y(percent))}"/>
<text x="${PLOT.left - 8}" y="${fixed(y(percent) + 4)}" text-anchor="end">${htmlText(`${percent}%`)}</text>`,
  );
  const path = points.map(({ at, percent }) => `${x(at).toFixed(1)},${y(percent).toFixed(1)}`);
  const dots = points.map(
    ({ at, percent }) =>
      markup`<circle class="dot" cx="${fixed(x(at))}" cy="${fixed(y(percent))}" r="3"><title
>${htmlText(`${moment(at)}: ${percent.toFixed(1)}%`)}</title></circle>`,
  );
  const found = `${points.length} snapshots, lowest ${lowest.toFixed(1)}%`;
  const label = `Devices up in percent, from ${moment(first.at)} to ${moment(last.at)}: ${found}`;
  return markup`<div class="wide" role="region" aria-label="Availability over time" tabindex="0">
<svg class="over-time" viewBox="0 0 ${PLOT.width} ${PLOT.height}" role="img" aria-label="${htmlText(label)}">
${grid}<polyline class="line" points="${htmlText(path.join(' '))}"/>${dots}
<text x="${PLOT.left}" y="${PLOT.height - 10}">${htmlText(moment(first.at))}</text>
<text x="${PLOT.width - PLOT.right}" y="${PLOT.height - 10}" text-anchor="end">${htmlText(moment(last.at))}</text>
</svg></div>`;
}

/** Snapshots in which something is known, in order of time. */
function sumSnapshots(rows: readonly ReportRow[]): readonly Point[] {
  const sums = new Map<number, { up: number; down: number }>();
  for (const row of rows) {
    const at = Number(row['takenAt']);
    const sum = sums.get(at) ?? { up: 0, down: 0 };
    sums.set(at, sum);
    sum.up += Number(row['up']);
    sum.down += Number(row['down']);
  }
  return [...sums]
    .filter(([at, { up, down }]) => at >= SMALLEST_INSTANT && up + down > 0)
    .map(([at, { up, down }]) => ({ at, percent: (up / (up + down)) * 100 }));
}
