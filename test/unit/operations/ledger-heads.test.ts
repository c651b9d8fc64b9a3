import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerRemote } from '../../../src/git/ledger-remote.ts';
import { addNote } from '../../../src/git/write-note.ts';
import type { Journal } from '../../../src/model/ports.ts';
import { openJournalFor, openUnchecked, readMemory } from '../../../src/operations/ledger.ts';
import { pauseOn } from '../../../src/operations/intervene/pause.ts';
import { checkHeads } from '../../../src/operations/adopt/doctor.ts';
import { resolveTarget } from '../../../src/operations/target.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { createClone } from '../../support/clone.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const LEDGER = 'refs/heads/fleetform-ledger';
const HEADS = `${LEDGER}-heads`;
const TARGET = resolveTarget(
  { baseUrl: 'https://api.example.com', organization: 'acme' },
  undefined,
  {},
);
const PAUSE = { scope: 'fleet', who: 'A', why: 'night' };
const REFUSED = { code: 'ledgerRolledBack', params: { reject: 'unlock --reject-head' } };

/** A repository with a ledger of its own, and machines that have never seen it. */
function createLedger(name: string) {
  const clone = createClone(name);
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

describe('M12 what doctor can see of the heads', () => {
  const see = async ({ clone }: ReturnType<typeof createLedger>, more = {}) => {
    const ledger = { store: 'git', ...more } as const;
    const [seen] = await checkHeads(clone.shell(), ledger, { fleet: 'fleet' });
    return `${seen?.state} ${seen?.code}`;
  };

  it('is whether their branch is there, without a change of the remote', async () => {
    const ledger = createLedger('heads-seen');
    expect(await see(ledger)).toBe('note headsMissing');
    expect(ledger.ref(HEADS)).toBe('');
    await ledger.pause();
    const before = ledger.ref(HEADS);
    expect(await see(ledger)).toBe('good headsKept');
    expect(ledger.ref(HEADS)).toBe(before);
  });

  it('is whether the remote moves both branches at once', async () => {
    const ledger = createLedger('heads-no-atomic');
    await ledger.pause();
    gitIn(ledger.clone.bare, 'config', 'receive.advertiseAtomic', 'false');
    expect(await see(ledger)).toBe('note headsNotAtomic');
  });

  it('is nothing where the remote does not answer, or the ledger is not in git', async () => {
    const ledger = createLedger('heads-unseen');
    expect(await see(ledger, { remote: 'nowhere' })).toBe('unknown headsUnseen');
    expect(
      await checkHeads(ledger.clone.shell(), { store: 'directory' }, { fleet: 'fleet' }),
    ).toEqual([]);
    expect(await checkHeads(ledger.clone.shell(), undefined, { fleet: 'fleet' })).toEqual([]);
  });
});

describe('M12 heads on a branch beside the ledger', () => {
  it('move with it, in one push', async () => {
    const { pause, ref, read } = createLedger('heads-both');
    // GENESIS, GROUND and the first pause; then one more.
    for (const seq of [3, 4]) {
      await pause();
      expect(ref(HEADS)).toBe(ref(LEDGER));
      expect(await read()).toBe(seq);
    }
  });

  it('show a ledger that was restored from an old copy, or is gone, on a machine that never saw it', async () => {
    const { clone, pause, ref, read, open } = createLedger('heads-restored');
    await pause();
    const old = ref(LEDGER);
    await pause();
    const newest = ref(LEDGER);
    gitIn(clone.bare, 'update-ref', LEDGER, old);
    await expect(read()).rejects.toMatchObject(REFUSED);
    await expect(open()).rejects.toMatchObject({ ...REFUSED, params: { found: 3, seen: 4 } });
    gitIn(clone.bare, 'update-ref', '-d', LEDGER);
    await expect(read()).rejects.toMatchObject({ params: { why: 'lost', seen: 4 } });
    gitIn(clone.bare, 'update-ref', LEDGER, newest);
    expect(await read()).toBe(4);
  });

  it('still show the loss after a pause on what is left', async () => {
    const { clone, pause, ref, read, freshMachine } = createLedger('heads-paused');
    await pause();
    const old = ref(LEDGER);
    await pause();
    gitIn(clone.bare, 'update-ref', LEDGER, old);
    const { journal } = await openUnchecked({
      shell: freshMachine(),
      documents: clone.documents,
      target: TARGET,
    });
    await pauseOn(journal, { ...PAUSE, why: 'on what is left' }, 0);
    await expect(read()).rejects.toMatchObject({ params: { found: 4, seen: 4 } });
  });

  it('are followed by the ledger that a person continues without the lost records', async () => {
    const { clone, pause, ref, read, freshMachine } = createLedger('heads-accepted');
    await pause();
    const old = ref(LEDGER);
    await pause();
    const lost = ref(HEADS);
    gitIn(clone.bare, 'update-ref', LEDGER, old);
    gitIn(clone.bare, 'config', 'receive.denyNonFastForwards', 'true');
    const { journal, missing } = await openUnchecked({
      shell: freshMachine(),
      documents: clone.documents,
      target: TARGET,
    });
    expect(missing).toMatchObject([{ seq: 4, mayBeFalse: true }]);
    await journal.unlock({ label: 'me@h', who: 'A', why: 'disk lost', lost: missing });
    expect(ref(HEADS)).toBe(lost);
    expect(await read()).toBe(5);
    await pause();
    expect(gitIn(clone.bare, 'merge-base', HEADS, lost)).toBe(lost);
    expect(gitIn(clone.bare, 'show', `${HEADS}:head.json`)).toContain('"seq":6');
    expect(await read()).toBe(6);
  });

  it('make a forged note a warning; without them it stops as before', async () => {
    const { clone, pause, read, said, forgeNote } = createLedger('heads-note');
    await pause();
    await forgeNote();
    expect(await read()).toBe(3);
    expect(said()).toMatch(
      /note names record 999, which the ledger does not have\. It says: by "fleetform", .* The protected heads match the ledger: the run continues\./,
    );
    gitIn(clone.bare, 'update-ref', '-d', HEADS);
    await expect(read()).rejects.toMatchObject(REFUSED);
  });

  it('that are false are rejected on record, and nothing is lost', async () => {
    const { clone, pause, read, freshMachine, ref } = createLedger('heads-false');
    await pause();
    clone.git('push', '--quiet', '--force', 'origin', `HEAD:${HEADS}`);
    const forged = ref(HEADS);
    await expect(read()).rejects.toMatchObject({ params: { why: 'damagedHeads' } });
    const { journal, missing } = await openUnchecked({
      shell: freshMachine(),
      documents: clone.documents,
      target: TARGET,
    });
    expect(missing).toMatchObject([{ mayBeFalse: true }]);
    await journal.unlock({ label: 'me@h', who: 'A', why: 'forged', rejected: missing });
    expect(await read()).toBe(5);
    await pause();
    expect(gitIn(clone.bare, 'merge-base', HEADS, forged)).toBe(forged);
  });

  it('are behind after an older version, and catch up', async () => {
    const { clone, pause, ref, read, freshMachine } = createLedger('heads-behind');
    await pause();
    const first = ref(HEADS);
    await pause();
    gitIn(clone.bare, 'update-ref', HEADS, first);
    expect(await read()).toBe(4);
    await pause(freshMachine());
    expect(ref(HEADS)).toBe(ref(LEDGER));
  });

  it('are not kept by a remote that cannot move two branches at once, and that is said', async () => {
    const { clone, pause, ref, read, said } = createLedger('heads-atomic');
    gitIn(clone.bare, 'config', 'receive.advertiseAtomic', 'false');
    await pause();
    expect([ref(HEADS), await read()]).toEqual(['', 3]);
    expect(said()).toContain(
      'Cannot keep the heads of the ledger on the branch fleetform-ledger-heads',
    );
  });

  it('are not kept where a rule refuses their branch, and the ledger goes on', async () => {
    const { clone, pause, ref, read, said } = createLedger('heads-refused');
    mkdirSync(join(clone.bare, 'hooks'), { recursive: true });
    const hook = join(clone.bare, 'hooks', 'update');
    writeFileSync(hook, '#!/bin/sh\ncase "$1" in *-heads) exit 1;; esac\n');
    chmodSync(hook, 0o755);
    await pause();
    expect([ref(HEADS), await read()]).toEqual(['', 3]);
    expect(said()).toMatch(/Cannot keep the heads .* \(hook declined\)/);
    rmSync(hook);
    await pause();
    expect(ref(HEADS)).toBe(ref(LEDGER));
  });

  it('are pushed again where another writer moved them first', async () => {
    const { clone, pause, ref } = createLedger('heads-race');
    await pause();
    const heads = { isMoved: true, onUnkept: () => undefined };
    const options = { folder: clone.folder, env: process.env, remote: 'origin', heads };
    const remote = ledgerRemote({ ...options, branch: 'fleetform-ledger' });
    const tip = await remote.tip();
    const files = { 'head.json': '{}', 'records.json': '{}' };
    const next = await remote.commit({ parent: tip, files, message: 'next' });
    clone.git('fetch', '--quiet', 'origin', 'fleetform-ledger');
    const beside = clone.git('commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'beside');
    clone.git('push', '--quiet', 'origin', `${beside}:${HEADS}`);
    expect(await remote.move(tip, next)).toBe('moved');
    expect(ref(LEDGER)).toBe(next);
    for (const each of [beside, next])
      expect(gitIn(clone.bare, 'merge-base', HEADS, each)).toBe(each);
    expect(await remote.move(tip, next)).toBe('moved');
  });
});
