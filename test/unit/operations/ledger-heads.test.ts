import { describe, expect, it } from 'vitest';
import { pauseOn } from '../../../src/operations/intervene/pause.ts';
import { openUnchecked } from '../../../src/operations/ledger.ts';
import { checkHeads } from '../../../src/operations/adopt/doctor.ts';
import {
  createLedger,
  createPausedLedger,
  HEADS,
  LEDGER,
  PAUSE,
  REFUSED,
  TARGET,
  type Ledger,
} from '../../support/ledger-heads.ts';
import { gitIn } from '../../support/blackbox-record.ts';

describe('M12 what doctor can see of the heads', () => {
  const see = async ({ clone }: Ledger, more = {}) => {
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
    const ledger = await createPausedLedger();
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
    const { pause, ref, read } = await createPausedLedger();
    // GENESIS, GROUND and the first pause; then one more.
    for (const seq of [3, 4]) {
      expect(ref(HEADS)).toBe(ref(LEDGER));
      expect(await read()).toBe(seq);
      if (seq === 3) await pause();
    }
  });

  it('show a ledger that was restored from an old copy, or is gone, on a machine that never saw it', async () => {
    const { clone, pause, ref, read, open } = await createPausedLedger();
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

  it('make a forged note a warning; without them it stops as before', async () => {
    // A ledger of its own: a process tells of each but once.
    const { clone, pause, read, said, forgeNote } = createLedger('heads-note');
    await pause();
    await forgeNote();
    expect(await read()).toBe(3);
    expect(said()).toMatch(
      /note names record 999, which the ledger does not have\. It says: by "fleetform", .* The recorded heads match the ledger: the run continues\./,
    );
    gitIn(clone.bare, 'update-ref', '-d', HEADS);
    await expect(read()).rejects.toMatchObject(REFUSED);
  });

  it('that are gone are missed, also where the newest records went with them', async () => {
    const { clone, pause, read, freshMachine, ref } = await createPausedLedger();
    await pause();
    await pause();
    const older = gitIn(clone.bare, 'rev-parse', `${LEDGER}~1`);
    gitIn(clone.bare, 'update-ref', '-d', HEADS);
    await expect(read()).rejects.toMatchObject({ params: { why: 'damagedHeads' } });
    gitIn(clone.bare, 'update-ref', LEDGER, older);
    await expect(read()).rejects.toMatchObject({ params: { why: 'damagedHeads' } });
    // A pause is recorded also on what is left, and is no word about what is missing.
    const left = await openUnchecked({
      shell: freshMachine(),
      documents: clone.documents,
      target: TARGET,
    });
    await pauseOn(left.journal, PAUSE, 0);
    await expect(read()).rejects.toMatchObject({ params: { why: 'damagedHeads' } });
    const { journal, missing } = await openUnchecked({
      shell: freshMachine(),
      documents: clone.documents,
      target: TARGET,
    });
    await journal.unlock({ label: 'me@h', who: 'A', why: 'moved', rejected: missing });
    expect(await read()).toBe(7);
    await pause();
    expect(ref(HEADS)).toBe(ref(LEDGER));
  });

  it('that are false are rejected on record, and nothing is lost', async () => {
    const { clone, pause, read, freshMachine, ref } = await createPausedLedger();
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
});
