import type { Change } from '../../src/model/change.ts';
import { changeId } from '../../src/plan/identify.ts';

/** An upgrade that runs now, with these fields instead. */
export function aChange(deviceId: string, fields: Partial<Change> = {}): Change {
  const task = fields.task ?? 'upgradeFirmware';
  return {
    id: changeId(task, deviceId),
    task,
    device: { id: deviceId, name: `name of ${deviceId}`, site: 'HQ Berlin', vendor: 'Axis' },
    action: 'run',
    cause: 'config',
    reason: { code: 'act', why: 'versionDiffers' },
    at: { file: 'fleet/test.yaml', line: 3, column: 3, policy: 'firmware.lts' },
    before: { firmwareVersion: '11.8.61' },
    after: { firmwareVersion: '11.11.73' },
    target: '11.11.73',
    generation: 0,
    marker: '11.8.61',
    wave: 'all',
    window: { name: 'anytime' },
    risk: 'medium',
    ...fields,
  };
}
