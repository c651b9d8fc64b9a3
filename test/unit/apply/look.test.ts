import { describe, expect, it } from 'vitest';
import { lastLook } from '../../../src/apply/look.ts';
import type { Run } from '../../../src/apply/run.ts';
import type { Device } from '../../../src/model/device.ts';
import type { Filter } from '../../../src/model/ports.ts';

const UP = { id: 'up', status: 'online', maintenanceMode: false } as Device;
const DARK = { id: 'dark', status: 'offline', maintenanceMode: false } as Device;
const WORKED_ON = { id: 'worked-on', status: 'online', maintenanceMode: true } as Device;

/** A run over a service that answers lists so; what was read before is in `before`. */
function runOver(answer: (filter: Filter) => readonly Device[], before: readonly Device[]): Run {
  const reads = new Map(before.map((device) => [device.id, { device, readAt: 0 }]));
  const list = async function* (_collection: string, filter: Filter) {
    const rows = answer(filter);
    yield rows;
    return { total: rows.length, rows: rows.length, pages: 1 };
  };
  const service = { holdToken: async () => undefined, list };
  const clock = { now: () => 0, monotonic: () => 0 };
  return { clock, service, reads, ahead: 0 } as unknown as Run;
}

const asked = (filter: Filter): readonly Device[] =>
  [UP, DARK, WORKED_ON].filter((device) =>
    Object.entries(filter).every(([name, value]) => Reflect.get(device, name) === value),
  );

describe('the last look', () => {
  it('lists who is down and who is worked on', async () => {
    const run = runOver(asked, []);
    await lastLook(run, []);
    expect([...run.down.keys()]).toEqual(['dark', 'worked-on']);
  });

  it.each([
    ['offline', { ...UP, status: 'offline' } as Device],
    ['in maintenance', { ...UP, maintenanceMode: true } as Device],
  ])('forgets that a device was read %s where no list has it now', async (_how, before) => {
    const run = runOver(asked, [before, DARK]);
    await lastLook(run, []);
    expect([...run.reads.keys()]).toEqual(['dark']);
  });

  it.each(['status', 'maintenanceMode'])('takes no list for which %s is ignored', async (name) => {
    const ignoring = (filter: Filter) => (name in filter ? [UP] : asked(filter));
    await expect(lastLook(runOver(ignoring, []), [])).rejects.toMatchObject({
      code: 'filterNotHonoured',
    });
  });
});
