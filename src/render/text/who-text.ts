import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Governed, Who } from '../../model/plan/who.ts';
import { deviceText, labelled } from './class-text.ts';
import { tint } from '../sinks/paint.ts';
import { counted, grouped } from '../words/phrase.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type Look } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { GOVERNING_WORDS, originWords, TASK_WORDS } from '../words/terms.ts';

/** Devices that are listed where not all are wanted. */
const LISTED = 20;

export interface WhoLook extends Look {
  readonly all: boolean;
  /** Who wrote the line, where it is known. */
  readonly origin?: LineOrigin;
}

/** The entry at a line, who wrote it, how many devices it governs in which way, and which. */
export function* whoText({ at, governs, total }: Who, look: WhoLook): Generator<TerminalText> {
  yield say`${tint(look.paint, 'bold', terminal(at.policy))}  ${placeText(at)}`;
  if (look.origin) yield* labelled('by', originWords(look.origin), look);
  for (const [words, count] of countedWays(governs))
    yield* labelled('governs', terminal(`${counted(count, 'device')}: ${words}`), look);
  if (total === 0) return yield* labelled('governs', say`no device`, look);
  yield say``;
  const rows = (look.all ? governs : governs.slice(0, LISTED)).map(rowOf);
  const head = ['device', 'site', 'task', 'how'].map(terminal);
  yield* table(rows, { width: look.width, header: head });
  const more = total - rows.length;
  if (more > 0) yield terminal(`and ${grouped(more)} more (--all shows them)`);
}

function countedWays(governs: readonly Governed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { how, task } of governs) {
    const words =
      task === undefined ? GOVERNING_WORDS[how] : `${TASK_WORDS[task]}, ${GOVERNING_WORDS[how]}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}

function rowOf({ device, task, how, by: author }: Governed): readonly TerminalText[] {
  const winner = how === 'loses' && author ? say` (${terminal(author.policy)})` : say``;
  return [
    deviceText(device),
    terminal(device.site ?? ''),
    terminal(task === undefined ? '' : TASK_WORDS[task]),
    say`${terminal(GOVERNING_WORDS[how])}${winner}`,
  ];
}
