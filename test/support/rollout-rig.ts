import type {
  IntentState,
  Lift,
  Memory,
  ObservedFact,
  ActiveStop,
} from '../../src/model/ledger/memory.ts';
import type { RolloutSpec } from '../../src/model/documents/rollout.ts';
import { DEFAULT_ROLLOUT } from '../../src/model/documents/rollout-defaults.ts';
import type { WaveMember } from '../../src/rollout/waves/assignment.ts';
import { followRollouts } from '../../src/rollout/progress/follow.ts';
import type { Followed, RolloutInput } from '../../src/rollout/progress/followed.ts';
import { assignWaves } from '../../src/rollout/waves/waves.ts';
import { aMemory } from './plan-fleet.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** When rollouts of these tests begin. */
export const START = Date.UTC(2026, 10, 1);

export const POLICY = 'firmware.p';

/** The `seq` of the ROLLOUT record. */
export const SEQ = 7;

/** Devices `d000`, `d001`, ... of one model at one site, with these fields instead. */
export function members(count: number, fields: (n: number) => Partial<WaveMember> = () => ({})) {
  return Array.from({ length: count }, (_, n): WaveMember => {
    const id = `d${String(n).padStart(3, '0')}`;
    const usual = { vendor: 'Axis', model: 'P1', firmwareVersion: '1', deviceType: 'camera' };
    return { id, sites: ['s1'], ...usual, ...fields(n) };
  });
}

/** The built-in rollout with these fields instead. */
export function aSpec(fields: Partial<RolloutSpec> = {}): RolloutSpec {
  return { ...DEFAULT_ROLLOUT, ...fields };
}

/** A rollout of one wave that holds everything, without stops or checks, with these fields instead. */
export function oneWave(fields: Partial<RolloutSpec> = {}): RolloutSpec {
  const gate = { ...DEFAULT_ROLLOUT.gate, checks: [] };
  const slice = { is: 'percent', percent: 100 } as const;
  const waves = [{ name: 'all', slice, stratify: [], soak: DAY }];
  return aSpec({ waves, gate, stopOn: [], ...fields });
}

export function anInput(fields: Partial<RolloutInput> = {}): RolloutInput {
  return {
    policy: POLICY,
    task: 'upgradeFirmware',
    name: 'default',
    spec: aSpec(),
    targetDigest: 'wish',
    documents: 'documents',
    members: members(100),
    selects: () => false,
    aside: () => undefined,
    sample: () => ({ online: true, readBackMatches: true, recording: true }),
    ...fields,
  };
}

/** An intent of the rollout that was attempted an hour after its start and ended as told. */
export function tried(device: string, fields: Partial<IntentState> = {}): IntentState {
  return {
    id: `${device}@2`,
    task: 'upgradeFirmware',
    device,
    target: '2',
    generation: 1,
    policy: POLICY,
    sites: ['s1'],
    marker: '',
    phase: 'closed',
    attempts: 1,
    attemptId: 'a.1',
    attemptedAt: START + HOUR,
    settledAt: START + 2 * HOUR,
    rollout: SEQ,
    ...fields,
  };
}

export const done = (device: string, fields: Partial<IntentState> = {}): IntentState =>
  tried(device, { verdict: 'done', ...fields });
export const failed = (device: string, fields: Partial<IntentState> = {}): IntentState =>
  tried(device, { verdict: 'failed', ...fields });
export const running = (device: string, fields: Partial<IntentState> = {}): IntentState => {
  const { settledAt: _settledAt, ...open } = tried(device, { phase: 'running' });
  return { ...open, ...fields };
};

/** What the ledger holds beside intents. */
export interface Past {
  readonly intents?: readonly IntentState[];
  readonly stops?: readonly ActiveStop[];
  readonly lifts?: readonly Lift[];
  readonly sightings?: Readonly<Record<string, ObservedFact>>;
  /** Device ids that later ROLLOUT records added. */
  readonly added?: readonly string[];
}

/** The memory of a rollout that has begun with the members of this input. */
export function begun(input: RolloutInput, past: Past = {}): Memory {
  const { frozen } = assignWaves(input);
  const devices = new Set([...frozen.base, ...(past.added ?? [])]);
  const rollout = { targetDigest: 'wish', seq: SEQ, startedAt: START, ...frozen, devices };
  const byScope = <T extends { readonly scope: string }>(all: readonly T[] = []) =>
    new Map(all.map((one) => [one.scope, one]));
  return aMemory(past.intents, {
    rollouts: new Map([[input.policy, rollout]]),
    stops: byScope(past.stops),
    lifts: byScope(past.lifts),
    sightings: new Map(Object.entries(past.sightings ?? {})),
  });
}

/** A sighting made so many times in a row, the first at an instant. */
export function sighted(since: number, value = '', times = 1): ObservedFact {
  return { value, firstAt: since, lastAt: since, since, times };
}

/** Follows one rollout. */
export function follow(input: RolloutInput, memory: Memory, now = START + 3 * HOUR): Followed {
  const followed = followRollouts([input], { memory, now }).get(input.policy);
  if (!followed) throw new Error('the rollout is not followed');
  return followed;
}
