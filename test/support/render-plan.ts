import type { Change, DeviceLabel } from '../../src/model/plan/change.ts';
import type { Coverage } from '../../src/model/plan/coverage.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { planId } from '../../src/plan/identify.ts';
import { passedDefault, wavesIn } from './plan-change.ts';

/** Midnight of the plans in these tests. */
export const NOW = Date.parse('2026-11-20T01:12:00Z');

/** A change that runs a firmware upgrade on one camera, with what a test says otherwise. */
export function change(device: Partial<DeviceLabel> & { id: string }, other: Partial<Change> = {}) {
  const task = other.task ?? 'upgradeFirmware';
  const full: Change = {
    id: `${task}/${device.id}`,
    task,
    device: { vendor: 'Axis', model: 'P3265-LVE', site: 'HQ Berlin', name: device.id, ...device },
    action: 'run',
    cause: 'config',
    reason: { code: 'act', why: 'versionDiffers' },
    policy: other.at?.policy ?? 'firmware.axis-p32',
    at: { policy: 'firmware.axis-p32', file: 'fleet/cameras.yaml', line: 4, column: 3 },
    before: { firmwareVersion: '11.8.61' },
    after: { firmwareVersion: '11.11.73' },
    target: '11.11.73',
    generation: 1,
    marker: '11.8.61',
    risk: 'medium',
    ...other,
  };
  return full;
}

/** Devices `cam-001` and on, spread over three sites. */
export function labels(count: number, prefix = 'cam'): DeviceLabel[] {
  const sites = ['HQ Berlin', 'Lyon', 'Oslo Warehouse'];
  return Array.from({ length: count }, (_, n) => ({
    id: `${prefix === 'cam' ? 'dev' : prefix}-${100 + n}`,
    name: `${prefix}-${String(n + 1).padStart(3, '0')}`,
    vendor: 'Axis',
    model: 'P3265-LVE',
    site: sites[n % 7 === 0 ? 1 : n % 3] ?? 'Lyon',
  }));
}

/** The coverage of 1,000 devices, of which policies select those that match and those that are not read. */
export function covered(matching: number, unread = 0): Coverage {
  return {
    seen: { '12': 1000 },
    offered: {},
    person: [],
    selected: matching + unread,
    matching,
    read: matching,
    believed: 0,
    unread,
    unreadable: 0,
    acknowledged: [],
    excluded: [],
    notOffered: {},
  };
}

/** A plan around changes; counts follow from them and the notes. */
export function planOf(changes: readonly Change[], other: Partial<Plan> = {}): Plan {
  const notes = other.notes ?? [];
  const count = (action: Change['action']) => changes.filter((c) => c.action === action).length;
  const noted = notes.reduce((sum, note) => sum + note.count, 0);
  return {
    version: 1,
    id: 'kq3vmx7ch2n5w4t6y7abcdefgh',
    evaluatedAt: '2026-11-20T01:12:00Z',
    expiresAt: '2026-11-27T01:12:00Z',
    inputs: {
      tool: 'fleetform 0.1.0',
      service: {
        baseUrl: 'https://api.example.com',
        organization: 'acme',
        from: 'document',
        fingerprint: 'f'.repeat(64),
      },
      commit: '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d',
      dirty: false,
      documents: 'd'.repeat(64),
      snapshot: {
        digest: 'e'.repeat(64),
        takenAt: '2026-11-20T01:10:00Z',
        confidence: 'clean pass',
        devices: 1000,
        sites: 12,
        discovered: 24,
      },
      ledger: { seq: 41, hash: 'a'.repeat(64) },
    },
    changes,
    notes,
    waves: [],
    verdicts: [],
    counts: {
      run: count('run'),
      wait: count('wait'),
      skip: count('skip'),
      note: count('note') + noted,
    },
    warnings: [],
    ...other,
  };
}

const ROTATIONS = {
  policy: 'rotations.camera-passwords',
  file: 'fleet/rotations.yaml',
  line: 9,
  column: 3,
};

/** A night as it is: upgrades, rotations, a restart, onboarding; some wait, some are skipped. */
export function nightPlan(other: Partial<Plan> = {}): Plan {
  const day = 86_400_000;
  const rotation = labels(200, 'door').map((device, n) =>
    change(device, {
      task: 'rotatePassword',
      cause: 'clock',
      at: ROTATIONS,
      reason: { code: 'act', why: 'ageReached', since: NOW - (n % 9) * day },
      before: { passwordChangedAt: new Date(NOW - (190 + n) * day).toISOString() },
      after: { passwordChangedAt: 'after this rotation', generation: 2 },
      action: n < 190 ? 'run' : 'wait',
      risk: 'low',
      ...(n >= 190 && {
        reason: { code: 'budgetExhausted', params: { budget: 'per-site', scope: 'site' } },
      }),
    }),
  );
  const offline = labels(3, 'gate').map((device, n) =>
    change(device, {
      action: 'wait',
      reason: { code: 'offline', since: NOW - (19 + n) * day },
    }),
  );
  const upgrades = labels(9).map((device) => change(device, { risk: 'high' }));
  const [odd] = labels(1, 'odd');
  const skipped = change(odd ?? { id: 'odd-1' }, {
    action: 'skip',
    reason: { code: 'unsupported', why: 'noTargetFirmware', next: 'never' },
    after: {},
  });
  return planOf([...rotation, ...offline, ...upgrades, skipped], {
    notes: [
      {
        task: 'upgradeFirmware',
        at: upgrades[0]?.at ?? ROTATIONS,
        reason: { code: 'alreadyConverged' },
        count: 771,
      },
      { task: 'rotatePassword', at: ROTATIONS, reason: { code: 'notDue', why: 'age' }, count: 16 },
    ],
    ...other,
  });
}

/** A plan that readers of a file take: everything that it sums up follows from its changes. */
export function signedPlan(changes: readonly Change[]): Plan {
  const plan = planOf(changes);
  const id = planId(changes, plan.inputs.service.fingerprint);
  const snapshot = { ...plan.inputs.snapshot, devices: Math.max(1000, changes.length) };
  const inputs = { ...plan.inputs, snapshot };
  return { ...plan, id, inputs, waves: wavesIn(changes), verdicts: [passedDefault(changes)] };
}

/** The same, of a request: compared with a commit of its target branch, whose documents have none of these changes. */
export function comparedPlan(changes: readonly Change[], commit = 'c'.repeat(40)): Plan {
  const caused = changes.map((each): Change => ({ ...each, group: 'branch' }));
  const counts = { branch: changes.length, clock: 0, pending: 0, dropped: 0 };
  return { ...signedPlan(caused), base: { ref: 'origin/main', commit, counts, gone: [] } };
}
