import type { PersonPause } from '../../model/ledger/pauses.ts';
import { CANARY } from '../../model/documents/rollout-defaults.ts';
import type { Passed } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { compareTexts } from '../../lib/text-order.ts';
import type { Followed, Refused } from './followed.ts';
import type { GateWhy, WaveState } from './gates.ts';
import type { Halt } from './halts.ts';

type FollowedStatus = Omit<Followed, 'refuses' | 'passed'>;

/**
 * Returns steps K12 and K13 of the decision order as a function of one device: a stop that covers
 * it, then the first earlier wave that has not passed, then the approval that its own wave needs. A
 * late joiner of a passed wave waits for no gate, but for stops. A device that needs no canary sees
 * the later waves as if the canary had passed: an empty one blocks nothing.
 */
export function refusals(
  status: FollowedStatus,
  withoutCanary: () => readonly WaveState[],
): (deviceId: string) => Refused | undefined {
  const { assignment, halts, input } = status;
  const usual = waitsOf(status);
  let free: ReturnType<typeof waitsOf> | undefined;
  return (id) => {
    const halt = halts.isFree ? undefined : halts.of(assignment.memberOf(id) ?? { sites: [] });
    if (halt) return haltedBy(halt);
    const never = input.never?.(id);
    if (never) return { action: 'wait', reason: never };
    const { wave } = assignment.assignmentOf(id);
    const { canary, soak } = input.passes?.(id) ?? {};
    const waits =
      canary === undefined ? usual : (free ??= waitsOf({ ...status, states: withoutCanary() }));
    return waits(id, wave, soak !== undefined);
  };
}

/**
 * The effect of a stop on a device that it covers: the device waits, or after an abort it is
 * skipped.
 */
export function haltedBy(halt: Halt): Refused {
  const { is: state, rule, scope, counts, since, pause } = halt;
  if (pause) return pausedBy(pause, rule);
  // The fields of a stored record may be in another order than those of a new one.
  const inOrder = Object.entries(counts).sort(([a], [b]) => compareTexts(a, b));
  const params = { rule, scope, ...Object.fromEntries(inOrder) };
  const when = { next: 'never', ...(since !== undefined && { since }) } as const;
  if (state === 'aborted')
    return { action: 'skip', reason: { code: 'rolloutAborted', ...when, params } };
  // A stop on record is lifted by a person; before that, the outcomes of these devices end it.
  const why = since === undefined && counts['bad'] === counts['inDoubt'] ? 'onlyDoubts' : undefined;
  return {
    action: 'wait',
    reason: { code: 'rolloutPaused', ...(why && { why }), ...when, params },
  };
}

/** The pause of a person, with who and why (semantics N68). */
function pausedBy({ scope, who, why, ticket, until, at }: PersonPause, rule: string): Refused {
  const params = { rule, scope, who, because: why, ...(ticket !== undefined && { ticket }) };
  const when = { since: at, next: until ?? 'never' } as const;
  return { action: 'wait', reason: { code: 'rolloutPaused', why: 'person', ...when, params } };
}

/** What a device of a wave waits for: an earlier wave, in common with all of its wave, or the approval of its own. */
function waitsOf(status: FollowedStatus) {
  const { states } = status;
  const find = (wave: number, passesSoak: boolean): Refused | undefined => {
    const before = states
      .slice(0, wave)
      .findIndex(({ is: state }) => state !== 'passed' && !(passesSoak && state === 'soaking'));
    const state = states[before];
    return state && { action: 'wait', reason: waveReason(state, { before, wave }, status) };
  };
  const [usual, passing] = [false, true].map((passesSoak) =>
    computeOnce((wave: number) => find(wave, passesSoak)),
  );
  return (id: string, wave: number, passesSoak: boolean): Refused | undefined => {
    const earlier = (passesSoak ? passing : usual)?.(wave);
    if (earlier) return earlier;
    return needsApproval(wave, status) && approvedBy(id, wave, status) === undefined
      ? { action: 'wait', reason: approvalReason(wave, status) }
      : undefined;
  };
}

/** A wave that has passed needs no further approval. */
function needsApproval(wave: number, { input: { spec }, states }: FollowedStatus): boolean {
  return spec.gate.approval !== 'none' && wave > 0 && states[wave]?.is !== 'passed';
}

function approvedBy(id: string, wave: number, { input }: FollowedStatus): string | undefined {
  return input.approvedBy?.(input.spec.waves[wave]?.name ?? '', id);
}

/** What exceptions open for a device of a rollout: canaries and soaks before its wave, and the gate of its wave. */
export function passedWaves(status: FollowedStatus): (deviceId: string) => readonly Passed[] {
  const { assignment, states, input } = status;
  return (id) => {
    const { wave } = assignment.assignmentOf(id);
    const { soak, canary } = input.passes?.(id) ?? {};
    const isHeld = soak === undefined && canary === undefined;
    const earlier = input.spec.waves
      .slice(0, isHeld ? 0 : wave)
      .flatMap(({ name }, before): readonly Passed[] => {
        const state = states[before]?.is;
        if (canary !== undefined && name === CANARY && state !== 'passed')
          return [{ what: 'canary', name, rule: canary }];
        return soak !== undefined && state === 'soaking'
          ? [{ what: 'waveSoak', name, rule: soak }]
          : [];
      });
    const gate = needsApproval(wave, status) ? approvedBy(id, wave, status) : undefined;
    const name = `${input.name}/${input.spec.waves[wave]?.name ?? ''}`;
    return gate === undefined ? earlier : [...earlier, { what: 'gate', name, rule: gate }];
  };
}

interface Between {
  /** The wave that has not passed. */
  readonly before: number;
  /** The wave of the device. */
  readonly wave: number;
}

function waveReason(state: WaveState, { before, wave }: Between, status: FollowedStatus): Reason {
  const { waves } = status.input.spec;
  const name = waves[before]?.name ?? '';
  const notOpen: Reason = {
    code: 'waveNotOpen',
    params: { wave: waves[wave]?.name ?? '', before: name },
  };
  if (isFartherThanNext({ before, wave }, status)) return notOpen;
  if (state.is === 'soaking') {
    const { since, until } = state;
    return { code: 'gatePending', why: 'soak', since, next: until, params: { wave: name } };
  }
  if (state.is !== 'gated') return notOpen;
  if (state.why === 'approval') return approvalReason(wave, status);
  const { why, since, again: next } = state;
  const when = { since, ...(next !== undefined && { next }) };
  return { code: 'gatePending', ...WHYS[why], ...when, params: { wave: name } };
}

/** Whether another wave with devices lies between the two. */
function isFartherThanNext({ before, wave }: Between, { progress }: FollowedStatus): boolean {
  return progress.waves.slice(before + 1, wave).some(({ eligible }) => eligible > 0);
}

/** An empty first wave needs a person, because nothing will ever be attempted in it. */
const WHYS: Readonly<Record<Exclude<GateWhy, 'approval'>, Pick<Reason, 'why' | 'next'>>> = {
  empty: { why: 'emptyWave', next: 'never' },
  minReached: { why: 'minReached' },
  minSuccess: { why: 'minSuccess' },
  onTheWay: { why: 'onTheWay' },
  checks: { why: 'checks' },
};

function approvalReason(wave: number, { input }: FollowedStatus): Reason {
  const name = input.spec.waves[wave]?.name ?? '';
  const params = { wave: name, entry: `${input.name}/${name}` };
  return { code: 'approvalPending', next: 'never', params };
}
