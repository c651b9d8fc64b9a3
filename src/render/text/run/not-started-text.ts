import type { Ending } from '../../../model/ledger/run-report.ts';
import { tint } from '../../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import {
  foldNotStarted,
  NOT_STARTED_COLUMNS,
  type NotStartedGroup,
} from '../../view/not-started.ts';
import type { PageTime } from '../../words/moment.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { RUN_TITLES } from '../../words/review/review-words.ts';
import { endingNext, endingWhy } from './ending-text.ts';
import { policiesText } from '../../outputs/review.ts';
import { inlineText } from '../../print/terminal.ts';
import { locatedText } from '../class-text.ts';

/** Up to this number of devices each is named; of more, only the sites and the number are given. */
const NAMED = 3;

/** How many policies of a reason are named. */
const POLICIES = 3;

const HANG = 8;

/**
 * What a run did not send, by who has to act: each reason once, with its policies, a few devices and
 * the next step.
 */
export function* notStartedLines(
  endings: readonly Ending[],
  style: TextStyle & { readonly page: PageTime },
): Generator<TerminalText> {
  const columns = foldNotStarted(endings);
  for (const column of NOT_STARTED_COLUMNS) {
    const groups = columns.get(column) ?? [];
    if (groups.length === 0) continue;
    const total = groups.reduce((sum, each) => sum + each.endings.length, 0);
    yield say``;
    yield tint(style.paint, 'bold', terminal(`${RUN_TITLES[column]}: ${grouped(total)}`));
    for (const group of groups) yield* groupLines(group, style);
  }
}

function* groupLines(
  group: NotStartedGroup,
  { width, paint, page }: TextStyle & { readonly page: PageTime },
): Generator<TerminalText> {
  const head = terminal(grouped(group.endings.length).padStart(6));
  yield* wrap(say`${head}  ${endingWhy(group, page)}`, width, HANG);
  const indent = say`        `;
  yield* wrap(say`${indent}${whoText(group, { width, paint })}`, width, HANG).map((line) =>
    tint(paint, 'dim', line),
  );
  yield* wrap(say`${indent}next: ${endingNext(group, page)}`, width, HANG);
}

/** The policies with their counts, then the devices, or how many sites have them. */
function whoText({ policies, endings, sites }: NotStartedGroup, style: TextStyle): TerminalText {
  const where =
    endings.length <= NAMED
      ? join(
          endings.map(({ change }) => locatedText(change.device)),
          ', ',
        )
      : terminal(counted(sites, 'site'));
  return say`${inlineText(policiesText(policies, POLICIES), style)} · ${where}`;
}
