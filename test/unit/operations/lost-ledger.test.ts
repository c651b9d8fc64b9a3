import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openJournalFor,
  openUnchecked,
  readMemory,
  remembered,
} from '../../../src/operations/ledger.ts';
import { resolveTarget } from '../../../src/operations/target.ts';
import { pauseOn } from '../../../src/operations/intervene/pause.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { scratchFolder } from '../../support/scratch.ts';

const TARGET = resolveTarget(
  { baseUrl: 'https://api.example.com', organization: 'acme' },
  undefined,
  {},
);
const DOCUMENTS = { service: { value: {} } } as Documents;
const PAUSE = { scope: 'fleet', who: 'A', why: 'night' };
const REFUSED = { code: 'ledgerRolledBack', params: { why: 'lost', found: 0, seen: 3 } };

/** A machine where the fleet was paused, and whose ledger is deleted, pin and all. */
async function lostAfterPause() {
  const folder = scratchFolder('lost-ledger');
  const said: string[] = [];
  const shell = {
    env: {},
    cwd: join(folder, 'work'),
    stateFolder: join(folder, 'state'),
    err: { write: (text: string) => void said.push(text), isTerminal: false, columns: 80 },
    clock: createVirtualClock(0),
    random: () => 0.5,
    identity: { host: 'h', pid: 1, startedAt: '1', label: 'me@h', isAlive: () => false },
    stop: createStopSignal(),
  } as unknown as Shell;
  await pauseOn(await openJournalFor({ shell, documents: DOCUMENTS, target: TARGET }), PAUSE, 0);
  rmSync(join(folder, 'work'), { recursive: true, force: true });
  return { shell, said };
}

describe('a ledger that is lost with its directory', () => {
  it('J6 is refused by whatever starts a task or records a decision', async () => {
    const { shell } = await lostAfterPause();
    await expect(
      openJournalFor({ shell, documents: DOCUMENTS, target: TARGET }),
    ).rejects.toMatchObject(REFUSED);
    await expect(readMemory({ shell, documents: DOCUMENTS, target: TARGET })).rejects.toMatchObject(
      REFUSED,
    );
  });

  it('J6 is reported by what only reads, with the next step', async () => {
    const { shell, said } = await lostAfterPause();
    const { memory, unfit } = await remembered({ shell, documents: DOCUMENTS, target: TARGET });
    expect(memory.head.seq).toBe(0);
    expect(unfit).toMatchObject(REFUSED);
    const text = said.join('').replace(/\s+/g, ' ');
    expect(text).toContain('warning: The ledger is missing');
    expect(text).toContain('Else restore the newest copy of the ledger.');
    expect(text).toContain('unlock --accept-loss --reason WHY');
  });

  it('J6 takes another pause, and is refused all the same', async () => {
    const { shell } = await lostAfterPause();
    const { journal } = await openUnchecked({ shell, documents: DOCUMENTS, target: TARGET });
    await pauseOn(journal, { ...PAUSE, why: 'again' }, 0);
    const refused = expect(openJournalFor({ shell, documents: DOCUMENTS, target: TARGET })).rejects;
    await refused.toMatchObject({ code: 'ledgerRolledBack' });
  });

  it('J6 continues after a person accepted the loss, and only that loss', async () => {
    const { shell } = await lostAfterPause();
    const { journal, missing } = await openUnchecked({
      shell,
      documents: DOCUMENTS,
      target: TARGET,
    });
    expect(missing).toMatchObject([{ seq: 3 }]);
    await journal.unlock({ label: 'me@h', who: 'A', why: 'disk lost', lost: missing });
    const after = await openJournalFor({ shell, documents: DOCUMENTS, target: TARGET });
    expect(after.memory.head.seq).toBe(4);
    rmSync(shell.cwd, { recursive: true, force: true });
    await expect(
      openJournalFor({ shell, documents: DOCUMENTS, target: TARGET }),
    ).rejects.toMatchObject({
      params: { found: 0, seen: 4 },
    });
  });
});
