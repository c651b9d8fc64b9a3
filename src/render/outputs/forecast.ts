import { parseInstant, type Instant } from '../../lib/time.ts';
import type { PlanForecast } from '../../model/plan/plan.ts';
import { data, own, phrase, sentence, type Block, type Inlines, type TableBlock } from '../tree.ts';
import { columnMoment, momentText, type PageTime } from '../words/moment.ts';
import { fill } from '../words/phrase.ts';
import {
  FORECAST_COLUMNS,
  FORECAST_WORDS,
  forecastTitle,
  NO_FORECAST_WORDS,
  REHEARSAL_WORDS,
} from '../words/review/rehearsal-words.ts';
import { cellText } from '../words/review/review-words.ts';

/** How many policies are listed; the plan as JSON has more of them. */
const LISTED = 12;

/** The forecast of a plan: when each policy finishes by a rehearsal, or why it is left out. */
export function forecastBlocks(
  forecast: PlanForecast | undefined,
  page: PageTime,
): readonly Block[] {
  if (!forecast) return [];
  const title = own(forecastTitle(forecast, page));
  return [
    { is: 'section', id: 'forecast', title, isFolded: true, blocks: bodyBlocks(forecast, page) },
  ];
}

function bodyBlocks(forecast: PlanForecast, page: PageTime): readonly Block[] {
  if (forecast.is === 'leftOut') {
    const { why, limit = 0 } = forecast;
    return [sentence(phrase(NO_FORECAST_WORDS[why], { limit }))];
  }
  const { policies, until, devices, courses, more = 0, assumesApproval } = forecast;
  const nothing = own(fill(FORECAST_WORDS.nothing, { until: momentText(until, page) }, String));
  const lines = policies.map(({ p50, p95, ...row }) => ({
    ...row,
    finish: { p50: parseInstant(p50 ?? ''), p95: parseInstant(p95 ?? '') },
  }));
  return [
    policies.length === 0
      ? sentence(nothing)
      : { ...forecastTable(lines, page), most: LISTED, noun: 'policy', left: more },
    sentence(phrase(FORECAST_WORDS.how, { devices, courses })),
    ...(assumesApproval ? [sentence(own(`${REHEARSAL_WORDS.approval}.`))] : []),
  ];
}

const COUNTS = ['devices', 'done', 'failed', 'late', 'blocked'] as const;

type ForecastLine = Readonly<Record<(typeof COUNTS)[number], number>> & {
  readonly policy: string;
  readonly finish: { readonly p50?: Instant | undefined; readonly p95?: Instant | undefined };
};

/** A line for each policy: its devices by how they end, and when it finishes. */
export function forecastTable(policies: readonly ForecastLine[], page: PageTime): TableBlock {
  const { policy, p50, p95 } = FORECAST_COLUMNS;
  return {
    is: 'table',
    label: 'Forecast',
    kind: 'forecast',
    hasAddresses: true,
    columns: [
      { title: policy },
      ...COUNTS.map((name) => ({ title: FORECAST_COLUMNS[name], isNumber: true })),
      { title: p50 },
      { title: p95 },
    ],
    rows: policies.map((row) => ({
      cells: [
        [data(row.policy)],
        ...COUNTS.map((name) => own(cellText(row[name]))),
        finishText(row.finish.p50, page),
        finishText(row.finish.p95, page),
      ],
    })),
  };
}

/** `24 Nov 01:23` for a column, in the zone that the page names; a dash where it does not finish. */
export function finishText(at: Instant | undefined, page: PageTime): Inlines {
  return own(at === undefined ? '-' : columnMoment(at, page));
}
