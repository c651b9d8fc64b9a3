import { describe, expect, it } from 'vitest';
import { capture } from '../../../src/live/capture.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { NOW, aDevice } from '../../support/plan-fleet.ts';
import { bare, listing, type ListPass } from '../../support/plan-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const MINUTE = 60_000;
const SURE = Array.from({ length: 400 }, (_, index) => `sure-${index}`);

type Answer = 'there' | 'gone' | 'broken';

interface World {
  /** Devices that every pass shows. */
  readonly sure?: number;
  /** What only the first pass of the list shows. */
  readonly once?: readonly string[];
  /** What each further read of a device by its id answers; the last one again and again. */
  readonly byId?: Readonly<Record<string, readonly Answer[]>>;
  readonly named?: readonly string[];
  readonly open?: readonly string[];
  readonly patient?: boolean;
  readonly torn?: boolean;
}

/** Reads a fleet whose list never held still, but for `once` and what `byId` says. */
async function read({ once = [], byId = {}, named = [], open = [], ...given }: World) {
  const { patient = true, torn = true, sure = SURE.length } = given;
  const always: ListPass = {
    devices: bare(...SURE.slice(0, sure)),
    pageSize: 1_000,
    ...(torn && { torn: 'total' }),
  };
  const first = { ...always, devices: bare(...SURE.slice(0, sure), ...once) };
  const clock = createVirtualClock(NOW);
  const asked: [string, number][] = [];
  const device = async (id: string): Promise<{ value: Device | undefined }> => {
    const turn = asked.filter(([one]) => one === id).length;
    asked.push([id, clock.now() - NOW]);
    const answers = byId[id] ?? ['there'];
    const answer = answers[Math.min(turn, answers.length - 1)];
    if (answer === 'broken') throw new WorldError('notJson');
    return { value: answer === 'there' ? aDevice(id, { name: 'by id' }) : undefined };
  };
  const { repair, devices, confidence } = await capture({
    service: { ...listing([first, always]), device },
    clock,
    random: () => 0.5,
    want: { sites: false, sources: false, discovered: false },
    repair: { known: { ids: named, open: new Set(open) }, patient },
  });
  const row = (id: string) => devices.rowOf(id);
  const nameOf = (id: string) => devices.at(row(id) ?? -1).name;
  return { repair, confidence, asked, has: (id: string) => row(id) !== undefined, nameOf };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `gone-${index}`);
const allGone = (of: readonly string[]): NonNullable<World['byId']> =>
  Object.fromEntries(of.map((id) => [id, ['gone' as const]]));

describe('a torn reading (protocol Y4)', () => {
  it('is repaired by reads of what was not seen in every pass, and of nothing else', async () => {
    const { repair, confidence, asked, nameOf, has } = await read({ once: ['a'], named: ['b'] });
    expect(asked.map(([id]) => id)).toEqual(['a', 'b']);
    expect(repair).toEqual({ present: 2, absent: [], unknown: [] });
    expect([nameOf('a'), nameOf('b'), has('sure-0')]).toEqual(['by id', 'by id', true]);
    expect(confidence).toBe('torn');
  });

  it('reads what has something of ours open, though no pass shows it', async () => {
    expect((await read({ open: ['a'] })).asked.map(([id]) => id)).toEqual(['a']);
  });

  it('calls absent what two reads ten minutes apart do not show, and leaves it out', async () => {
    const { repair, asked, has } = await read({ once: ['a'], byId: { a: ['gone'] } });
    expect(repair).toEqual({ present: 0, absent: ['a'], unknown: [] });
    expect(has('a')).toBe(false);
    const [first = 0, second = 0] = asked.map(([, at]) => at);
    expect(second - first).toBe(10 * MINUTE);
  });

  it('knows as there what the second read shows', async () => {
    const { repair, has } = await read({ once: ['a'], byId: { a: ['gone', 'there'] } });
    expect(repair).toEqual({ present: 1, absent: [], unknown: [] });
    expect(has('a')).toBe(true);
  });

  it('leaves unknown what cannot be read, with the row that a pass showed', async () => {
    const broken = { a: ['broken'], b: ['gone', 'broken'] } as const;
    const { repair, has } = await read({ once: ['a', 'b'], byId: broken });
    expect(repair).toEqual({ present: 0, absent: [], unknown: ['a', 'b'] });
    expect([has('a'), has('b')]).toEqual([true, true]);
  });

  it('calls nothing absent where there is no time to ask twice', async () => {
    const gone = ids(9);
    const { repair, asked } = await read({ once: gone, byId: allGone(gone), patient: false });
    expect(repair).toEqual({ present: 0, absent: [], unknown: gone });
    expect(asked).toHaveLength(9);
  });

  it('costs nothing where the reading was not torn', async () => {
    const { repair, asked } = await read({ named: ['a'], torn: false });
    expect([repair, asked]).toEqual([undefined, []]);
  });
});

describe('Y5 more known devices that are gone than may leave in a night', () => {
  const stopped = (world: World) =>
    read(world).then(
      () => undefined,
      (error: unknown) => error instanceof WorldError && [error.code, error.params['gone']],
    );

  it('are taken for a change of permissions, from the fourth on', async () => {
    const world = (count: number) => ({ once: ids(count), byId: allGone(ids(count)) });
    expect(await stopped(world(3))).toBeUndefined();
    expect(await stopped(world(4))).toEqual(['permissionsChanged', 4]);
  });

  it('or that are more than one in a hundred', async () => {
    const two = { once: ids(2), byId: allGone(ids(2)) };
    expect(await stopped({ ...two, sure: 198 })).toBeUndefined();
    expect(await stopped({ ...two, sure: 197 })).toEqual(['permissionsChanged', 2]);
  });

  it('count where something of ours is open, not where only a document or an old record names them', async () => {
    const four = { byId: allGone(ids(4)) };
    expect(await stopped({ ...four, open: ids(4) })).toEqual(['permissionsChanged', 4]);
    expect(await stopped({ ...four, named: ids(4) })).toBeUndefined();
  });
});
