import { placeText, type GroundTerms, type LedgerPlace } from '../../../model/ledger/ground.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { MOVE_WORDS } from '../../words/ground-words.ts';

type Shown = Pick<GroundTerms, 'service' | 'ledger' | 'approval' | 'gate'>;

/** A move before it is recorded. */
interface ShownMove {
  readonly from: Shown;
  readonly to: Shown;
  /** How many records are brought along; absent where the ledger stays. */
  readonly copies: number | undefined;
  /** Other ledgers that end with it. */
  readonly closes: readonly LedgerPlace[];
}

/** Both grounds, line by line; what changes has an arrow. */
export function* moveText(
  { from, to, copies, closes }: ShownMove,
  { width }: TextStyle,
): Generator<TerminalText> {
  const rows = linesOf(to);
  for (const [index, [name, before]] of linesOf(from).entries()) {
    const after = rows[index]?.[1] ?? '';
    const change = before === after ? after : `${before} -> ${after}`;
    yield* wrap(say`${terminal(`${name}:`.padEnd(14))}${terminal(change)}`, width, 14);
  }
  if (copies !== undefined) yield* wrap(say`${terminal(MOVE_WORDS.copies(copies))}`, width, 2);
  for (const place of closes)
    yield* wrap(say`${terminal(MOVE_WORDS.closes(placeText(place)))}`, width, 2);
}

function linesOf({
  service,
  ledger,
  approval,
  gate,
}: Shown): readonly (readonly [string, string])[] {
  return [
    ['service', service.origin],
    ['organization', service.organization],
    ['ledger', placeText(ledger)],
    ['approval', approval],
    ['gate', gate],
  ];
}
