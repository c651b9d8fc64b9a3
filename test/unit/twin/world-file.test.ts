import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorldFileError, readWorld, writeWorld } from '../../../src/twin/world-file.ts';
import { rig, taskRequest } from '../../support/twin-rig.ts';
import { scratchFolder } from '../../support/scratch.ts';

type Loose = Record<'users' | 'devices' | 'discovered' | 'tasks', Record<string, unknown>[]> & {
  discovered: { device?: Record<string, unknown> }[];
};

function set(target: object | undefined, key: string, value: unknown): void {
  Object.assign(target ?? {}, { [key]: value });
}

const account = { userName: 'root', lastChanged: 0, expiry: 1 };
const task = {
  id: 't',
  type: 'restartDevice',
  userName: 'Ada',
  createdAt: 0,
  vanished: false,
  deviceTasks: [
    {
      id: 'd',
      deviceId: 'dev-1',
      deviceName: 'one',
      deviceModel: 'm',
      deviceHost: 'h',
      siteId: 1,
      payload: {},
      status: 'running',
      result: null,
      fate: 'failed',
      steps: [
        { name: 's', ms: 1, onStart: [], onEnd: [], fails: false, stuck: false, status: 'lost' },
      ],
      current: 0,
    },
  ],
};

describe('a world file', () => {
  let folder = '';
  beforeEach(async () => {
    // A world knows who may log in to it.
    folder = scratchFolder('world', ['world.json']);
  });

  it('holds the world exactly, for its owner alone, and leaves no draft', async () => {
    const path = join(folder, 'world.json');
    const state = rig().twin.save();
    await writeWorld(path, state);
    expect(await readWorld(path)).toEqual(state);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['world.json']);
  });

  it('that is not there yet is no world', async () => {
    expect(await readWorld(join(folder, 'none.json'))).toBeUndefined();
  });

  it.each([
    ['{', 'not JSON at line 1, column 2'],
    ['{\n  "version": 1,\n  "users": [nobody]\n}', 'not JSON at line 3, column 13'],
    ['{\n  "version": 1\n  "users": []}', 'not JSON at line 3, column 3'],
    [`{"version":1,"tasks":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'more than 80 deep'],
    ['[]', 'is not a world file'],
    ['{"version":2}', 'is not a world file'],
    ['{"version":1,"devices":[]}', 'organization is missing'],
  ])('that holds %s is refused', async (text, reason) => {
    const path = join(folder, 'world.json');
    await writeFile(path, text);
    await expect(readWorld(path)).rejects.toThrow(WorldFileError);
    await expect(readWorld(path)).rejects.toThrow(reason);
  });

  const BROKEN: readonly (readonly [string, string, (world: Loose) => void])[] = [
    [
      'a device without condition',
      'devices[3].condition',
      (world) => delete world.devices[3]?.condition,
    ],
    [
      'a device at no site',
      'devices[0].siteId names no site',
      (world) => set(world.devices[0], 'siteId', 99),
    ],
    [
      'a site that is a text',
      'discovered[1].device.siteId',
      (world) => set(world.discovered[1]?.device, 'siteId', '1'),
    ],
    [
      'two of one id',
      'devices[1].id is there twice',
      (world) => set(world.devices[1], 'id', 'dev-1'),
    ],
    [
      'a date past all dates',
      'devices[2].lastSeen',
      (world) => set(world.devices[2], 'lastSeen', 9e15),
    ],
    [
      'an account that is none',
      'devices[0].accounts[1] must be an object',
      (world) => set(world.devices[0], 'accounts', [account, 7]),
    ],
    [
      'a serial number that is none',
      'devices[0].ssl.serial',
      (world) => set(world.devices[0], 'ssl', { serial: 'x', notBefore: 0, notAfter: 1 }),
    ],
    [
      'a role that is none',
      'users[0].role must be one of',
      (world) => set(world.users[0], 'role', 'root'),
    ],
    ['tasks that are no list', 'tasks must be a list', (world) => set(world, 'tasks', {})],
    [
      'a step of no kind',
      'tasks[0].deviceTasks[0].steps[0].status',
      (world) => set(world, 'tasks', [task]),
    ],
    [
      'an event at no time',
      'events[0].due',
      (world) => set(world, 'events', [{ due: null, sequence: 0, taskId: 't', deviceTaskId: 'd' }]),
    ],
    [
      'a device that is busy with a number',
      'busy[0] must be a text',
      (world) => set(world, 'busy', { 'dev-1': 1 }),
    ],
  ];

  it.each(BROKEN)(
    'that holds %s is refused, with the place and without a secret',
    async (_, reason, spoil) => {
      const path = join(folder, 'world.json');
      const state = rig().twin.save();
      spoil(state as unknown as Loose);
      await writeFile(path, JSON.stringify(state));
      const error: unknown = await readWorld(path).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WorldFileError);
      expect(String(error)).toContain(reason);
      for (const { clientSecret } of state.users) expect(String(error)).not.toContain(clientSecret);
    },
  );

  it('that has lived through tasks of every kind is taken', async () => {
    const one = rig();
    for (const type of [
      'restartDevice',
      'rotatePassword',
      'rotateSslCertificate',
      'upgradeFirmware',
    ])
      await one.run(type, ['dev-1', 'dev-2', 'dev-3']);
    await one.post(taskRequest('restartDevice', ['dev-4']));
    const path = join(folder, 'world.json');
    await writeWorld(path, one.twin.save());
    expect(await readWorld(path)).toEqual(one.twin.save());
  });

  it('that cannot be read is refused', async () => {
    await expect(readWorld(folder)).rejects.toThrow('cannot be read');
  });
});
