import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/kinds/index.ts';
import { TASK_TYPES, TASKS } from '../../../src/model/fleet/task.ts';

const MINUTE = 60_000;

describe('the registry', () => {
  it('has every task type under its own name', () => {
    expect(Object.keys(KINDS)).toEqual([...TASK_TYPES]);
    for (const task of TASK_TYPES) expect(KINDS[task].task).toBe(task);
  });

  it.each([
    { task: 'restartDevice', minutes: 15, disruptive: true, edge: true },
    { task: 'rotatePassword', minutes: 15, disruptive: true, edge: true },
    { task: 'rotateSslCertificate', minutes: 15, disruptive: true, edge: false },
    { task: 'onboardDevice', minutes: 15, disruptive: false, edge: false },
    { task: 'upgradeFirmware', minutes: 30, disruptive: true, edge: false },
  ] as const)('$task is verified within $minutes minutes', (expected) => {
    const { disruptive, edge } = KINDS[expected.task];
    expect(TASKS[expected.task].verify / MINUTE).toBe(expected.minutes);
    expect({ disruptive, edge }).toMatchObject({
      disruptive: expected.disruptive,
      edge: expected.edge,
    });
  });

  it.each([
    ['upgradeFirmware', 'medium', 'high'],
    ['rotatePassword', 'medium', 'high'],
    ['rotateSslCertificate', 'low', 'medium'],
    ['restartDevice', 'low', 'medium'],
    ['onboardDevice', 'low', 'medium'],
  ] as const)('%s is of risk %s on a camera and %s on a door', (task, camera, door) => {
    const { risk } = KINDS[task];
    expect(risk({ deviceType: 'camera' })).toBe(camera);
    expect(risk({})).toBe(camera);
    expect(risk({ deviceType: 'access control panel' })).toBe(door);
    expect(risk({ deviceType: 'Intercom' })).toBe(door);
  });
});
