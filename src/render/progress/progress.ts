import { terminal } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { wrapMessage } from '../sinks/wrap.ts';
import { drawBars, startBars } from './bars.ts';
import {
  isPhase,
  BRIEF,
  isPlainWait,
  type ProgressEvent,
  type Warning,
  type WarningOf,
} from '../../model/progress.ts';
import { followReadingRate } from './reading-rate.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { followPolicies } from './policies.ts';
import {
  LEDGER_BACK_WORDS,
  ledgerOutageWords,
  outageWords,
  pathsUnreadWords,
  recoveringWords,
  retryWords,
  startedWords,
  stoppingWords,
  taskUnreadWords,
  tripWords,
  unfilteredWords,
  waitText,
} from '../words/commands.ts';
import { counted, grouped } from '../words/phrase.ts';
import { READING_WORDS, readWords, runProgressWords } from '../words/reading-words.ts';

/** Progress as text; `clear` takes away what a terminal shows of it. */
export interface Progress {
  readonly draw: Draw;
  readonly clear: () => string;
}

/**
 * Progress during a command: one block on a terminal, which is redrawn and gone before anything else is written;
 * elsewhere a few plain lines. It depends on the events alone: the same events give the same text.
 */
export function createProgress(options: TextStyle & { readonly tty: boolean }): Progress {
  if (!options.tty) return { draw: createLines(), clear: () => '' };
  const bars = startBars();
  const followReads = followReadingRate();
  let drawn = 0;
  const clear = (): string => {
    const text = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
    drawn = 0;
    return text;
  };
  const draw: Draw = (event, now) => {
    const { ahead, left } = isPhase(event, 'details') ? followReads(event, now) : {};
    bars.take(event, now, left);
    const lasting = ahead ?? lastingText(event);
    if (lasting !== undefined)
      return `${clear()}${wrapMessage(terminal(lasting), options.width)}\n`;
    const lines = drawBars(bars.state(), now, options);
    const text = `${clear()}${lines.map((line) => `${line}\n`).join('')}`;
    drawn = lines.length;
    return text;
  };
  return { draw, clear };
}

/** Takes an event and the time; returns the text to write, often none. */
type Draw = (event: ProgressEvent, now: Instant) => string;

/** How often a log says how far a command is. */
const EVERY: Milliseconds = 30_000;

/**
 * Progress for logs: a line as the reading of the fleet begins, one for each wave that starts, and at most one each
 * half minute with how far it is (semantics N30). What waits for others, and what no later event outdates, has a
 * line of its own; the result says the rest.
 */
function createLines(): Draw {
  const started = new Set<string>();
  const sayCount = createCounts();
  const sayWait = createWaits();
  let at: Instant | undefined;
  return (event, now) => {
    const lines = [...sayWait(event, now)];
    const lasting = lastingText(event);
    if (lasting !== undefined) lines.push(lasting);
    if (event.type === 'attempt.answered' && event.outcome === 'accepted')
      for (const wave of event.waves) {
        const words = startedWords(wave);
        if (!started.has(words)) lines.push(words);
        started.add(words);
      }
    const { first, count } = sayCount(event, now);
    if (first !== undefined) lines.push(first);
    const isTime = at === undefined || now - at >= EVERY;
    if (count !== undefined && isTime) {
      if (at !== undefined) lines.push(count);
      else if (first === undefined) lines.push(isPhase(event, 'reading') ? READING_WORDS : count);
      at = now;
    }
    return lines.map((line) => `${terminal(line)}\n`).join('');
  };
}

/** How far a command is, as one line; and what is worth saying before it begins. */
function createCounts() {
  const followReads = followReadingRate();
  const follow = followPolicies();
  return (
    event: ProgressEvent,
    now: Instant,
  ): { readonly first?: string | undefined; readonly count?: string } => {
    if (event.type !== 'phase') return {};
    switch (event.name) {
      case 'reading':
        return { count: `reading ${readWords(event.what)}: ${share(event.rows, event.total)}` };
      case 'details': {
        const { ahead, left } = followReads(event, now);
        const count = `reading details: ${share(event.done, event.total)}`;
        return { first: ahead, count: left === undefined ? count : `${count}, ${left}` };
      }
      case 'rehearsing': {
        const percent = Math.round((100 * event.done) / event.of);
        return { count: `rehearsing: ${percent}% of ${counted(event.of, 'simulation')}` };
      }
      case 'applying': {
        const lines = follow(event, now);
        return event.isLast === true ? {} : { count: runProgressWords(lines) };
      }
      default:
        return {};
    }
  };
}

/** Waits that the counts do not explain; the first events of each try while the service is away are covered by one line. */
function createWaits(): (event: ProgressEvent, now: Instant) => readonly string[] {
  let waited: string | undefined;
  return (event, now) => {
    const why = waitOf(event);
    if (why !== undefined) {
      const isAgain = waited === why;
      waited = why;
      return isAgain ? [] : waitLines(event, now);
    }
    const isRepeated = isPhase(event, 'recovering') || event.type === 'waiting';
    if (waited?.startsWith('away ') === true && isRepeated && !isPlainWait(event)) return [];
    const isQuiet = isRepeated || event.type === 'task.progress' || isPhase(event, 'applying');
    if (!isQuiet || isPlainWait(event)) waited = undefined;
    return waitLines(event, now);
  };
}

/** What a command waits for, where a later wait for the same has no line. */
function waitOf(event: ProgressEvent): string | undefined {
  if (isPlainWait(event)) return BRIEF.has(event.reason) ? undefined : event.reason;
  const isAway = event.type === 'waiting' && event.reason === 'away';
  return isAway ? `away ${event.failure.code}` : undefined;
}

function waitLines(event: ProgressEvent, now: Instant): readonly string[] {
  if (isPlainWait(event))
    return BRIEF.has(event.reason) ? [] : [`waiting: ${waitText(event, now)}`];
  if (event.type === 'waiting')
    return [
      event.reason === 'away' ? `waiting: ${outageWords(event, now)}` : retryWords(event, now),
    ];
  if (isPhase(event, 'recovering')) return [recoveringWords(event)];
  return isPhase(event, 'stopping') ? [stoppingWords(event.unrecorded)] : [];
}

/** The text of an event that no later one outdates: it stays above the bars of a terminal. */
function lastingText(event: ProgressEvent): string | undefined {
  switch (event.type) {
    case 'ledger.lost':
      return ledgerOutageWords(event);
    case 'ledger.back':
      return LEDGER_BACK_WORDS;
    case 'stop.tripped':
      return tripWords(event);
    case 'warning':
      return warningText(event);
    default:
      return undefined;
  }
}

function warningText(warning: Warning): string {
  switch (warning.code) {
    case 'unfiltered':
      return unfilteredWords(warning.parameters);
    case 'pathsUnread':
      return pathsUnreadWords(warning.parameters);
    case 'taskUnread':
      return taskUnreadWords(warning.parameters);
    case 'unrecorded':
      return unrecordedText(warning.parameters);
  }
}

/** One line of JSON, since another machine may need data that no ledger has. */
export function unrecordedText({ attemptId, taskId, place }: WarningOf<'unrecorded'>): string {
  return JSON.stringify({ unrecorded: { attemptId, taskId, ...(place && { file: place }) } });
}

function share(done: number, total: number | undefined): string {
  return total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
}
