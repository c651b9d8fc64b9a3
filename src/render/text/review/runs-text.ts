import { mayFollow } from '../../../model/plan/actor.ts';
import { tint } from '../../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { cut, textWidth } from '../../sinks/width.ts';
import { fitLines, foldRuns, type PolicyRun, type RunLine } from '../../view/runs.ts';
import type { PlanView } from '../../view/view.ts';
import { grouped, counted } from '../../words/phrase.ts';
import { reasonWords } from '../../words/reasons.ts';
import { reasonLabel } from '../../words/review/reason-labels.ts';
import {
  editWords,
  planClock,
  planTime,
  startsTitle,
  whenWords,
} from '../../words/review/review-words.ts';
import { passesText, locatedText } from '../class-text.ts';

/** Below this number of lines a policy is not cut. */
const LEAST = 2;

/** Up to this number of devices a line names them. */
const NAMED = 2;

/**
 * What starts now and later: each policy with its values before and after, then its waves. The
 * policies share `space` lines, but each has at least three.
 */
export function* runsLines(
  view: PlanView,
  style: TextStyle & { readonly space: number },
): Generator<TerminalText> {
  const runs = foldRuns(view);
  if (runs.length === 0) return;
  const { zone } = planClock(view);
  yield say``;
  const title = terminal(startsTitle(view));
  const times = terminal(`(times in ${zone})`);
  yield say`${tint(style.paint, 'bold', title)} ${tint(style.paint, 'dim', times)}`;
  for (const [index, most] of shareLines(runs, style.space - 2).entries()) {
    const run = runs[index];
    if (run) yield* runLines(run, most, view, style);
  }
}

/** How many lines it takes to show all that starts. */
export function linesWanted(view: PlanView): number {
  const runs = foldRuns(view);
  return runs.reduce((sum, { lines }) => sum + 1 + lines.length, runs.length > 0 ? 2 : 0);
}

/** How many lines below its own each policy gets: what a short one leaves, the others take. */
function shareLines(runs: readonly PolicyRun[], space: number): readonly number[] {
  let left = space - runs.length;
  const shares = runs.map(() => 0);
  const order = runs.map((run, index) => ({ index, wants: run.lines.length }));
  order.sort((a, b) => a.wants - b.wants);
  for (const [done, { index, wants }] of order.entries()) {
    const share = Math.max(LEAST, Math.floor(left / (runs.length - done)));
    shares[index] = Math.min(wants, share);
    left -= Math.min(wants, share);
  }
  return shares;
}

function* runLines(
  run: PolicyRun,
  most: number,
  view: PlanView,
  style: TextStyle,
): Generator<TerminalText> {
  const { row, lines } = run;
  const name = tint(style.paint, 'bold', terminal(row.policy));
  const edit = cut(terminal(editWords(run)), style.width - 4 - textWidth(row.policy));
  yield say`  ${name}  ${edit}`;
  const { shown, more, changes, waves } = fitLines(lines, most);
  const columns = Math.max(0, ...shown.map(({ wave = '' }) => Math.min(WAVE, textWidth(wave))));
  for (const line of shown) yield lineText(line, columns, view, style);
  if (more === 0) return;
  const number = terminal(grouped(changes).padStart(columns + 6));
  const where = waves.length > 0 ? say`then ${join(waves.map(terminal), ', ')}` : say`then`;
  yield cut(
    say`    ${number}  ${where}: ${terminal(counted(more, 'more line'))} (--all lists them)`,
    style.width,
  );
}

/** The greatest width of the column of waves. */
const WAVE = 12;

function lineText(line: RunLine, columns: number, view: PlanView, style: TextStyle): TerminalText {
  const { wave = '', count } = line;
  const name = cut(terminal(wave), columns);
  const gap = ' '.repeat(columns - textWidth(name));
  const number = terminal(grouped(count).padStart(6));
  const start = say`    ${name}${terminal(gap)}${number}`;
  const when = terminal(whenWords(line, view, String));
  const passes = line.shut ? undefined : line.largest.passes;
  const passed = passes ? say`, passes ${passesText(passes)}` : say``;
  return cut(say`${start}  ${when}${whyText(line, view)}${whoText(line)}${passed}`, style.width);
}

/** The reason, unless the wave gives it. */
function whyText({ largest, shut, column, next }: RunLine, view: PlanView): TerminalText {
  if (shut) return say``;
  if (column === 'now') return say`: ${reasonWords(largest.reason, planTime(view)).summary}`;
  const label = terminal(reasonLabel(largest.reason));
  if (next !== undefined) return say`: ${label}`;
  if (mayFollow(largest.reason)) return say`: ${label}`;
  return say`, ${reasonWords(largest.reason, planTime(view)).next}: ${label}`;
}

function whoText({ devices, count }: RunLine): TerminalText {
  if (count > NAMED || devices.length !== count) return say``;
  return say` · ${join(devices.map(locatedText), ', ')}`;
}
