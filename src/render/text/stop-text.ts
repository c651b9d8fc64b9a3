import type { StoppedBy, StopEffects, StopReport } from '../../model/ledger/stopped.ts';
import type { Instant } from '../../lib/time.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';
import { wordOr } from '../words/entry.ts';
import { moment, span } from '../words/moment.ts';
import { fill, grouped } from '../words/phrase.ts';
import { AUDIT_VERDICT_WORDS } from '../words/record-words.ts';
import { evidenceWords, STOP_WORDS } from '../words/report-words.ts';
import { labelled } from '../print/terminal.ts';

/** How many devices and tasks of a stop are named; the others are counted. */
const NAMED = 4;

/**
 * A stop rule that has tripped: what failed, with the command that shows the service's own steps,
 * what it holds, what will be tried again and when, and what a person may do (semantics H8).
 */
export function* stopLines(
  stop: StopReport,
  now: Instant,
  style: TextStyle,
): Generator<TerminalText> {
  const { scope, rule, counts, at, action, bad, effects } = stop;
  const what = action === 'abort' ? say`aborted` : say`paused`;
  const seen = terminal(evidenceWords(counts, bad.length));
  yield* wrap(
    tint(style.paint, 'yellow', say`  ${terminal(scope)}  ${what} by ${terminal(rule)}${seen}`),
    style.width,
    4,
  );
  const long = at < now ? ` (${span(now - at)})` : '';
  yield* labelled('since', terminal(`${moment(at, { now })}${long}`), style);
  if (bad.length > 0) yield* labelled('failed', terminal(badText(bad)), style);
  yield* taskLines(bad, style);
  if (effects) yield* effectLines(effects, { isAborted: action === 'abort', now }, style);
  const next = action === 'abort' ? STOP_WORDS.afterAbort : STOP_WORDS.afterPause;
  yield* labelled('next', terminal(fill(next, { scope }, String)), style);
}

function badText(bad: readonly StoppedBy[]): string {
  const named = bad.slice(0, NAMED).map(({ device, verdict, step }) => {
    const how = wordOr(AUDIT_VERDICT_WORDS, verdict);
    return step === undefined ? `${device} ${how}` : `${device} ${how} (${step})`;
  });
  return named.join(', ') + more(bad.length - NAMED);
}

/** One command a task: it prints each step with its status and message. */
function* taskLines(bad: readonly StoppedBy[], style: TextStyle): Generator<TerminalText> {
  const tasks = [...new Set(bad.flatMap(({ taskId }) => taskId ?? []))];
  for (const [index, taskId] of tasks.slice(0, NAMED).entries()) {
    const command = fill(STOP_WORDS.steps, { taskId }, String);
    const rest = index === NAMED - 1 ? more(tasks.length - NAMED) : '';
    yield* labelled(index === 0 ? 'steps' : '', terminal(command + rest), style);
  }
}

function* effectLines(
  { held, again, againFrom, setAside }: StopEffects,
  { isAborted, now }: { readonly isAborted: boolean; readonly now: Instant },
  style: TextStyle,
): Generator<TerminalText> {
  const heldPhrase = isAborted ? STOP_WORDS.ended : STOP_WORDS.held;
  if (held > 0) yield* labelled('held', terminal(fill(heldPhrase, { held }, String)), style);
  const from = againFrom === undefined ? {} : { from: moment(againFrom, { now }) };
  const tried = [
    ...(again > 0 && !isAborted ? [fill(STOP_WORDS.again, { again, ...from }, String)] : []),
    ...(setAside > 0 ? [fill(STOP_WORDS.setAside, { setAside }, String)] : []),
  ];
  if (tried.length > 0) yield* labelled('again', terminal(tried.join('; ')), style);
}

function more(count: number): string {
  return count > 0 ? `, and ${grouped(count)} more` : '';
}
