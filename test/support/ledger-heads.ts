import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { addNote } from '../../src/git/write-note.ts';
import type { Journal } from '../../src/model/ports.ts';
import { openJournalFor, readMemory } from '../../src/operations/ledger.ts';
import { pauseOn } from '../../src/operations/intervene/pause.ts';
import { resolveTarget } from '../../src/operations/target.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import { createClone, type Clone } from './clone.ts';
import { gitIn } from './blackbox-record.ts';
import { scratchFolder } from './scratch.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const LEDGER = 'refs/heads/fleetform-ledger';
export const HEADS = `${LEDGER}-heads`;
export const TARGET = resolveTarget(
  { baseUrl: 'https://api.example.com', organization: 'acme' },
  undefined,
  {},
);
export const PAUSE = { scope: 'fleet', who: 'A', why: 'night' };
export const REFUSED = { code: 'ledgerRolledBack', params: { reject: 'unlock --reject-head' } };

/** A ledger with one pause on record, and the copy of its folder that others begin with. */
let begun: { readonly clone: Clone; readonly copy: string } | undefined;

/**
 * A ledger with a first pause. A file of tests makes it once and copies it for each test, to the same path, as a clone
 * names the repository that it pushes to; what a test leaves stands elsewhere until the file has ended.
 */
export async function createPausedLedger(): Promise<Ledger> {
  if (begun !== undefined && existsSync(begun.copy)) {
    const { clone, copy } = begun;
    renameSync(clone.place, join(scratchFolder('heads-left'), 'place'));
    cpSync(copy, clone.place, { recursive: true });
    return ledgerOf(clone);
  }
  const ledger = createLedger('heads-paused');
  await ledger.pause();
  const copy = join(scratchFolder('heads-copy'), 'place');
  cpSync(ledger.clone.place, copy, { recursive: true });
  begun = { clone: ledger.clone, copy };
  return ledger;
}

export type Ledger = ReturnType<typeof ledgerOf>;

/** A repository with a ledger of its own, and machines that have never seen it. */
export function createLedger(name: string): Ledger {
  return ledgerOf(createClone(name));
}

function ledgerOf(clone: Clone) {
  const said: string[] = [];
  let machines = 0;
  const freshMachine = (): Shell => {
    const home = join(clone.place, `machine-${(machines += 1)}`);
    return {
      ...clone.shell(),
      cwd: join(home, 'work'),
      stateFolder: join(home, 'state'),
      err: { write: (text: string) => void said.push(text), isTerminal: false, columns: 80 },
      clock: createVirtualClock(0),
      random: Math.random,
      identity: { host: 'h', pid: 1, startedAt: '1', label: 'me@h', isAlive: () => false },
      stop: createStopSignal(),
    } as unknown as Shell;
  };
  const open = (shell = freshMachine()): Promise<Journal> =>
    openJournalFor({ shell, documents: clone.documents, target: TARGET });
  return {
    clone,
    open,
    freshMachine,
    pause: async (shell?: Shell): Promise<void> =>
      void (await pauseOn(await open(shell), PAUSE, 0)),
    /** The number of records that a machine reads which has never seen the ledger. */
    read: async () =>
      (await readMemory({ shell: freshMachine(), documents: clone.documents, target: TARGET })).head
        .seq,
    ref: (ref: string): string => gitIn(clone.bare, 'for-each-ref', '--format=%(objectname)', ref),
    said: () => said.join('').replaceAll(/\s+/g, ' '),
    forgeNote: () =>
      addNote(clone.folder, process.env, {
        commit: clone.git('rev-parse', 'HEAD'),
        text: `Ledger-Head: ${TARGET.fingerprint.slice(0, 12)} 999 ${'a'.repeat(64)}\n`,
        remote: 'origin',
      }),
  };
}
