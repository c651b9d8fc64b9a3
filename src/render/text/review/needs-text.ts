import { tint } from '../../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import { placeText, type TextStyle } from '../../sinks/snippet.ts';
import { cut } from '../../sinks/width.ts';
import { wrap } from '../../sinks/wrap.ts';
import type { NeedGroup } from '../../view/needs.ts';
import type { PlanView } from '../../view/view.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { reasonWords } from '../../words/reasons.ts';
import { planTime, oldestWords } from '../../words/review/review-words.ts';
import { locatedText } from '../class-text.ts';

/** How many reasons are listed; the others are counted. */
const LISTED = 5;

/** From this number of devices on, only the sites and the number are given. */
const NAMED = 3;

/** How many policies of a reason are named. */
const POLICIES = 2;

const HANG = 8;

/** What needs a person: each reason with its policies, a few devices, and the next step. */
export function* needsLines(
  view: PlanView,
  style: TextStyle & { readonly all: boolean },
): Generator<TerminalText> {
  const { needs, totals } = view.review;
  if (needs.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Needs you: ${grouped(totals.person)}`));
  const listed = style.all ? needs : needs.slice(0, LISTED);
  for (const need of listed) yield* needLines(need, view, style);
  const rest = needs.slice(listed.length);
  const more = rest.reduce((sum, { count }) => sum + count, 0);
  if (rest.length > 0)
    yield terminal(
      `${grouped(more).padStart(6)}  for ${counted(rest.length, 'other reason')} (--all lists them)`,
    );
}

function* needLines(need: NeedGroup, view: PlanView, { width, paint }: TextStyle) {
  const { reason, count } = need;
  const { summary, next } = reasonWords(reason, planTime(view));
  const head = terminal(grouped(count).padStart(6));
  const oldest = terminal(oldestWords(need, view));
  yield* wrap(say`${head}  ${summary}${oldest}`, width, HANG);
  yield tint(paint, 'dim', cut(say`        ${whoText(need)}`, width));
  yield* wrap(say`        next: ${next}`, width, HANG);
}

/** The policies with their counts, then the devices, or how many sites have them. */
function whoText({ policies, first, classes, count, sites }: NeedGroup): TerminalText {
  const devices = classes.flatMap((each) => each.devices);
  const where =
    count <= NAMED && devices.length === count
      ? join(devices.map(locatedText), ', ')
      : terminal(counted(sites, 'site'));
  return say`${policiesText(policies, POLICIES)} · ${where} · ${placeText(first.at)}`;
}

/** The first `most` policies with their counts, and how many more; a single one without a count. */
export function policiesText(
  policies: readonly { readonly policy: string; readonly count: number }[],
  most: number,
): TerminalText {
  const named = policies.slice(0, most).map(({ policy, count }) => {
    const number = policies.length === 1 ? say`` : say` ${terminal(grouped(count))}`;
    return say`${terminal(policy)}${number}`;
  });
  const more = policies.length - named.length;
  const rest = more > 0 ? [terminal(`${grouped(more)} more`)] : [];
  return join([...named, ...rest], ', ');
}
