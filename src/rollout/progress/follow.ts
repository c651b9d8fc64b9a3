import type { Memory, StartedRollout } from '../../model/ledger/memory.ts';
import { CANARY, isFirstOfAll } from '../../model/documents/rollout-defaults.ts';
import { once } from '../../lib/compute-once.ts';
import { findSighting } from '../../model/ledger/sightings.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Assignment } from '../waves/assignment.ts';
import type { Assign, Followed, RolloutInput } from './followed.ts';
import { sampleGate } from './gate-sample.ts';
import { GATE_TIMEOUT, judgeWaves, type GateInput, type WaveState } from './gates.ts';
import { readStops, type Stopped } from './halts.ts';
import { countProgress } from './rollout-progress.ts';
import { passedWaves, refusals } from './wave-refusals.ts';
import { isFlawed, trippedRules, type Trip } from './stops.ts';
import { sampleSubject, waveSubject, type DeviceTally } from './tally.ts';
import { assignWaves } from '../waves/waves.ts';

/** The history of the rollouts, and the current time. */
export interface FollowInput {
  readonly memory: Memory;
  readonly now: Instant;
}

/**
 * Follows every rollout at once, by the address of its policy: membership, progress, stop rules,
 * gates, and their effect on each device. Pure; apply alone records the results, with
 * `rollout-records.ts`, and they are in force before that.
 */
export function followRollouts(
  inputs: readonly RolloutInput[],
  { memory, now }: FollowInput,
): ReadonlyMap<string, Followed> {
  const past = { memory, now };
  const counted = inputs.map((input) => countOne(input, past));
  const all = counted.flatMap(({ progress }) => progress.tallies);
  const fleet = all.some(isFlawed) ? all : [];
  return new Map(counted.map((one) => [one.input.policy, judgeOne(one, { ...past, fleet })]));
}

/**
 * Returns a function that assigns the devices of one rollout to waves. It computes the waves on the
 * first call and again only after another rollout has begun, because apply calls it several times
 * for each attempt.
 */
export function assigner(input: RolloutInput): Assign {
  let last: { readonly started: StartedRollout | undefined; readonly is: Assignment } | undefined;
  return (started) => {
    if (!last || last.started !== started) last = { started, is: assignment(input, started) };
    return last.is;
  };
}

type Counted = Pick<Followed, 'input' | 'started' | 'replaced' | 'assignment' | 'progress'>;

function countOne(input: RolloutInput, past: FollowInput): Counted {
  const last = past.memory.rollouts.get(input.policy);
  const started = last?.targetDigest === input.targetDigest ? last : undefined;
  const assign = input.assign ?? assigner(input);
  const replaced = findReplaced(input, { ...past, started, assignment: assign(started) });
  if (started && replaced.size > 0) {
    const places = new Map([...(started.replaced ?? []), ...replaced]);
    return { ...countFrom(input, past, { ...started, replaced: places }), replaced };
  }
  return { ...countFrom(input, past, started), replaced };
}

function countFrom(
  input: RolloutInput,
  past: FollowInput,
  started: StartedRollout | undefined,
): Omit<Counted, 'replaced'> {
  const assignment = (input.assign ?? assigner(input))(started);
  const { count = countProgress } = input;
  const progress = count({ ...input, ...past, assignment, started });
  return { input, started, assignment, progress };
}

/**
 * Before the first attempt, the base is every device that is due and approved. A quarantined device
 * is not in the canary, and a device without approval joins later, so that guardrails still count
 * it.
 */
function assignment(input: RolloutInput, started: StartedRollout | undefined): Assignment {
  const members = started
    ? input.members
    : input.members.filter(
        ({ id }) => input.aside(id) === undefined && (input.covers?.(input.task, id) ?? true),
      );
  const frozen = started && {
    base: started.base,
    ...(started.waves && { waves: started.waves }),
    ...(started.replaced && { replaced: started.replaced }),
  };
  const canStart = (id: string): boolean => input.cannotStart?.(id) === undefined;
  const { policy, seed = policy } = input;
  const resting = started && input.resting;
  return assignWaves({
    ...input,
    policy: seed,
    members,
    resting,
    canStart,
    ...(frozen && { frozen }),
  });
}

function judgeOne(
  counted: Counted,
  past: FollowInput & { readonly fleet: readonly DeviceTally[] },
): Followed {
  const { input, progress } = counted;
  const stopped = readStops({ ...input, ...past });
  const { liftedAt } = stopped;
  const tripped = trippedRules({ ...input, ...past, tallies: progress.tallies, liftedAt });
  const gates = gateInput(counted, past, { stopped, tripped });
  const states = judgeWaves(gates);
  const trips = [...tripped, ...stalled(input, states)];
  const halts = stopped.with(trips);
  const status = { ...counted, states, trips, stopped, halts };
  const refuses = refusals(status, withoutCanary(input, gates));
  return { ...status, refuses, passed: passedWaves(status) };
}

/** The states of the waves for devices that need no canary, computed on first use. */
function withoutCanary({ spec }: RolloutInput, gates: GateInput): () => readonly WaveState[] {
  const isNotNeeded = (wave: number): boolean => spec.waves[wave]?.name === CANARY;
  return once(() => judgeWaves({ ...gates, isNotNeeded }));
}

function gateInput(
  { input, started, assignment, progress }: Counted,
  { memory, now }: FollowInput,
  { stopped, tripped }: { readonly stopped: Stopped; readonly tripped: readonly Trip[] },
): GateInput {
  const { spec, aside, approvedBy = () => undefined } = input;
  const { whole } = stopped.with(tripped);
  const ends = [stopped.liftedAt({ sites: [] }), stopped.resumedAt].filter(
    (at) => at !== undefined,
  );
  return {
    spec,
    ...progress,
    now,
    startedAt: started?.startedAt ?? now,
    ...(ends.length > 0 && { liftedAt: Math.max(...ends) }),
    ...(whole && { halt: { is: whole.is, rule: whole.rule } }),
    samples: (wave, soaksSince) =>
      started &&
      findSighting(memory, 'gateSample', sampleSubject({ input, started }, wave, soaksSince)),
    sampleNow(devices) {
      const checks = devices.map((id) => input.sample(id, memory));
      return sampleGate(spec.gate.checks, checks);
    },
    isApproved: (wave) => {
      const name = spec.waves[wave]?.name ?? '';
      const devices = assignment.waves[wave] ?? [];
      return devices.some((id) => aside(id) === undefined && approvedBy(name, id) !== undefined);
    },
  };
}

/** A gate that stays inconclusive for too long stops its rollout, like a stop rule. */
function stalled({ policy }: RolloutInput, states: readonly WaveState[]): readonly Trip[] {
  const isStalled = states.some((state) => state.is === 'paused' && state.rule === GATE_TIMEOUT);
  if (!isStalled) return [];
  return [{ scope: policy, rule: GATE_TIMEOUT, action: 'pause', counts: {}, devices: [] }];
}

/** How long a device of a canary may be unable to start before another one takes its place. */
const PATIENCE: Milliseconds = 24 * 3_600_000;

interface Situation {
  readonly started: StartedRollout | undefined;
  readonly assignment: Assignment;
  readonly memory: Memory;
  readonly now: Instant;
}

/**
 * The devices of a canary that another one replaces now, each with that one (semantics C12): it was never attempted and
 * could not start for 24 hours. The first device of the last wave that can start takes its place, or one that has joined
 * since the rollout began. Judged over the whole fleet, and in force before apply records it.
 */
function findReplaced(
  input: RolloutInput,
  { started, assignment, memory, now }: Situation,
): ReadonlyMap<string, string> {
  const replaced = new Map<string, string>();
  const { spec, task, cannotStart = () => undefined } = input;
  const [canary] = spec.waves;
  const last = spec.waves.length - 1;
  if (!started || !canary || last === 0 || !isFirstOfAll(canary, 0)) return replaced;
  if (spec.assignment === 'site' || canary.slice.is === 'select') return replaced;
  if (findSighting(memory, 'wavePassed', waveSubject({ input, started }, 0))) return replaced;
  const isUntouched = (id: string): boolean =>
    input.aside(id) === undefined &&
    memory.intentsOf(id, task).every(({ rollout }) => rollout !== started.seq);
  const unable = (assignment.waves[0] ?? []).filter(isUntouched).filter((id) => {
    const cannot = cannotStart(id);
    return cannot && now - (cannot.since ?? started.startedAt) >= PATIENCE;
  });
  if (unable.length === 0) return replaced;
  const able = [...(assignment.waves[last] ?? []), ...assignment.lateJoiners].filter(
    (id) => isUntouched(id) && cannotStart(id) === undefined,
  );
  for (const [index, id] of unable.entries()) {
    const substitute = able[index];
    if (substitute !== undefined) replaced.set(id, substitute);
  }
  return replaced;
}
