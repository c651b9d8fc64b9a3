import { parseDuration } from '../../../lib/time.ts';
import { findAuthor } from '../../../operations/intervene/author.ts';
import { loadDocuments } from '../../../operations/documents.ts';
import type { FoundMove } from '../../../operations/ground/find-move.ts';
import { resolveTarget } from '../../../operations/target.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printWrapped, textStyle } from '../../../shell/output.ts';
import { fleetFolder, type Shell } from '../../../shell/shell.ts';
import { confirm } from '../../process/confirm.ts';

interface MoveFlags {
  readonly fleet: string;
  readonly service?: string;
  /** Why; absent: the move is shown and not recorded. */
  readonly reason?: string;
  readonly adopt?: boolean;
  readonly by?: string;
  readonly yes?: boolean;
  readonly lockWait: string;
  readonly takeOver?: boolean;
}

/**
 * `fleetform ledger move`: shows the ground that the ledger has and the one that the documents propose; with a
 * reason it asks, records the move as the last record of the ledger that it leaves, and copies the chain
 * (protocol M2). It sends nothing to the service. Throws `usage`, `confirmationMissing` and `locked`.
 */
export async function moveCommand(flags: MoveFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const settings = documents.service.value;
  const target = resolveTarget(settings, flags.service, shell.env);
  const parts = { shell, folder: fleetFolder(shell, flags.fleet), settings, target };
  const { findMove } = await import('../../../operations/ground/find-move.ts');
  const move = await findMove(parts, { isAdopted: flags.adopt === true });
  const { moveText } = await import('../../../render/text/ledger/move-text.ts');
  const { MOVE_WORDS } = await import('../../../render/words/ground-words.ts');
  if (!move) {
    await printWrapped(shell, [MOVE_WORDS.nothing]);
    return EXIT.done;
  }
  print(shell.out, moveText(shownIn(move), textStyle(shell.out, shell.env)));
  const why = flags.reason?.trim() ?? '';
  if (why === '') {
    await printWrapped(shell, [`  next: ${MOVE_WORDS.shown}`]);
    return EXIT.done;
  }
  if (flags.yes !== true && !(await confirm(shell, MOVE_WORDS.ask))) {
    await printWrapped(shell, [MOVE_WORDS.declined]);
    return EXIT.done;
  }
  const { recordMove } = await import('../../../operations/ground/record-move.ts');
  const waitMs = parseDuration(flags.lockWait) ?? 0;
  const lease = { waitMs, takeOver: flags.takeOver === true };
  const who = await findAuthor(shell, flags.by);
  const copied = await recordMove(parts, move, { ...lease, who, why });
  await printWrapped(shell, [MOVE_WORDS.recorded(copied), `  next: ${MOVE_WORDS.next}`]);
  return EXIT.done;
}

function shownIn({ from, to, source, closes }: FoundMove) {
  return { from, to, copies: source?.records.length, closes: closes.map(({ place }) => place) };
}
