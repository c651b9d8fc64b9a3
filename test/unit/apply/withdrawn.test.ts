import { expect, test } from 'vitest';
import { basisNow, recheck } from '../../../src/apply/send/recheck.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { FirmwarePolicy } from '../../../src/model/documents/policy.ts';
import type { ApprovedFirmware } from '../../../src/model/fleet/snapshot.ts';
import { openSchedule } from '../../../src/plan/decide/schedule.ts';
import { findOutages } from '../../../src/rollout/budgets/outage.ts';
import { aRun } from '../../support/apply-run.ts';
import { candidate, FIRMWARE } from '../../support/apply-candidate.ts';
import { NOW, aDevice, aMemory, aSnapshot, someDocuments } from '../../support/plan-fleet.ts';

const DEVICE = aDevice('dev-1', { firmwareVersion: '11.8.61' });
const APPROVED = candidate('dev-1', {
  change: {
    before: { firmwareVersion: '11.8.61' },
    after: { firmwareVersion: '11.11.73' },
    target: '11.11.73',
    marker: '11.8.61',
    window: { name: 'anytime' },
  },
});

/** What the last look makes of a change to 11.11.73 that was approved, by what the service approves now. */
function now(version: FirmwarePolicy['version'], versions: readonly string[]): string {
  const [documents, memory, snapshot] = [someDocuments(), aMemory(), aSnapshot([DEVICE])];
  const run = aRun({
    journal: { memory, nonce: 'run' },
    documents,
    clock: { now: () => NOW },
    dialect: resolveDialect(),
  });
  const targetFirmware = versions.map((one): ApprovedFirmware => ({ version: one, hops: [one] }));
  const { wanted } = APPROVED;
  const policy = { ...wanted.policy, value: { ...FIRMWARE, version } };
  const basis = basisNow(run, {
    outages: findOutages(snapshot.devices),
    schedule: openSchedule({ documents, snapshot, memory }),
    followed: new Map(),
  });
  const seen = { device: DEVICE, facts: { targetFirmware } };
  const found = recheck(run, { ...APPROVED, wanted: { ...wanted, policy } }, { basis, seen });
  if (found.is === 'holds') return 'holds';
  const { outcome, reason } = found.said;
  return [outcome, reason?.code, reason?.params?.['field']].filter(Boolean).join(' ');
}

const RANGE = { is: 'range', text: '11.x' } as const;
const CASES: readonly [string, FirmwarePolicy['version'], readonly string[], string][] = [
  ['it is still approved', { is: 'exact', version: '11.11.73' }, ['11.11.73'], 'holds'],
  ['nothing is left', { is: 'exact', version: '11.11.73' }, [], 'skipped stale targetFirmware'],
  ['the device lies in the range', RANGE, [], 'skipped stale targetFirmware'],
  ['another one is the newest', { is: 'approved' }, ['11.10.61'], 'skipped stale'],
];

test.each(CASES)('F3 a version withdrawn between plan and POST: %s', (_, version, list, is) => {
  expect(now(version, list)).toBe(is);
});
