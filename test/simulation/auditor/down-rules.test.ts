import { describe, expect, it } from 'vitest';
import { OTHER, setScene, type Scene } from '../scene.ts';
import type { Wishes } from '../wishes.ts';
import { openCase, truthOf, type AttemptFile, type ProcessFile } from './case-file.ts';
import { onAttemptDown } from './down-rules.ts';

/** A seed of several devices at one site, whose reads are never old copies. */
const SEED = 259;

/** No device of the fleet may be down; `dev-1` is, since long ago. */
function oneDown(): Scene {
  const scene = setScene(SEED);
  const { world } = scene.twin;
  for (const device of world.state.devices)
    Object.assign(device, { condition: 'well', maintenance: false });
  Object.assign(world.device('dev-1') ?? {}, { condition: 'dark', lastSeen: 0 });
  return scene;
}

/** A restart of a device that was read just now; says what the auditor finds in it. */
function attempted(scene: Scene, id: string): readonly string[] {
  const file = openCase(scene);
  const device = scene.twin.world.device(id);
  const reads = new Map([[id, { sentAt: 0, truth: device && truthOf(device, 0) }]]);
  const wishes = { budgets: { all: { per: 'fleet', maxUnavailable: 0 } }, groups: {} };
  const looks = new Map([['status=offline', { at: 1, strays: 0 }]]);
  const by = { wishes: wishes as unknown as Wishes, reads, looks } as unknown as ProcessFile;
  const body = { task: 'restartDevice', intents: [{ device: id }] };
  onAttemptDown(file, { body } as unknown as AttemptFile, by);
  return file.violations.map(({ what }) => what.split(' (', 1)[0] ?? '');
}

describe('I6 at an attempt', () => {
  it('takes a device that was down when it was read for nothing more', () => {
    expect(attempted(oneDown(), 'dev-1')).toEqual([]);
  });

  it('still does where somebody else works on it', () => {
    const scene = oneDown();
    const foreign = { userName: OTHER, deviceTasks: [{ deviceId: 'dev-1' }] };
    scene.twin.world.state.tasks.push(foreign as never);
    expect(attempted(scene, 'dev-1')).toEqual([]);
  });

  it('still does where other reads may be old copies', () => {
    expect(attempted({ ...oneDown(), has: new Set(['staleReads']) }, 'dev-1')).toEqual([]);
  });

  it('finds another device beside it', () => {
    expect(attempted(oneDown(), 'dev-2')).toContain('all fleet: 1 + 1 of 0');
  });
});
