import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerRemote } from '../../../src/git/ledger-remote.ts';
import { openUnchecked } from '../../../src/operations/ledger.ts';
import { pauseOn } from '../../../src/operations/intervene/pause.ts';
import {
  createLedger,
  createPausedLedger,
  HEADS,
  LEDGER,
  PAUSE,
  TARGET,
} from '../../support/ledger-heads.ts';
import { gitIn } from '../../support/blackbox-record.ts';

describe('M12 heads on a branch beside the ledger', () => {
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

  it('are followed by the ledger that a person continues without the lost records', async () => {
    const { clone, pause, ref, read, freshMachine } = await createPausedLedger();
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

  it('are not kept by a remote that cannot move two branches at once, and that is said', async () => {
    const { clone, pause, ref, read, said } = createLedger('heads-atomic');
    gitIn(clone.bare, 'config', 'receive.advertiseAtomic', 'false');
    await pause();
    expect([ref(HEADS), await read()]).toEqual(['', 3]);
    expect(said()).toContain(
      'Cannot keep the heads of the ledger on the branch fleetform-ledger-heads',
    );
  });
});
