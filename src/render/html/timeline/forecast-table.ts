import type { ForecastRow, PlanForecast } from '../../../model/plan/plan-forecast.ts';
import { htmlText, markup } from '../../sinks/html-sink.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { momentText, wallMoment, type PageTime } from '../../words/moment.ts';
import { parseInstant } from '../../../lib/time.ts';
import { fill, type Phrase } from '../../words/phrase.ts';
import {
  FORECAST_WORDS,
  finishTitles,
  forecastTitle,
  NO_FORECAST_WORDS,
  PAGE_COLUMNS,
  REHEARSAL_WORDS,
} from '../../words/review/rehearsal-words.ts';
import { countCell, dataTable, NO_VALUE, type TableRow } from '../data-table.ts';
import { pageParagraph, pageSection } from '../page-head.ts';
import { policyName } from '../said.ts';

/** The forecast of a plan: when each policy finishes by a rehearsal, or why it is left out. */
export function forecastHtml(forecast: PlanForecast | undefined, page: PageTime): HtmlText {
  if (!forecast) return markup``;
  return pageSection('forecast', forecastTitle(forecast, page), bodyHtml(forecast, page));
}

/** A sentence as plain text; the sink takes it as a whole. */
function words(phrase: Phrase, params: Readonly<Record<string, string | number>>): HtmlText {
  return pageParagraph(fill(phrase, params, String).replaceAll('`', ''));
}

function bodyHtml(forecast: PlanForecast, page: PageTime): HtmlText {
  if (forecast.is === 'leftOut')
    return words(NO_FORECAST_WORDS[forecast.why], { limit: forecast.limit ?? 0 });
  const { policies, until, devices, courses, more = 0, assumesApproval } = forecast;
  const list =
    policies.length === 0
      ? words(FORECAST_WORDS.nothing, { until: momentText(until, page) })
      : tableHtml(policies, page);
  const rest = more > 0 ? words(FORECAST_WORDS.more, { more }) : markup``;
  const approval = assumesApproval ? pageParagraph(`${REHEARSAL_WORDS.approval}.`) : markup``;
  return markup`${list}
${rest}${words(FORECAST_WORDS.how, { devices, courses })}${approval}`;
}

function tableHtml(policies: readonly ForecastRow[], page: PageTime): HtmlText {
  const { policy, devices, done, failed, late, blocked } = PAGE_COLUMNS;
  const columns = [
    { title: policy },
    ...[devices, done, failed, late, blocked].map((title) => ({ title, isNumber: true })),
    ...finishTitles(page).map((title) => ({ title })),
  ];
  return dataTable({
    label: 'Forecast',
    kind: 'forecast',
    columns,
    rows: policies.map((row) => tableRow(row, page)),
  });
}

function tableRow(row: ForecastRow, page: PageTime): TableRow {
  const ends = [row.p50, row.p95].map((text = '') => {
    const at = parseInstant(text);
    return at === undefined ? NO_VALUE : htmlText(wallMoment(at, page));
  });
  return {
    cells: [
      policyName(row.policy),
      countCell(row.devices),
      countCell(row.done),
      { html: countCell(row.failed), kind: 'person' },
      { html: countCell(row.late), kind: 'later' },
      { html: countCell(row.blocked), kind: 'person' },
      ...ends,
    ],
  };
}
