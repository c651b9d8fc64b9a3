import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Governed, Who } from '../../model/plan/who.ts';
import { deviceText } from './class-text.ts';
import { labelled } from '../print/terminal.ts';
import { tint } from '../sinks/paint.ts';
import { grouped } from '../words/phrase.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { GOVERNING_WORDS, originWords, TASK_WORDS } from '../words/terms.ts';

/** How many devices are listed unless all are requested. */
const LISTED = 20;

interface WhoOptions extends TextStyle {
  readonly all: boolean;
  readonly origin?: LineOrigin;
}

/** The entry at a line, its author, how many devices it governs in which way, and which. */
export function* whoText({ at, governs, total }: Who, style: WhoOptions): Generator<TerminalText> {
  yield say`${tint(style.paint, 'bold', terminal(at.policy))}  ${placeText(at)}`;
  if (style.origin) yield* labelled('by', originWords(style.origin), style);
  for (const [words, count] of countedWays(governs))
    yield* labelled('devices', terminal(`${grouped(count)}: ${words}`), style);
  if (total === 0) return yield* labelled('devices', say`none`, style);
  yield say``;
  const rows = (style.all ? governs : governs.slice(0, LISTED)).map(toRow);
  const head = ['DEVICE', 'SITE', 'TASK', 'HOW'].map(terminal);
  yield* table(rows, { width: style.width, header: head });
  const more = total - rows.length;
  if (more > 0) yield terminal(`and ${grouped(more)} more (--all lists them)`);
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

function toRow({ device, task, how, by: author }: Governed): readonly TerminalText[] {
  const winner = how === 'loses' && author ? say` (${terminal(author.policy)})` : say``;
  return [
    deviceText(device),
    terminal(device.site ?? ''),
    terminal(task === undefined ? '' : TASK_WORDS[task]),
    say`${terminal(GOVERNING_WORDS[how])}${winner}`,
  ];
}
