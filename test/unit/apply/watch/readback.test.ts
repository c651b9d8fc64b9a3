import { expect, it } from 'vitest';
import { readBack } from '../../../../src/apply/watch/readback.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { Survey } from '../../../../src/apply/reading.ts';
import type { PasswordFacts } from '../../../../src/model/fleet/snapshot.ts';
import { aRun } from '../../../support/apply-run.ts';
import {
  NOW,
  aMemory,
  aSnapshot,
  anOpenIntent,
  someDocuments,
} from '../../../support/plan-fleet.ts';
import { bare, listing } from '../../../support/plan-service.ts';

const PAGE = 1_000;

/** How many requests it takes to read so many of a fleet back, and how many were seen. */
async function requestsFor(waiting: number, fleet: number) {
  const ids = Array.from({ length: fleet }, (_, index) => `d-${index}`);
  const devices = bare(...ids);
  let requests = 0;
  const lists = listing([{ devices, pageSize: PAGE }]);
  const service = {
    ...lists,
    async *list(collection: 'devices') {
      const pages = lists.list(collection);
      for (let page = await pages.next(); ; page = await pages.next()) {
        if (page.done) return page.value;
        requests += 1;
        yield page.value;
      }
    },
    device: async (id: string) => {
      requests += 1;
      return { value: devices.find((device) => device.id === id) };
    },
  };
  const intents = ids.slice(-waiting).map((id) => anOpenIntent(id));
  const run = aRun({
    service,
    clock: { now: () => NOW, monotonic: () => 0 },
    journal: { memory: aMemory(intents), renew: async () => undefined },
  });
  run.reading.replace({ snapshot: aSnapshot(devices) } as unknown as Survey);
  const seen = await readBack(run, intents);
  return { requests, seen: seen.size };
}

it.each([
  [1, 40],
  [5, 40],
  [40, 40],
  [1, 2_500],
  [3, 2_500],
  [4, 2_500],
  [20, 2_500],
])(
  '%i in flight of %i devices: as many requests as devices or as pages, whichever is less',
  async (waiting, fleet) => {
    const pages = Math.ceil(fleet / PAGE);
    const requests = Math.min(waiting, pages);
    expect(await requestsFor(waiting, fleet)).toEqual({ requests, seen: waiting });
  },
);

it('X19 reads each device by its id where the answer to the list is not understood', async () => {
  const ids = ['d-1', 'd-2', 'd-3', 'd-4'];
  const devices = bare(...ids);
  const service = {
    async *list() {
      yield await Promise.reject(new WorldError('notJson', { path: '/v1/devices' }));
    },
    device: async (id: string) => ({ value: devices.find((device) => device.id === id) }),
  };
  const intents = ids.map((id) => anOpenIntent(id));
  const run = aRun({
    service,
    clock: { now: () => NOW, monotonic: () => 0 },
    journal: { memory: aMemory(intents), renew: async () => undefined },
  });
  run.reading.replace({ snapshot: aSnapshot(devices) } as unknown as Survey);
  expect([...(await readBack(run, intents)).keys()]).toEqual(intents.map(({ id }) => id));
});

/** Three devices whose list and whose single reads may differ after an upgrade to 11.0. */
async function upgradedBy({ list, own }: { readonly list: string; readonly own: string }) {
  const ids = ['d-1', 'd-2', 'd-3'];
  const asked: string[] = [];
  const rows = (firmwareVersion: string) =>
    bare(...ids).map((each) => ({
      ...each,
      firmwareVersion,
      status: 'online' as const,
      lastSeen: NOW + 1,
    }));
  const service = {
    ...listing([{ devices: rows(list), pageSize: PAGE }]),
    device: async (id: string) => {
      asked.push(id);
      return { value: rows(own).find((device) => device.id === id) };
    },
  };
  const intents = ids.map((id) => ({ ...anOpenIntent(id), target: '11.0' }));
  const run = aRun({
    service,
    clock: { now: () => NOW + 2, monotonic: () => 0 },
    documents: someDocuments(),
    dialect: {},
    journal: { memory: aMemory(intents), renew: async () => undefined },
  });
  run.reading.replace({ snapshot: aSnapshot(rows(list)) } as unknown as Survey);
  for (const intent of intents)
    run.inFlight.of(intent).complete({ completedAt: NOW, undated: false });
  const versions = async () => {
    asked.length = 0;
    const seen = await readBack(run, intents);
    return {
      asked: asked.length,
      shown: [...new Set([...seen.values()].map(({ device }) => device?.firmwareVersion))],
    };
  };
  return { versions };
}

it('V1 a list that is ahead of the device proves nothing: the device is read by its ID', async () => {
  const { versions } = await upgradedBy({ list: '11.0', own: '10.0' });
  expect(await versions()).toEqual({ asked: 3, shown: ['10.0'] });
  expect(await versions()).toEqual({ asked: 3, shown: ['10.0'] });
});

it('V1 a list that is behind hides nothing: the first read is by ID, and later ones are the list', async () => {
  const behind = await upgradedBy({ list: '10.0', own: '11.0' });
  expect(await behind.versions()).toEqual({ asked: 3, shown: ['11.0'] });
  const pending = await upgradedBy({ list: '10.0', own: '10.0' });
  expect(await pending.versions()).toEqual({ asked: 3, shown: ['10.0'] });
  expect(await pending.versions()).toEqual({ asked: 0, shown: ['10.0'] });
});

/** Devices whose passwords a task has changed, and which requests read them back. */
async function rotatedBy(passwords: Partial<PasswordFacts> | 'forbidden') {
  const ids = ['d-1', 'd-2', 'd-3'];
  const devices = bare(...ids);
  const asked: string[] = [];
  const read = typeof passwords === 'string' ? passwords : { marker: 'm-2', ...passwords };
  const service = {
    ...listing([{ devices, pageSize: PAGE }]),
    device: async (id: string) => (asked.push('row'), { value: devices.find((d) => d.id === id) }),
    passwords: async () => (asked.push('passwords'), read),
  };
  const intents = ids.map((id) => anOpenIntent(id, { task: 'rotatePassword', marker: 'm-1' }));
  const run = aRun({
    service,
    clock: { now: () => NOW + 2, monotonic: () => 0 },
    documents: someDocuments(),
    dialect: {},
    journal: { memory: aMemory(intents), renew: async () => undefined },
  });
  run.reading.replace({ snapshot: aSnapshot(devices) } as unknown as Survey);
  for (const intent of intents)
    run.inFlight.of(intent).complete({ completedAt: NOW, undated: false });
  const seen = [...(await readBack(run, intents)).values()];
  const rows = seen.filter(({ device }) => device !== undefined).length;
  return {
    passwords: asked.filter((each) => each === 'passwords').length,
    seen: seen.length,
    rows,
  };
}

it('V1 a password that its own read shows changed needs no row of its device', async () => {
  const attempted = anOpenIntent('d-1').attemptedAt;
  const shown = await rotatedBy({ changedAt: attempted + 1 });
  expect(shown).toEqual({ passwords: 3, seen: 3, rows: 0 });
});

it('V1 a row is read where the read of a password does not prove its change', async () => {
  for (const read of [
    { marker: 'm-1' },
    { changedAt: NOW - 86_400_000 * 30 },
    'forbidden',
  ] as const)
    expect(await rotatedBy(read)).toEqual({ passwords: 3, seen: 3, rows: 3 });
});
