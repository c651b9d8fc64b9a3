import { expect, it } from 'vitest';
import { readBack } from '../../../../src/apply/watch/readback.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { Survey } from '../../../../src/apply/reading.ts';
import { aRun } from '../../../support/apply-run.ts';
import { NOW, aMemory, aSnapshot, anOpenIntent } from '../../../support/plan-fleet.ts';
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
