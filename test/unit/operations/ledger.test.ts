import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openJournalFor, readMemory, remembered } from '../../../src/operations/ledger.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { resolveTarget } from '../../../src/operations/target.ts';
import type { PlanInputs } from '../../../src/model/plan/plan.ts';
import type { LedgerHead } from '../../../src/model/ledger/record.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { attempt } from '../../support/ledger-records.ts';
import { scratchFolder } from '../../support/scratch.ts';

const cwd = scratchFolder('ledger');

const target = resolveTarget(
  { baseUrl: 'https://api.example.com', organization: 'acme' },
  undefined,
  {},
);
const other = resolveTarget(
  { baseUrl: 'https://api.example.com', organization: 'other' },
  undefined,
  {},
);

function documentsWith(path?: string): Documents {
  const ledger = path === undefined ? {} : { ledger: { store: 'directory', path } };
  return { service: { value: ledger } } as Documents;
}

function shellWith(env: Shell['env']): Shell {
  const identity = { host: 'h', pid: 1, startedAt: '1', label: 'me@h', isAlive: () => false };
  return {
    env,
    err: { write: () => undefined },
    cwd,
    clock: createVirtualClock(0),
    random: () => 0.5,
    identity,
    stop: createStopSignal(),
  } as unknown as Shell;
}

describe('readMemory', () => {
  it('reads an empty ledger without making a folder for it', async () => {
    const memory = await readMemory({ shell: shellWith({}), documents: documentsWith(), target });
    expect(memory.head.seq).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('has nothing to remember in CI where no ledger is chosen, while a command that writes refuses', async () => {
    const shell = shellWith({ CI: 'true' });
    expect((await readMemory({ shell, documents: documentsWith(), target })).head.seq).toBe(0);
    await expect(
      openJournalFor({ shell, documents: documentsWith(), target }),
    ).rejects.toMatchObject({
      code: 'ledgerNotChosen',
    });
  });

  it('refuses the ledger of another tenant', async () => {
    const shell = shellWith({});
    const journal = await openJournalFor({ shell, documents: documentsWith('one'), target });
    await journal.take({ waitMs: 0, takeOver: false, label: 'me' });
    await journal.release();
    expect(
      (await readMemory({ shell, documents: documentsWith('one'), target })).head.seq,
    ).toBeGreaterThan(0);
    await expect(
      readMemory({ shell, documents: documentsWith('one'), target: other }),
    ).rejects.toMatchObject({
      code: 'ledgerForeign',
    });
  });
});

describe('an attempt without a result', () => {
  it.each([
    ['in doubt once its run is dead', false, 'inDoubt'],
    ['open while its run may still get the answer', true, 'open'],
  ])('is %s, for every command that reads (protocol P12)', async (_, isAlive, phase) => {
    const shell = shellWith({});
    const service = { baseUrl: 'https://api.example.com', organization: phase };
    const [target, documents] = [resolveTarget(service, undefined, {}), documentsWith(phase)];
    const journal = await openJournalFor({ shell, documents, target });
    await journal.take({ waitMs: 0, takeOver: false, label: 'me' });
    const attemptId = `${journal.memory.lease?.nonce}.1`;
    await journal.append([attempt(attemptId, ['d1'])]);
    const { memory } = await remembered({
      shell: { ...shell, identity: { ...shell.identity, isAlive: () => isAlive } },
      documents,
      target,
    });
    const intents = [...memory.intents.values(), ...memory.open(), ...memory.intentsOf('d1')];
    expect(intents.map((each) => each.phase)).toEqual([phase, phase, phase]);
  });
});

describe('openJournalFor', () => {
  it('refuses a ledger without the head that an approved plan was made on', async () => {
    const shell = shellWith({});
    const journal = await openJournalFor({ shell, documents: documentsWith('one'), target });
    await journal.take({ waitMs: 0, takeOver: false, label: 'me' });
    await journal.release();
    const approved = (ledger: LedgerHead) => ({ approved: { inputs: { ledger } as PlanInputs } });
    const good = approved(journal.memory.head);
    expect(
      (await openJournalFor({ shell, documents: documentsWith('one'), target }, good)).memory.epoch,
    ).toBe(2);
    const ahead = approved({ seq: 99, hash: 'f'.repeat(64) });
    await expect(
      openJournalFor({ shell, documents: documentsWith('one'), target }, ahead),
    ).rejects.toMatchObject({
      code: 'ledgerRolledBack',
      params: { found: journal.memory.head.seq, seen: 99 },
    });
  });
});
