import { describe, expect, it } from 'vitest';
import { lastLook } from '../../../../src/apply/send/last-look.ts';
import type { Survey } from '../../../../src/apply/reading.ts';
import type { Run } from '../../../../src/apply/run/run.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { ServiceFilter } from '../../../../src/model/ports.ts';
import type { ProgressEvent } from '../../../../src/model/progress.ts';
import { aRun } from '../../../support/apply-run.ts';
import { aDevice, aSnapshot } from '../../../support/plan-fleet.ts';

const UP = aDevice('up', { status: 'online', maintenanceMode: false });
const DARK = aDevice('dark', { status: 'offline', maintenanceMode: false });
const WORKED_ON = aDevice('worked-on', { status: 'online', maintenanceMode: true });
const WELL = aDevice('well', { status: 'online', maintenanceMode: false });
const ALL = [UP, WELL, DARK, WORKED_ON];

/** A run over a service that answers lists so; what was read before is in `before`, and in `known` the fleet. */
function runOver(
  answer: (filter?: ServiceFilter) => readonly Device[],
  before: readonly Device[],
  known: readonly Device[] = [WELL, ...before],
): Run & { readonly told: readonly ProgressEvent[] } {
  const list = async function* (_collection: string, filter?: ServiceFilter) {
    const rows = answer(filter);
    yield rows;
    return { total: rows.length, rows: rows.length, pages: 1 };
  };
  const device = async (id: string) => ({ value: ALL.find((one) => one.id === id) });
  const service = { holdToken: async () => undefined, list, device };
  const clock = { now: () => 0, monotonic: () => 0 };
  const told: ProgressEvent[] = [];
  const progress = (event: ProgressEvent): void => void told.push(event);
  const survey = { snapshot: aSnapshot(known) };
  const dialect = resolveDialect();
  const run = aRun({ clock, service, dialect, progress });
  run.reading.replace(survey as unknown as Survey);
  for (const one of before) run.reading.keep(one);
  return { ...run, told };
}

const asked = (filter: ServiceFilter = {}, all = ALL): readonly Device[] =>
  all.filter((device) =>
    Object.entries(filter).every(([name, value]) => Reflect.get(device, name) === value),
  );

describe('X6 the last look', () => {
  it('lists who is down and who is worked on', async () => {
    const run = runOver(asked, []);
    await lastLook(run, []);
    expect([...run.reading.down.keys()]).toEqual(['dark', 'worked-on']);
  });

  it.each([
    ['offline', { ...UP, status: 'offline' } as Device],
    ['in maintenance', { ...UP, maintenanceMode: true } as Device],
  ])('forgets that a device was read %s where no list has it now', async (_how, before) => {
    const run = runOver(asked, [before, DARK]);
    await lastLook(run, []);
    expect([...run.reading.reads.keys()]).toEqual(['dark']);
  });

  const refusal = (status: number) =>
    new WorldError('unexpectedStatus', { path: '/v1/devices', status });
  const refusing =
    (status: number, name: string) =>
    (filter: ServiceFilter = {}) => {
      if (name in filter) throw refusal(status);
      return asked(filter);
    };
  const ignoring =
    (name: string) =>
    (filter: ServiceFilter = {}) =>
      name in filter ? ALL : asked(filter);

  /** Answers so where it is asked for this one value, and as it should otherwise. */
  const only =
    (odd: ServiceFilter, answer: (name: string) => (filter?: ServiceFilter) => readonly Device[]) =>
    (filter: ServiceFilter = {}) => {
      const [[name = '', value] = []] = Object.entries(odd);
      return filter[name] === value && value !== undefined ? answer(name)(filter) : asked(filter);
    };

  it.each([
    ['status is ignored', ignoring('status'), 'ignored'],
    ['maintenanceMode is ignored', ignoring('maintenanceMode'), 'ignored'],
    ['maintenanceMode is refused', refusing(400, 'maintenanceMode'), 'refused'],
    ['maintenanceMode is not found', refusing(404, 'maintenanceMode'), 'refused'],
    ['status=partial alone is ignored', only({ status: 'partial' }, ignoring), 'ignored'],
    ['maintenanceMode=1 alone is ignored', only({ maintenanceMode: true }, ignoring), 'ignored'],
    [
      'maintenanceMode=1 alone is refused',
      only({ maintenanceMode: true }, (name) => refusing(400, name)),
      'refused',
    ],
  ])('looks at every row where the filter %s, and says so once', async (_what, answer, why) => {
    const run = runOver(answer, []);
    await lastLook(run, []);
    await lastLook(run, []);
    expect([...run.reading.down.keys()]).toEqual(['dark', 'worked-on']);
    expect(run.told).toMatchObject([{ type: 'warning', code: 'unfiltered', parameters: { why } }]);
  });

  it('sends no filter that the dialect says there is not', async () => {
    const filters: (ServiceFilter | undefined)[] = [];
    const run = runOver((filter) => (filters.push(filter), asked(filter)), []);
    const without = { ...run, dialect: resolveDialect({ filterMaintenanceMode: '' }) };
    await lastLook(without, []);
    expect([...without.reading.down.keys()]).toEqual(['dark', 'worked-on']);
    expect(filters).toEqual([undefined]);
  });

  it('Y6 does not believe a filter that leaves out a device known to be in maintenance', async () => {
    const odd = (filter: ServiceFilter = {}) =>
      filter['maintenanceMode'] === true ? [] : asked(filter);
    const run = runOver(odd, [WORKED_ON]);
    await lastLook(run, []);
    expect([...run.reading.down.keys()]).toEqual(['dark', 'worked-on']);
    const other = runOver(odd, [{ ...UP, maintenanceMode: true }]);
    await lastLook(other, []);
    expect(other.told).toEqual([]);
  });

  it.each(['offline', 'partial', 'unknown'])(
    'Y6 does not believe a list that leaves out a device known to be %s',
    async (status) => {
      const dark = { ...DARK, status };
      const rows = (filter: ServiceFilter = {}) =>
        filter['status'] === status ? [] : asked(filter, [UP, WELL, dark]);
      const run = runOver(rows, [], [WELL, dark]);
      const device = async () => ({ value: dark });
      Object.assign(run.service, { device });
      await lastLook(run, []);
      expect([...run.reading.down.keys()]).toEqual(['dark']);
      expect(run.told).toMatchObject([
        { parameters: { filter: `status=${status}`, why: 'ignored' } },
      ]);
    },
  );

  const hiding =
    (...names: readonly string[]) =>
    (filter: ServiceFilter = {}) =>
      names.some((name) => name in filter) ? [] : asked(filter);

  it.each([['maintenanceMode'], ['status'], ['status', 'maintenanceMode']])(
    'Y6 does not believe empty answers where nothing matches the filter %s, though all was well',
    async (...names) => {
      const run = runOver(hiding(...names), [], [UP, WELL]);
      await lastLook(run, []);
      await lastLook(run, []);
      expect([...run.reading.down.keys()]).toEqual(['dark', 'worked-on']);
      expect(run.told).toEqual([
        {
          type: 'warning',
          code: 'unfiltered',
          parameters: { filter: 'status=online&maintenanceMode=false', why: 'empty' },
        },
      ]);
    },
  );

  it('Y6 believes no empty answer where nothing that was read can tell', async () => {
    const odd = aDevice('odd', { status: 'asleep' });
    const run = runOver(asked, [], [odd]);
    await lastLook(run, []);
    expect([...run.reading.down.keys()]).toEqual(['dark', 'worked-on']);
    expect(run.told).toEqual([
      {
        type: 'warning',
        code: 'unfiltered',
        parameters: { filter: 'maintenanceMode=true', why: 'untried' },
      },
    ]);
  });

  it('tries the filters once in a run, by a state that a device was read in', async () => {
    const filters: (ServiceFilter | undefined)[] = [];
    const run = runOver((filter) => (filters.push(filter), asked(filter)), [], [WORKED_ON]);
    await lastLook(run, []);
    const statuses = ['offline', 'partial', 'unknown'].map((status) => ({ status }));
    const lists = [...statuses, { maintenanceMode: true }];
    expect(filters).toEqual([{ status: 'online', maintenanceMode: true }, ...lists]);
    await lastLook(run, []);
    expect(filters).toHaveLength(9);
  });

  it('counts the age of its evidence from behind the trial', async () => {
    let now = 0;
    const run = runOver((filter) => ((now += 1_000), asked(filter)), []);
    const clock = { now: () => now, monotonic: () => now };
    const { since } = await lastLook({ ...run, clock: { ...run.clock, ...clock } }, []);
    expect(since).toEqual({ wall: 1_000, monotonic: 1_000 });
  });

  it('goes no further where the service is away', async () => {
    const look = lastLook(runOver(refusing(503, 'maintenanceMode'), []), []);
    await expect(look).rejects.toMatchObject({ code: 'unexpectedStatus' });
  });
});
