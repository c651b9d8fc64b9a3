import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import type { MemoryParts } from '../../../src/ledger/memory-parts.ts';
import { proveRecords } from '../../../src/ledger/proof.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { pinnedStore } from '../../../src/store/head-pin.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { checkpointFile } from '../../../src/store/layout.ts';
import {
  attempt,
  FINGERPRINT,
  GENESIS,
  lock,
  plan,
  RELEASE,
  result,
} from '../../support/ledger-records.ts';
import { scratchFolder } from '../../support/scratch.ts';

const RUN = [lock(), plan('p', 'c'), attempt('run-a.1', ['d1'])];
const NEXT: readonly RecordBody[] = [lock('run-b'), result('run-a.1', 'accepted')];

const partsOf = (records: readonly LedgerRecord[]): MemoryParts =>
  continueDraft(fold(records)).finish();

/** A forger changes the state in the newest checkpoint, and makes its digest right. */
type Forgery = (parts: MemoryParts) => MemoryParts;

/**
 * A ledger of two runs that each left a checkpoint, with a later record: appends 1 to 5, of which 2 and 4 have a text.
 * `forged` is the last of the checkpoints as an attacker who may append writes it.
 */
async function ledger(forged: Forgery = (parts) => parts, begun = GENESIS) {
  const place = scratchFolder('forged');
  const store = directoryStore(place);
  const records: LedgerRecord[] = [];
  const put = async (bodies: readonly RecordBody[], text?: string) => {
    const head = headAfter(records, EMPTY_HEAD);
    const epoch = records.filter(({ body }) => body.type === 'LOCK').length;
    const isLock = bodies.some(({ type }) => type === 'LOCK');
    const by = { epoch: epoch + (isLock ? 1 : 0), at: '2026-01-01T00:00:00.000Z', tool: '1' };
    const more = appendTo(head, bodies, by);
    expect(await store.append(more, head, text)).toBe('acknowledged');
    records.push(...more);
  };
  const keep = async (change: Forgery) => {
    const { body, text } = writeCheckpoint(change(partsOf(records)));
    await put([body, RELEASE], text);
  };
  await put([begun, ...RUN]);
  await keep((parts) => parts);
  await put(NEXT);
  const before = [...records];
  await keep(forged);
  await put([lock('run-c')]);
  return { place, before, records };
}

/** What a reader makes of it: from which record it starts, or why it refuses. */
async function readerOf(place: string): Promise<string> {
  return loadMemory(directoryStore(place)).then(
    ({ records }) => `from ${records[0]?.seq}`,
    (error: unknown) => {
      if (error instanceof WorldError) return `${error.code} ${error.params['why']}`;
      throw error;
    },
  );
}

/** What `audit verify` says of checkpoints. */
function verdictOf(records: readonly LedgerRecord[]): readonly string[] {
  return proveRecords(records, FINGERPRINT)
    .filter(({ check }) => check === 'checkpoints')
    .map(({ why, params }) => `${why} ${Object.values(params ?? {}).join(' ')}`);
}

const replace = (place: string, change: (text: string) => string): void => {
  const path = checkpointFile(place, 4);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};

describe('J21 a text beside its record', () => {
  test.each<readonly [string, (place: string) => void, string]>([
    ['as it was written', () => undefined, 'from 9'],
    [
      'with another number',
      (at) => replace(at, (text) => text.replace('"epoch":2', '"epoch":1')),
      'ledgerBroken checkpoint',
    ],
    [
      'with another letter of a name',
      (at) => replace(at, (text) => text.replace('run-b', 'run-x')),
      'ledgerBroken checkpoint',
    ],
    ['with a space more', (at) => replace(at, (text) => `${text} `), 'ledgerBroken checkpoint'],
    [
      'that is cut off',
      (at) => replace(at, (text) => text.slice(0, -9)),
      'ledgerBroken checkpoint',
    ],
    ['that is empty', (at) => replace(at, () => ''), 'ledgerBroken checkpoint'],
    ['that is gone', (at) => rmSync(checkpointFile(at, 4)), 'from 5'],
    [
      'that is the one before it',
      (at) => copyFileSync(checkpointFile(at, 2), checkpointFile(at, 4)),
      'ledgerBroken checkpoint',
    ],
    [
      'that is beside another append as well',
      (at) => copyFileSync(checkpointFile(at, 4), checkpointFile(at, 5)),
      'from 9',
    ],
  ])('%s', async (_, spoil, ending) => {
    const { place, records } = await ledger();
    spoil(place);
    expect(await readerOf(place)).toBe(ending);
    expect((await directoryStore(place).read(0)).records).toEqual(records);
    expect(verdictOf(records)).toEqual(['checkpointsTrue 2']);
  });

  test('of another ledger, or of another service, is not its own', async () => {
    const other = await ledger(undefined, { ...GENESIS, ledgerId: 'other' } as RecordBody);
    const { place } = await ledger();
    copyFileSync(checkpointFile(other.place, 4), checkpointFile(place, 4));
    expect(await readerOf(place)).toBe('ledgerBroken checkpoint');
  });
});

describe('J21 a false CHECKPOINT with the right digest', () => {
  test.each<readonly [string, Forgery, string]>([
    [
      'names another head',
      (parts) => ({ ...parts, head: { ...parts.head, hash: '0'.repeat(64) } }),
      'ledgerBroken checkpoint',
    ],
    [
      'names an earlier record',
      (parts) => ({ ...parts, head: { ...parts.head, seq: 3 } }),
      'ledgerBroken checkpoint',
    ],
    [
      'has another shape',
      (parts) => ({ ...parts, epoch: 'x' as never }),
      'ledgerBroken checkpoint',
    ],
    // What a SETTLED, a LIFT or a LOCK of the same attacker would say as well: all records tell.
    ['has a lower epoch', (parts) => ({ ...parts, epoch: 0 }), 'from 9'],
    [
      'has no open attempt',
      (parts) => ({ ...parts, open: new Set(), unanswered: new Map() }),
      'from 9',
    ],
    ['is of another service', (parts) => ({ ...parts, fingerprint: 'f'.repeat(63) }), 'from 9'],
  ])('that %s', async (_, forged, ending) => {
    const { place, records } = await ledger(forged);
    expect(await readerOf(place)).toBe(ending);
    expect(verdictOf(records)).toEqual(['checkpointsTrue 1', 'checkpointFalse 9']);
    expect(() => fold(records)).toThrow(WorldError);
  });

  test('that says the digest of no state at all', async () => {
    const { place, before } = await ledger();
    const head = headAfter(before, EMPTY_HEAD);
    const body = { type: 'CHECKPOINT', version: 1, state: sha256('[]') } as const;
    const by = { epoch: 2, at: '2026-01-01T00:00:00.000Z', tool: '1' };
    const other = scratchFolder('forged-nothing');
    const store = directoryStore(other);
    await store.append(before, EMPTY_HEAD);
    await store.append(appendTo(head, [body], by), head, '[]');
    expect(await readerOf(other)).toBe('ledgerBroken checkpoint');
    expect(place).not.toBe(other);
  });
});

test('J6 a history that was written anew under a right pin is missed, whatever its checkpoints say', async () => {
  const { place, records } = await ledger();
  const pin = join(scratchFolder('forged-pin'), 'pin');
  const { seq } = records[2] ?? { seq: 0 };
  const head = headAfter(records.slice(0, seq), EMPTY_HEAD);
  writeFileSync(pin, `${head.seq} ${head.hash}\n`);
  expect((await loadMemory(pinnedStore(directoryStore(place), [pin]))).memory.head.seq).toBe(11);
  writeFileSync(pin, `${head.seq} ${head.hash}\n`);
  const anew = await ledger(undefined, { ...GENESIS, ledgerId: 'anew' } as RecordBody);
  await expect(loadMemory(pinnedStore(directoryStore(anew.place), [pin]))).rejects.toThrow(
    expect.objectContaining({ code: 'ledgerRolledBack' }),
  );
});
