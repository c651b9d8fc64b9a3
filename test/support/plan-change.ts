import { type Action, type Change, changeId, isWanted } from '../../src/model/plan/change.ts';
import type { Plan, PlanInputs, PlanWave, GuardrailVerdict } from '../../src/model/plan/plan.ts';
import { PLAN_VERSION } from '../../src/model/plan/plan.ts';
import { createColumns } from '../../src/plan/columns.ts';
import { planId } from '../../src/plan/identify.ts';

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
    policy: fields.at?.policy ?? 'firmware.lts',
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

/** A plan of these changes. */
export function aPlan(changes: readonly Change[]): Plan {
  const columns = createColumns();
  for (const change of changes) columns.add(change);
  const countOf = (action: Action) => changes.filter((change) => change.action === action).length;
  return {
    version: PLAN_VERSION,
    id: planId(changes, INPUTS.service.fingerprint),
    evaluatedAt: '2026-11-20T12:00:00Z',
    expiresAt: '2026-11-27T12:00:00Z',
    inputs: INPUTS,
    changes: columns.view(),
    notes: [],
    waves: wavesIn(changes),
    verdicts: [passedDefault(changes)],
    counts: { run: countOf('run'), wait: countOf('wait'), skip: countOf('skip'), note: 0 },
    warnings: [],
  };
}

/** The verdict of a limit that lets every plan through. */
export function passedDefault(changes: readonly Change[]): GuardrailVerdict {
  const number = changes.filter(isWanted).length;
  const limit = 'maxChanges';
  const value = Math.max(2000, number);
  return { guardrail: 'default', limit, value, number, allowed: value, passed: true };
}

/** The waves of changes, each with how many it has. */
export function wavesIn(changes: readonly Change[]): readonly PlanWave[] {
  const wanted = changes.filter(isWanted);
  const waves = wanted.flatMap(({ at: { policy }, wave: name }) =>
    name === undefined ? [] : [{ policy, name }],
  );
  const isOf = (wave: Pick<PlanWave, 'policy' | 'name'>) => (change: Change) =>
    change.at.policy === wave.policy && change.wave === wave.name;
  const first = waves.filter(
    (one, index) =>
      index === waves.findIndex(({ policy, name }) => policy === one.policy && name === one.name),
  );
  return first.map((wave) => ({ ...wave, changes: wanted.filter(isOf(wave)).length }));
}

/** What a plan in a test says that it was made from. */
export const INPUTS: PlanInputs = {
  tool: 'fleetform 0.0.0',
  service: {
    baseUrl: 'https://service.test',
    organization: 'acme',
    from: 'document',
    fingerprint: 'fingerprint',
  },
  documents: 'documents',
  snapshot: {
    digest: 'snapshot',
    takenAt: '2026-11-20T12:00:00Z',
    confidence: 'one page',
    devices: 3,
    sites: 1,
    discovered: 0,
  },
  ledger: { seq: 0, hash: '' },
};
