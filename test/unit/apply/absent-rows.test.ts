import { describe, expect, it } from 'vitest';
import { runOnce } from '../../support/rehearsal.ts';
import { isTried } from '../../support/campaign.ts';
import { createWorld, readRehearsal, type RehearsalWorld } from '../../support/rehearsal-world.ts';

/** Every list of the service, and whom of the fleet of `three-tasks` it may leave out. */
const LEFT_OUT = [
  ['devices', '/v1/devices', ['dev-1', 'dev-2', 'dev-3']],
  ['discovered devices', '/v1/discoveredDevices', ['disc-1', 'disc-2']],
  ['sites', '/v1/sites', ['*']],
  ['device sources', '/v1/deviceSources', ['*']],
] as const;

/** Which readings of a list leave it out: all of them, the first alone, or all but the first. */
const WHEN = [
  ['always', () => true],
  ['when the fleet is read first', (nth: number) => nth === 0],
  ['from then on', (nth: number) => nth > 0],
] as const;

type Row = Readonly<Record<string, unknown>>;

/** The twin with rows taken out of a list, so that nothing shows that they are missing. */
function without(
  { twin }: RehearsalWorld,
  path: string,
  id: string,
  when: (nth: number) => boolean,
): RehearsalWorld['twin'] {
  let readings = -1;
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const answer = await twin.handle(request);
    if (request.method !== 'GET' || url.pathname !== path) return answer;
    readings += 1;
    if (!when(readings) || !answer.ok) return answer;
    const body = (await answer.json()) as Record<string, unknown>;
    const shown = Object.entries(body).map(([name, value]): [string, unknown] => {
      if (!Array.isArray(value)) return [name, value];
      return [name, value.filter((row: Row) => id !== '*' && row['id'] !== id)];
    });
    const rows = shown.map(([, value]) => value).find(Array.isArray)?.length ?? 0;
    return Response.json({ ...Object.fromEntries(shown), total: rows }, answer);
  };
  return { ...twin, handle };
}

/** What the service was given to do: task types and devices. */
async function tasksOf(change: (world: RehearsalWorld) => RehearsalWorld['twin']) {
  const rehearsal = readRehearsal('three-tasks');
  const created = createWorld(rehearsal.script);
  const world = { ...created, twin: change(created) };
  for (const process of [1, 2]) {
    await runOnce(rehearsal, world, { process });
    world.clock.skip(8 * 3_600_000);
  }
  return created.twin.world.state.tasks
    .flatMap(({ type, deviceTasks }) => deviceTasks.map(({ deviceId }) => `${type} ${deviceId}`))
    .toSorted();
}

describe('I19: what a list does not show', () => {
  const whole = tasksOf(({ twin }) => twin);

  it.each(
    LEFT_OUT.flatMap(([what, path, ids]) =>
      WHEN.flatMap(([when, isOut]) => ids.map((id) => ({ what, path, id, when, isOut }))),
    ).filter((_, nth) => isTried(nth)),
  )('$what without $id, $when: no task that there is not with it', async (of) => {
    const { path, id, isOut } = of;
    const tasks = await tasksOf((world) => without(world, path, id, isOut));
    const all = await whole;
    expect(all).toHaveLength(4);
    expect(tasks.filter((task) => !all.includes(task))).toEqual([]);
    expect(new Set(tasks).size).toBe(tasks.length);
  });

  it('is not onboarded again where the list of discovered devices shows it anew', async () => {
    const rehearsal = readRehearsal('three-tasks');
    const created = createWorld(rehearsal.script);
    const { world: service } = created.twin;
    const { state } = service;
    const found = structuredClone(state.discovered.find(({ device }) => device.id === 'disc-1'));
    await runOnce(rehearsal, created, { process: 1 });
    created.clock.skip(8 * 3_600_000);
    if (found) state.discovered.push({ ...found, discoveredAt: created.clock.now() - 1000 });
    service.index();
    const twin = without(created, '/v1/devices', 'disc-1', () => true);
    const before = state.tasks.length;
    const { report } = await runOnce(rehearsal, { ...created, twin }, { process: 2 });
    const { change, ...ending } =
      report?.endings.find(({ change }) => isOf(change, 'disc-1')) ?? {};
    expect(change?.task).toBe('onboardDevice');
    expect(ending).toMatchObject({ outcome: 'verified', reason: { code: 'alreadyConverged' } });
    expect(state.tasks).toHaveLength(before);
  });
});

function isOf({ device }: { readonly device: { readonly id: string } }, id: string): boolean {
  return device.id === id;
}
