import type { ActiveStop } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { Followed } from './followed.ts';
import { sampleSubject, waveSubject } from './tally.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/** A sample that a gate needs, for a SEEN record `gateSample`. */
export interface WantedSample {
  readonly wave: number;
  readonly subject: string;
  /** IDs of the devices that the gate checks. */
  readonly devices: readonly string[];
}

/** The records that apply writes for a rollout. */
export interface RolloutRecords {
  /**
   * STOP for each rule that trips and is not recorded yet, to append before anything else is sent.
   */
  readonly stops: readonly Body<'STOP'>[];
  /** The ROLLOUT of devices of a canary that others replace; none where that is on record. */
  readonly replaced: readonly Body<'ROLLOUT'>[];
  /** Stops that changed documents have ended: each needs a LIFT that names the commit. */
  readonly outdated: readonly ActiveStop[];
  /** SEEN `wavePassed` for each wave that has passed and is not recorded as passed. */
  readonly passed: readonly Body<'SEEN'>[];
  /** Gates that need samples, because their soak is running or over. */
  readonly samples: readonly WantedSample[];
}

/** The records that a rollout needs now; none about waves before its first attempt. */
export function dueRecords(followed: Followed, now: Instant): RolloutRecords {
  const { halts, stopped } = followed;
  return {
    stops: halts.records,
    replaced: replacedRecord(followed),
    outdated: stopped.outdated,
    passed: passedRecords(followed, now),
    samples: wantedSamples(followed),
  };
}

function replacedRecord({ input, replaced }: Followed): readonly Body<'ROLLOUT'>[] {
  const { policy, targetDigest } = input;
  if (replaced.size === 0) return [];
  return [{ type: 'ROLLOUT', policy, targetDigest, base: [], replaced: [...replaced] }];
}

/**
 * The ROLLOUT record before an attempt on these devices: the first one freezes the base and its
 * waves, a later one adds devices that no record names yet. It names the devices that guardrails have
 * weighed, where these are not its base (semantics N38). Undefined if all are named.
 * @param weighed the devices whose changes they weighed in this run; absent: the base
 */
export function rolloutRecord(
  { input, started, assignment }: Followed,
  deviceIds: readonly string[],
  weighed?: readonly string[],
): Body<'ROLLOUT'> | undefined {
  const { policy, targetDigest } = input;
  const start = { type: 'ROLLOUT', policy, targetDigest } as const;
  if (!started) {
    const { frozen } = assignment;
    return { ...start, ...frozen, ...namesWeighed(weighed ?? frozen.base, frozen.base) };
  }
  const known = started.weighed ?? started.devices;
  const base = deviceIds.filter((id) => !started.devices.has(id));
  const added = (weighed ?? base).filter((id) => !known.has(id));
  if (base.length + added.length === 0) return undefined;
  return { ...start, base, ...namesWeighed(added, base) };
}

function namesWeighed(
  weighed: readonly string[],
  base: readonly string[],
): Pick<Body<'ROLLOUT'>, 'weighed'> {
  const ids = new Set(weighed);
  const isBase = ids.size === base.length && base.every((id) => ids.has(id));
  return isBase ? {} : { weighed: [...ids].sort(compareTexts) };
}

function passedRecords(
  { input, started, states, progress }: Followed,
  now: Instant,
): readonly Body<'SEEN'>[] {
  if (!started) return [];
  return [...states.entries()]
    .filter(([wave, { is: state }]) => state === 'passed' && progress.passedAt(wave) === undefined)
    .map(([wave]) => ({
      type: 'SEEN',
      what: 'wavePassed',
      subject: waveSubject({ input, started }, wave),
      seenAt: formatInstant(now),
    }));
}

function wantedSamples({ input, started, states, progress }: Followed): readonly WantedSample[] {
  if (!started || input.spec.gate.checks.length === 0) return [];
  return [...states.entries()].flatMap(([wave, state]) => {
    const account = progress.waves[wave];
    const isWanted = state.is === 'soaking' || (state.is === 'gated' && state.why === 'checks');
    if (!isWanted || account?.soaksSince === undefined) return [];
    const subject = sampleSubject({ input, started }, wave, account.soaksSince);
    return [{ wave, subject, devices: account.gated }];
  });
}
