import { printBlocks, printWrapped } from '../../shell/output.ts';
import { fleetFolder } from '../../shell/shell.ts';
import { confirm } from '../process/person.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/**
 * Shows the ground that the ledger has and the one that the documents propose; with a reason it asks,
 * records the move as the last record of the ledger that it leaves, and copies the chain (protocol M2).
 * It sends nothing to the service. Throws `usage`, `confirmationMissing` and `locked`.
 */
export const ledgerMove = command({
  name: 'ledger move',
  summary: 'Record that the ledger or the service has moved',
  more: 'Without --reason, shows both grounds: service, ledger, kind of approval. Sends nothing.',
  examples: ['ledger move', 'ledger move --reason "repository renamed"'],
  flags: {
    reason: flag.text('REASON', 'Reason for the move'),
    adopt: flag.on('Take the present ledger as it is, with its own records'),
    yes: flag.on('Skip the confirmation prompt'),
    by: flag.by,
    ...flag.LEDGER,
    ...flag.LOCK,
  },
  async run(flags, shell) {
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { findMove } = await import('../../operations/ground/move.ts');
    const { documents, target } = await loadWithTarget(shell, flags);
    const folder = fleetFolder(shell, flags.fleet);
    const parts = { shell, folder, settings: documents.service.value, target };
    const move = await findMove(parts, { isAdopted: flags.adopt === true });
    const { moveBlocks } = await import('../../render/outputs/decisions.ts');
    const { MOVE_WORDS } = await import('../../render/words/ground-words.ts');
    if (!move) return printWrapped(shell, [MOVE_WORDS.nothing]);
    const closes = move.closes.map(({ place }) => place);
    const present = move.present.records.length;
    const copies = move.source && move.source.records.length - present;
    const shown = { ...move, copies, present, closes };
    await printBlocks(shell, moveBlocks(shown));
    const why = flags.reason?.trim() ?? '';
    if (why === '') return printWrapped(shell, [`  next: ${MOVE_WORDS.shown}`]);
    if (!flags.yes && !(await confirm(shell, MOVE_WORDS.ask)))
      return printWrapped(shell, [MOVE_WORDS.declined]);
    const { recordMove } = await import('../../operations/ground/move.ts');
    const { findAuthor } = await import('../../operations/intervene/author.ts');
    const who = await findAuthor(shell, flags.by);
    let begun = 0;
    const onCopied = (records: number): void => void (begun = records);
    const order = { ...flags, who, why, onCopied };
    const copied = await recordMove(parts, move, order).catch(async (error: unknown) => {
      const { printMessages } = await import('../../shell/messages.ts');
      if (begun > 0) printMessages(shell, [MOVE_WORDS.begun(begun)]);
      throw error;
    });
    await printWrapped(shell, [MOVE_WORDS.recorded(copied), `  next: ${MOVE_WORDS.next}`]);
  },
});
