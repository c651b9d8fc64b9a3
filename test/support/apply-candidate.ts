import type { Candidate } from '../../src/apply/send/candidate.ts';
import type { Change } from '../../src/model/plan/change.ts';
import { DEFAULT_ROLLOUT } from '../../src/model/documents/rollout-defaults.ts';
import type { FirmwarePolicy, RotationPolicy } from '../../src/model/documents/policy.ts';

const AT = { file: 'fleet/a.yaml', line: 1, column: 1 };

export const FIRMWARE: FirmwarePolicy = {
  section: 'firmware',
  task: 'upgradeFirmware',
  address: 'firmware.axis',
  priority: 500,
  windows: ['anytime'],
  select: {},
  version: { is: 'exact', version: '2' },
  deferral: 0,
  downgrade: 'forbid',
  path: 'auto',
  restAtIntermediate: 'allow',
};

export const ROTATION: RotationPolicy = {
  section: 'rotations',
  task: 'rotatePassword',
  address: 'rotations.passwords',
  priority: 500,
  windows: ['anytime'],
  select: {},
  due: { is: 'never' },
  generation: 2,
  payload: {},
  offlineGrace: 0,
  unknownAge: 'skip',
};

export function change(device: string, more: Partial<Change> = {}): Change {
  const task = more.task ?? 'upgradeFirmware';
  return {
    id: `${task}/${device}`,
    task,
    device: { id: device },
    action: 'run',
    cause: 'config',
    reason: { code: 'act' },
    policy: more.at?.policy ?? 'firmware.axis',
    at: { ...AT, policy: 'firmware.axis' },
    before: { firmwareVersion: '1' },
    after: { firmwareVersion: '2' },
    target: '2',
    generation: 0,
    marker: '1',
    risk: 'low',
    ...more,
  };
}

export function candidate(
  device: string,
  {
    order = 0,
    policy = FIRMWARE,
    rollout = DEFAULT_ROLLOUT,
    ...more
  }: Partial<Omit<Candidate, 'wanted' | 'change'>> & {
    readonly policy?: FirmwarePolicy | RotationPolicy;
    readonly change?: Partial<Change>;
  } = {},
): Candidate {
  const at = { ...AT, policy: policy.address };
  const sourced = { name: 'p', value: policy, at: AT, places: new Map() };
  return {
    order,
    change: change(device, { task: policy.task, at, ...more.change }),
    wanted: { task: policy.task, policy: sourced, at, exemption: {}, losers: [] },
    rollout,
  };
}
