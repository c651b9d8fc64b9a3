import { expect } from 'vitest';
import { appendTo } from '../../src/ledger/chain.ts';
import { fold } from '../../src/ledger/fold.ts';
import type { Journal } from '../../src/model/ports.ts';
import type { RecordBody } from '../../src/model/ledger/record.ts';
import { openJournal, type JournalOptions } from '../../src/store/journal.ts';
import { FINGERPRINT } from './ledger-records.ts';
import { chance, ClockDouble, StoreDouble } from './store-double.ts';

export const TAKE = { waitMs: 0, takeOver: false, label: 'ci@host' };
export const TTL = 90_000;

export interface Rig {
  readonly store: StoreDouble;
  readonly clock: ClockDouble;
  open(more?: Partial<JournalOptions>): Promise<Journal>;
  types(): string[];
}

export function rig(): Rig {
  const store = new StoreDouble();
  const clock = new ClockDouble();
  let seed = 0;
  const open = (more: Partial<JournalOptions> = {}) => {
    const process = { host: 'here', pid: (seed += 1), processStartedAt: 's', isAlive: () => true };
    const base = { store, clock, random: chance(seed), fingerprint: FINGERPRINT, tool: '1' };
    return openJournal({ ...base, ...process, ...more });
  };
  return { store, clock, open, types: () => store.records.map(({ body }) => body.type) };
}

export async function taken(more: Partial<JournalOptions> = {}) {
  const of = rig();
  const journal = await of.open(more);
  await journal.take(TAKE);
  return { ...of, journal };
}

export const failsWith = (code: string, params: object = {}) =>
  expect.objectContaining({ code, params: expect.objectContaining(params) });

/** What another machine does: it appends onto whatever the head is. */
export function write(store: StoreDouble, ...bodies: readonly RecordBody[]): void {
  const { epoch } = fold(store.records);
  const by = { epoch: bodies[0]?.type === 'LOCK' ? epoch + 1 : epoch, at: AT, tool: '1' };
  store.records.push(...appendTo(store.head, bodies, by));
}
export const AT = '2026-01-01T00:00:00Z';
