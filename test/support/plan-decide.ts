import type { Judgement, Kind } from '../../src/kinds/kind.ts';
import { KINDS } from '../../src/kinds/index.ts';
import type { Device } from '../../src/model/fleet/device.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { IntentState } from '../../src/model/ledger/memory.ts';
import { DEFAULT_ROLLOUT } from '../../src/model/documents/rollout-defaults.ts';
import type {
  Exception,
  OnboardingPolicy,
  Policy,
  RestartPolicy,
  RotationPolicy,
} from '../../src/model/documents/policy.ts';
import type { Exemption } from '../../src/model/plan/desired-state.ts';
import type { DecisionInput } from '../../src/plan/decide/decision-input.ts';
import { decide } from '../../src/plan/decide/decide.ts';
import { NOW, aDevice, aFirmwarePolicy, aMemory, anIntent, sourced } from './plan-fleet.ts';

/** In milliseconds. */
export const MINUTE = 60_000;
const POLICY = aFirmwarePolicy('lts');
const AT = { file: 'fleet/test.yaml', line: 3, column: 3, policy: POLICY.address };
const BEFORE = { before: { firmwareVersion: '11.8.61' } };
export const DUE = {
  is: 'due',
  why: 'versionDiffers',
  cause: 'config',
  ...BEFORE,
  after: { firmwareVersion: '11.11.73' },
  target: '11.11.73',
  generation: 0,
  marker: '11.8.61',
} as const satisfies Judgement;
export const CONVERGED = {
  is: 'converged',
  reason: { code: 'alreadyConverged' },
  ...BEFORE,
} as const satisfies Judgement;
export const UNSUPPORTED = {
  is: 'unsupported',
  reason: { code: 'unsupported', why: 'noPath' },
  ...BEFORE,
} as const satisfies Judgement;
export const NOT_DUE = {
  is: 'notDue',
  reason: { code: 'notDue', why: 'age' },
  within: false,
  ...BEFORE,
  after: {},
} as const satisfies Judgement;

const base = { until: NOW + 1, notice: 0, reason: 'r', owner: 'o', ticket: 't', tasks: [] };
export const HOLD = sourced<Exception & { type: 'hold' | 'exclude' }>('court', {
  ...base,
  type: 'hold',
});
export const EXCLUDE = sourced<Exception & { type: 'hold' | 'exclude' }>('bay', {
  ...base,
  type: 'exclude',
});
export const PIN = sourced<Exception & { type: 'pin' }>('bug', {
  ...base,
  type: 'pin',
  version: '11.8.61',
  acceptsRisk: false,
});

/**
 * What a decision is made on; what is left out is a device that is due and in the way of nothing.
 */
export interface Given {
  readonly judgement?: Judgement;
  readonly exemption?: Exemption;
  readonly device?: Partial<Device>;
  readonly past?: readonly IntentState[];
  readonly policy?: Policy;
  readonly kind?: Partial<Kind>;
}

/** What is decided, shortest form: action, code and why. */
export function decided({
  judgement = DUE,
  exemption = {},
  past = [],
  policy = POLICY,
  ...given
}: Given) {
  const device = aDevice('dev-1', given.device);
  const memory = aMemory(past);
  const kind: Kind = { ...KINDS[policy.task], judge: () => judgement, ...given.kind };
  const decisionInput: DecisionInput = {
    task: policy.task,
    kind,
    policy: sourced('lts', policy),
    at: AT,
    exemption,
    losers: [],
    memory,
    rollout: DEFAULT_ROLLOUT,
    needsYouAfter: 7 * 86_400_000,
    case: {
      policy,
      device,
      facts: {},
      past: memory.intentsOf(device.id, policy.task),
      generation: 1,
      now: NOW,
      dialect: resolveDialect(),
    },
  };
  const { action, reason } = decide(decisionInput);
  return [action, reason.code, reason.why].filter((word) => word !== undefined).join(' ');
}

/** The intent of that device, tried and failed. */
export const failed = (fields: Partial<IntentState> = {}) =>
  anIntent('dev-1', { verdict: 'failed', ...fields });

/** The intent of that device, tried and failed this many hours ago, oldest first. */
export function failedAgo(hours: readonly number[], fields: Partial<IntentState> = {}) {
  const attempts = hours.map((ago, index) => ({
    attemptId: `run.${index + 1}`,
    attemptedAt: NOW - ago * 60 * MINUTE,
    settledAt: NOW - ago * 60 * MINUTE + MINUTE,
    verdict: 'failed' as const,
  }));
  const earlier = attempts.slice(0, -1);
  return failed({ ...attempts.at(-1), attempts: hours.length, earlier, ...fields });
}

export const ONBOARDING: OnboardingPolicy = {
  section: 'onboarding',
  task: 'onboardDevice',
  address: 'onboarding.hq',
  priority: 500,
  windows: ['anytime'],
  devices: [],
  blockVendors: ['Hik*'],
  maxPerDay: 25,
  expectWithin: 14 * 86_400_000,
  onDuplicate: 'error',
  after: ['rotatePassword', 'upgradeFirmware'],
};
export const RESTART: RestartPolicy = {
  section: 'restarts',
  task: 'restartDevice',
  address: 'restarts.dark',
  priority: 500,
  windows: ['anytime'],
  select: {},
  when: { status: ['offline'], probe: {}, for: 20 * MINUTE, excludeMaintenanceMode: true },
  cooldown: 6 * 60 * MINUTE,
  maxPerDevice: { count: 2, per: 7 * 1440 * MINUTE },
  maxPerSite: { count: 3, per: 60 * MINUTE },
  correlatedOutage: { percent: 30, within: 10 * MINUTE },
  escalate: { after: 2 },
};
export const ROTATION: RotationPolicy = {
  section: 'rotations',
  task: 'rotatePassword',
  address: 'rotations.pw',
  priority: 500,
  windows: ['anytime'],
  select: {},
  due: { is: 'never' },
  generation: 1,
  payload: {},
  offlineGrace: 0,
  unknownAge: 'skip',
};
