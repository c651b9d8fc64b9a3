import type { ProgressEvent } from '../../../model/progress.ts';
import type { Instant, Milliseconds } from '../../../lib/time.ts';
import { followReadingRate } from './reading-rate.ts';
import { createPolicyLog } from './policy-lines.ts';
import { type Rhythmic, type SingleReads, eventLine, share } from './event-text.ts';

/** Takes an event and the time; returns the text to write, often none. */
export type Draw = (event: ProgressEvent, now: Instant) => string;

/** How many lines a known total gets. */
const PARTS = 10;

/** Rows between lines if the total is unknown. */
const STRIDE = 10_000;

/**
 * The first events of each attempt while the service is unavailable; the line about the outage
 * covers them.
 */
const REPEATED: readonly ProgressEvent['kind'][] = ['recovering', 'retrying'];

/** Single reads get a line this often, because they may take half an hour. */
const READS_EVERY: Milliseconds = 30_000;

/**
 * Progress for logs: one line for each important event. A counter gets a line at its start, at each
 * tenth and at its end, so that the log of a large fleet stays short at any pace; single reads get
 * one every half minute, with their rate. The last count is always printed (semantics N30).
 */
export function createLines(): Draw {
  const draw = createEventLines();
  let unprinted: { readonly what: string; readonly text: string } | undefined;
  return (event, now) => {
    const what = event.kind === 'reading' ? event.what : '';
    const missing = unprinted === undefined || unprinted.what === what ? '' : unprinted.text;
    const text = draw(event, now);
    unprinted =
      event.kind === 'reading' && text === '' ? { what, text: eventLine(event, now) } : undefined;
    return missing + text;
  };
}

function createEventLines(): Draw {
  const printed = new Map<string, number>();
  const drawReads = createReadLines();
  const drawPolicies = createPolicyLog();
  let waited: string | undefined;
  return (event, now) => {
    if (event.kind === 'waiting' || event.kind === 'away') {
      const why = event.kind === 'away' ? `away ${event.failure.code}` : event.why;
      const again = waited === why;
      waited = why;
      return again ? '' : eventLine(event, now);
    }
    if (event.kind === 'policies') return drawPolicies(event, now);
    const isAway = waited?.startsWith('away ') === true;
    if (isAway && REPEATED.includes(event.kind)) return '';
    if (event.kind !== 'polled') waited = undefined;
    if (event.kind === 'facts') return drawReads(event, now);
    return isWorthALine(event, printed) ? eventLine(event, now) : '';
  };
}

function createReadLines(): (event: SingleReads, now: Instant) => string {
  const follow = followReadingRate();
  let printed = { at: -Infinity, done: Infinity };
  return (event, now) => {
    const { ahead, left } = follow(event, now);
    const isNext = event.done >= printed.done && event.done < event.total;
    if (isNext && now - printed.at < READS_EVERY) return '';
    printed = { at: now, done: event.done };
    const count = `reading details: ${share(event.done, event.total)}`;
    const said = left === undefined ? count : `${count}, ${left}`;
    return [...(ahead === undefined ? [] : [ahead]), said].map((text) => `${text}\n`).join('');
  };
}

function isWorthALine(
  event: Exclude<ProgressEvent, Rhythmic>,
  printed: Map<string, number>,
): boolean {
  switch (event.kind) {
    case 'reading':
      return nextPart(printed, `reading ${event.what}`, event.rows, event.total);
    case 'rehearsing':
      return nextPart(printed, 'rehearsing', event.done, event.of);
    case 'polled':
      return nextPart(printed, event.taskId, event.completed, event.total);
    case 'ended':
      return nextPart(printed, 'ended', event.done, event.total) || event.outcome !== 'verified';
    default:
      return true;
  }
}

/** Whether a count has entered a part that has no line yet. */
function nextPart(
  printed: Map<string, number>,
  key: string,
  done: number,
  total: number | undefined,
): boolean {
  const part = total === undefined ? done / STRIDE : (done / Math.max(1, total)) * PARTS;
  const reached = Math.floor(part);
  if (reached <= (printed.get(key) ?? -1)) return false;
  printed.set(key, reached);
  return true;
}
