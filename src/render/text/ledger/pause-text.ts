import type { JsonObject } from '../../../lib/canonical.ts';
import type { PauseNote } from '../../../model/plan/plan.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { counted, fill } from '../../words/phrase.ts';
import { PAUSE_WORDS } from '../../words/record-words.ts';
import { pauseBlocks, pauseParams } from '../../outputs/warnings.ts';
import { printTerminal } from '../../print/terminal.ts';

/** What `pause` has put on record, and what is in flight there, which is still finished. */
export interface Paused {
  readonly service: { readonly organization: string; readonly baseUrl: string };
  readonly pauses: readonly PauseNote[];
  /** Earlier pauses of the same scopes. */
  readonly before: readonly PauseNote[];
  /** IDs of devices. */
  readonly inFlight: readonly string[];
}

/** The result of `pause`. */
export function* pauseText(
  { pauses, before, inFlight, service }: Paused,
  style: TextStyle,
): Generator<TerminalText> {
  yield* printTerminal(pauseBlocks(pauses), style);
  for (const pause of before) {
    const words = fill(PAUSE_WORDS.before, pauseParams(pause), terminal) as TerminalText;
    yield* wrap(say`  ${words}`, style.width, 4);
  }
  const { organization, baseUrl } = service;
  yield* wrap(say`  of ${terminal(organization)} at ${terminal(baseUrl)}`, style.width, 4);
  const atWork = `${counted(inFlight.length, 'device')} ${PAUSE_WORDS.atWork} ${inFlight.join(', ')}`;
  const running = inFlight.length === 0 ? PAUSE_WORDS.idle : atWork;
  yield* wrap(say`  ${terminal(running)}`, style.width, 4);
  const hint = wrap(say`  next: ${terminal(nextText(pauses))}`, style.width, 8);
  yield* hint.map((line) => tint(style.paint, 'cyan', line));
}

/** The same as data. */
export function pauseJson({ pauses, inFlight, service }: Paused): JsonObject {
  const { organization, baseUrl } = service;
  return {
    service: { organization, baseUrl },
    paused: pauses.map((pause) => ({ ...pause })),
    inFlight: [...inFlight],
    next: nextText(pauses),
  };
}

function nextText(pauses: readonly PauseNote[]): string {
  const [pause] = pauses;
  return fill(PAUSE_WORDS.next, { scope: pause?.scope ?? '', ...ticketParams(pause) }, String);
}

function ticketParams(pause: PauseNote | undefined): { readonly ticket?: string } {
  return pause?.ticket === undefined ? {} : { ticket: pause.ticket };
}
