import { parseInstant, type Instant } from '../../../lib/time.ts';
import type { ForecastRow, PlanForecast } from '../../../model/plan/plan-forecast.ts';
import { cutAddresses } from '../../sinks/addresses.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { wrap } from '../../sinks/wrap.ts';
import { momentText, columnMoment, type PageTime } from '../../words/moment.ts';
import { fill, type Phrase } from '../../words/phrase.ts';
import {
  FORECAST_COLUMNS,
  FORECAST_WORDS,
  forecastTitle,
  NO_FORECAST_WORDS,
  REHEARSAL_WORDS,
} from '../../words/review/rehearsal-words.ts';
import { cellText } from '../../words/review/review-words.ts';

/** How many policies are listed; the plan as JSON has more of them. */
const LISTED = 12;

/** The forecast of a plan: when each policy finishes by a rehearsal, or why it is left out. */
export function* forecastLines(
  forecast: PlanForecast | undefined,
  page: PageTime,
  style: TextStyle,
): Generator<TerminalText> {
  if (!forecast) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(forecastTitle(forecast, page)));
  const words = (phrase: Phrase, params: Record<string, string | number>): Iterable<TerminalText> =>
    wrap(say`  ${fill(phrase, params, terminal) as TerminalText}`, style.width, 2);
  if (forecast.is === 'leftOut')
    return yield* words(NO_FORECAST_WORDS[forecast.why], { limit: forecast.limit ?? 0 });
  const { policies, until, devices, courses, assumesApproval } = forecast;
  const more = policies.length - LISTED + (forecast.more ?? 0);
  if (policies.length === 0)
    yield* words(FORECAST_WORDS.nothing, { until: momentText(until, page) });
  else yield* forecastTable(policies.slice(0, LISTED).map(withInstants), page, style);
  if (more > 0) yield* words(FORECAST_WORDS.more, { more });
  yield* words(FORECAST_WORDS.how, { devices, courses });
  if (assumesApproval) yield* words(REHEARSAL_WORDS.approval, {});
}

type Counts = Pick<ForecastRow, 'policy' | 'devices' | 'done' | 'failed' | 'late' | 'blocked'>;

export type ForecastLine = Counts & { readonly p50?: Instant; readonly p95?: Instant };

function withInstants({ p50, p95, ...row }: ForecastRow): ForecastLine {
  const [half, most] = [p50, p95].map((at) => parseInstant(at ?? ''));
  return {
    ...row,
    ...(half !== undefined && { p50: half }),
    ...(most !== undefined && { p95: most }),
  };
}

/** A line for each policy: its devices by how they end, and when it finishes. */
export function forecastTable(
  policies: readonly ForecastLine[],
  page: PageTime,
  { width, paint }: TextStyle,
): readonly TerminalText[] {
  const { policy, all, done, failed, late, blocked, p50, p95 } = FORECAST_COLUMNS;
  const header = [policy, all, done, failed, late, blocked, p50, p95];
  const names = cutAddresses(
    policies.map((each) => terminal(each.policy)),
    Math.max(16, width - 60),
  );
  const rows = policies.map((each, index) => [
    names[index] ?? terminal(each.policy),
    ...[each.devices, each.done, each.failed, each.late, each.blocked].map((count) =>
      terminal(cellText(count)),
    ),
    finishText(each.p50, page),
    finishText(each.p95, page),
  ]);
  return table(rows, {
    width,
    header: header.map((text) => terminal(text.toUpperCase())),
    align: ['left', 'right', 'right', 'right', 'right', 'right', 'left', 'left'],
    head: (line) => tint(paint, 'dim', line),
  });
}

/** `24 Nov 01:23` for a column, in the zone that the page names; a dash where it does not finish. */
export function finishText(at: Instant | undefined, page: PageTime): TerminalText {
  return at === undefined ? say`-` : terminal(columnMoment(at, page));
}
