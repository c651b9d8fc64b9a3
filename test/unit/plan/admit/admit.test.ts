import { expect, test } from 'vitest';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { DiscoveredDevice } from '../../../../src/model/fleet/device.ts';
import type { Documents, OnboardingPolicy } from '../../../../src/model/documents/policy.ts';
import { plan } from '../../../../src/plan/plan.ts';
import { INPUTS } from '../../../support/plan-change.ts';
import { ONBOARDING, ROTATION } from '../../../support/plan-decide.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anIntent,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

const HOUR = 3_600_000;
const MATCHING: OnboardingPolicy = { ...ONBOARDING, select: { vendor: ['Axis'] }, maxPerDay: 2 };

interface Given {
  readonly sections: Partial<Documents>;
  readonly discovered?: readonly DiscoveredDevice[];
  readonly past?: readonly IntentState[];
}

/** What is planned: task, device, action, and the why of what waits or is skipped. */
function planned({ sections, discovered = [], past = [] }: Given): readonly string[] {
  const devices = [aDevice('cam-1')];
  const facts = {
    targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }],
    passwords: { changedAt: NOW - 300 * 24 * HOUR, marker: 'old' },
  };
  const { changes } = plan({
    documents: someDocuments(sections),
    snapshot: aSnapshot(devices, { discovered, facts: () => facts }),
    memory: aMemory(past),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: 1,
  }).plan;
  return [...changes].map(({ id, action, reason }) =>
    action === 'run' ? `${id} run` : `${id} ${action} ${reason.why ?? reason.code}`,
  );
}

const found = (...ids: readonly string[]): readonly DiscoveredDevice[] =>
  ids.map((id) => ({ id, vendor: 'Axis', name: 'gate', onboardingStatus: 'readyToOnboard' }));
const onboarded = (hoursAgo: number, fields: Partial<IntentState> = {}) =>
  anIntent(`cam-${hoursAgo}`, {
    task: 'onboardDevice',
    policy: ONBOARDING.address,
    attemptedAt: NOW - hoursAgo * HOUR,
    ...fields,
  });

test('one change is in flight on a device: the rotation first, the upgrade waits for it', () => {
  const due = { is: 'maxAge', maxAge: 180 * 24 * HOUR, headStart: 0, spread: 0 } as const;
  const rotations = entries({ pw: { ...ROTATION, due } });
  const firmware = entries({ lts: aFirmwarePolicy('lts') });
  expect(planned({ sections: { rotations, firmware } })).toEqual([
    'rotatePassword/cam-1 run',
    'upgradeFirmware/cam-1 wait ours',
  ]);
});

const PER_DAY: readonly [string, readonly IntentState[], number][] = [
  ['nothing onboarded yet', [], 2],
  ['one 23 hours ago', [onboarded(23)], 1],
  ['one 24 hours ago', [onboarded(24)], 2],
  ['two today', [onboarded(1), onboarded(2)], 0],
  ['two that were refused', [1, 2].map((hour) => onboarded(hour, { outcome: 'rejected' })), 2],
  ['two by another policy', [1, 2].map((hour) => onboarded(hour, { policy: 'onboarding.x' })), 2],
];

test.each(PER_DAY)('two a day, %s: so many may run', (_, past, may) => {
  const sections = { onboarding: entries({ hq: MATCHING }) };
  const changes = planned({ sections, discovered: found('d1', 'd2', 'd3'), past });
  expect(changes.filter((change) => change.endsWith(' run'))).toHaveLength(may);
  expect(changes.filter((change) => change.endsWith(' wait maxPerDay'))).toHaveLength(3 - may);
});

test('a device that is matched, and in an entry that fits several, is decided once', () => {
  const at = { file: 'fleet/test.yaml', line: 9, column: 9 };
  const policy: OnboardingPolicy = {
    ...MATCHING,
    select: { name: ['gate'] },
    devices: [{ name: 'gate', at }],
    onDuplicate: 'skip',
  };
  const sections = { onboarding: entries({ hq: policy }) };
  const changes = planned({ sections, discovered: found('d1', 'd2') });
  expect(changes).toEqual(['onboardDevice/d1 run', 'onboardDevice/d2 run']);
});
