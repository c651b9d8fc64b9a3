import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/facts/fact.ts';
import { WorldError } from '../../../src/model/error.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Service } from '../../../src/model/ports.ts';
import { RecordedReads } from '../../../src/live/recorded.ts';
import { aDevice, aSnapshot, NOW } from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const IDS = ['a', 'b', 'c', 'd'];
const { devices } = aSnapshot(IDS.map((id) => aDevice(id)));

function recorded(service: Partial<Service>) {
  const clock = createVirtualClock(NOW + 999);
  const book = new RecordedReads({
    service: { ...listing([]), ...service },
    clock,
    dialect: resolveDialect(),
  });
  book.see(devices);
  return { book, clock };
}

describe('N22 a single read becomes a fact', () => {
  it('and a fact that cannot be noted costs no answer', async () => {
    const book = new RecordedReads({
      service: { ...listing([]), passwords: () => Promise.resolve({ marker: 'm' }) },
      clock: createVirtualClock(NOW),
      dialect: resolveDialect(),
    });
    book.see({
      ...devices,
      rowOf: () => {
        throw new Error('no such row');
      },
    });
    expect(await book.service.passwords('a')).toEqual({ marker: 'm' });
    expect(book.facts.size).toBe(0);
  });

  it('N5 dated when it was sent, in whole seconds', async () => {
    const slow: Partial<Service> = {};
    const { book, clock } = recorded(slow);
    slow.passwords = undefined as never;
    const service: Partial<Service> = {
      passwords: async () => {
        await clock.sleep(90_000);
        return { changedAt: NOW - 5_000, marker: 'm' };
      },
    };
    const one = new RecordedReads({
      service: { ...listing([]), ...service },
      clock,
      dialect: resolveDialect(),
    });
    one.see(devices);
    await one.service.passwords('a');
    expect(book.facts.size).toBe(0);
    expect([...one.facts.values()]).toMatchObject([
      { kind: 'password', id: 'a', at: NOW, value: { changed: NOW - 5_000 } },
    ]);
    expect(one.count).toBe(1);
  });

  it('N5 by the clock of the service, which the lists show before any device', async () => {
    const MINUTE = 60_000;
    const lists: Partial<Service> = {
      async *list() {
        yield* [];
        return Promise.resolve({ total: 0, rows: 0, pages: 1, date: NOW + 999 - 5 * MINUTE });
      },
    };
    const { book } = recorded({ ...lists, passwords: () => Promise.resolve({ marker: 'm' }) });
    for await (const _ of book.service.list('devices')) expect(_).toBeUndefined();
    expect(book.skew).toBe(-5 * MINUTE);
    await book.service.passwords('a');
    expect(book.facts.get('password a')?.at).toBe(NOW - 5 * MINUTE);
  });

  it('N7 with the end of another user, where the list shows that one', async () => {
    const expiresAt = NOW + 90_000;
    const { book } = recorded({ passwords: () => Promise.resolve({ expiresAt, marker: 'm' }) });
    book.see(aSnapshot([aDevice('a', { passwordExpiresAt: NOW + 5_000 })]).devices);
    await book.service.passwords('a');
    expect(book.facts.get('password a')?.value).toMatchObject({
      expires: expiresAt,
      listed: NOW + 5_000,
    });
  });

  it('whatever it is made for, with the row that the device had then', async () => {
    const upgraded = aDevice('a', { firmwareVersion: '11.11.73' });
    const { book } = recorded({
      device: () => Promise.resolve({ value: upgraded, date: NOW - 60_000 }),
      certificates: () => Promise.resolve('none' as const),
    });
    await book.service.certificates('a');
    const before = book.facts.get('certificate a')?.who;
    await book.service.device('a');
    await book.service.certificates('b');
    expect(book.facts.get('certificate b')).toMatchObject({
      at: NOW - 60_000,
      who: before,
      value: { is: 'none' },
    });
  });

  it('N6 of a failure only where it concerns the device', async () => {
    const failures = ['notFound', 'serviceAway'].map((code) => new WorldError(code as 'notFound'));
    const { book } = recorded({
      passwords: (id) => Promise.reject(failures[id === 'a' ? 0 : 1] ?? new Error()),
    });
    await expect(book.service.passwords('a')).rejects.toBe(failures[0]);
    await expect(book.service.passwords('b')).rejects.toBe(failures[1]);
    expect([...book.facts.values()]).toMatchObject([
      { id: 'a', value: { is: 'problem', problem: 'notFound' } },
    ]);
  });

  it('N8 of failures in a row with the first one of earlier runs; those of one run count once', async () => {
    const clock = createVirtualClock(NOW);
    let earlier: Fact | undefined;
    const since: unknown[] = [];
    for (let run = 0; run < 3; run += 1) {
      const service = { ...listing([]), passwords: () => Promise.resolve('notFound' as const) };
      const dialect = resolveDialect();
      const book = new RecordedReads({ service, clock, dialect, known: () => earlier });
      book.see(devices);
      for (let read = 0; read < 3; read += 1) {
        await book.service.passwords('a');
        await clock.sleep(60_000);
      }
      earlier = book.facts.get('password a');
      since.push(earlier?.value.is === 'problem' && earlier.value.since);
    }
    expect(since).toEqual([undefined, NOW + 120_000, NOW + 120_000]);
  });

  it('N6 of a shared failure only after three devices failed', async () => {
    const { book } = recorded({ targetFirmware: () => Promise.resolve('unreadable' as const) });
    for (const [n, id] of IDS.entries()) {
      await book.service.targetFirmware(id);
      expect(book.facts.size).toBe(n < 2 ? 0 : 1);
    }
    expect([...book.facts.values()][0]).not.toHaveProperty('who');
  });
});
