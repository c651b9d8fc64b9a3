import type { ForecastRow, PlanForecast } from '../../model/plan/plan-forecast.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { momentText, wallMoment, type PageTime } from '../words/moment.ts';
import { parseInstant } from '../../lib/time.ts';
import { fill, grouped } from '../words/phrase.ts';
import {
  FORECAST_COLUMNS,
  FORECAST_WORDS,
  NO_FORECAST_WORDS,
  REHEARSAL_WORDS,
} from '../words/review/rehearsal-words.ts';
import { own } from './source-lines.ts';

/** How many policies a comment lists; the JSON of the plan has more of them. */
const LISTED = 12;

/** When each policy finishes by a rehearsal, or why none was made. */
export function forecastMarkdown(forecast: PlanForecast, page: PageTime): readonly MarkdownText[] {
  if (forecast.is === 'leftOut') {
    const { why, limit = 0 } = forecast;
    return [own(fill(NO_FORECAST_WORDS[why], { limit }, markdown))];
  }
  const { policies, devices, courses, until, assumesApproval } = forecast;
  const how = own(fill(FORECAST_WORDS.how, { devices, courses }, markdown));
  const approval = own(assumesApproval ? ` ${REHEARSAL_WORDS.approval}.` : '');
  const more = policies.length - LISTED + (forecast.more ?? 0);
  const table =
    policies.length === 0
      ? [own(fill(FORECAST_WORDS.nothing, { until: momentText(until, page) }, own))]
      : [...tableHead(), ...policies.slice(0, LISTED).map((row) => listRow(row, page))];
  return [
    ...table,
    own(''),
    ...(more > 0 ? [own(fill(FORECAST_WORDS.more, { more }, markdown)), own('')] : []),
    mark`${how}${approval}`,
  ];
}

function tableHead(): readonly MarkdownText[] {
  const { policy, devices, done, failed, late, blocked, p50, p95 } = FORECAST_COLUMNS;
  const cells = [policy, devices, done, failed, late, blocked, p50, p95];
  return [`| ${cells.join(' | ')} |`, '| :-- | --: | --: | --: | --: | --: | :-- | :-- |'].map(own);
}

function listRow(row: ForecastRow, page: PageTime): MarkdownText {
  const { policy, devices, done, failed, late, blocked, p50, p95 } = row;
  const counts = [devices, done, failed, late, blocked].map(grouped).join(' | ');
  const instants = [p50, p95].map((text) => parseInstant(text ?? ''));
  const ends = instants.map((at) => (at === undefined ? '-' : wallMoment(at, page))).join(' | ');
  return mark`| ${markdown(policy)} | ${own(counts)} | ${own(ends)} |`;
}
