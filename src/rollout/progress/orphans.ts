import type { FollowInput } from './follow.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import type { IntentState, Memory, StartedRollout } from '../../model/ledger/memory.ts';
import { pausesAt } from '../../model/ledger/pauses.ts';
import { FLEET, type LostPlace, lostPlaces, policyOfScope } from '../../model/ledger/scopes.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import type { Refused } from './followed.ts';
import { endsLast, type Halt, haltOfPause, haltOfStop } from './halts.ts';

/**
 * What the ledger has that the policy of a device need not have: addresses that no policy has or names (semantics M23),
 * and the rollouts of policies that a person paused (semantics N66).
 */
export interface Orphans {
  /** Pauses and stops, the one that holds longest first. */
  readonly halts: readonly Halt[];
  /** Rollouts that have not finished. */
  readonly rollouts: readonly OrphanedRollout[];
  /** Rollouts that began under policies that a person has paused. */
  readonly paused: readonly PausedRollout[];
  /** When each policy first did something; without those that never did. */
  readonly firstAt: ReadonlyMap<string, Instant>;
  readonly lostPlace: LostPlace;
}

export interface OrphanedRollout {
  /** The address that no policy has. */
  readonly policy: string;
  readonly devices: ReadonlySet<string>;
  /** Devices whose attempt is not closed. */
  readonly open: ReadonlySet<string>;
  /** When it last did something. */
  readonly lastAt: Instant;
}

export interface PausedRollout {
  /** The address of its policy, which the documents have. */
  readonly policy: string;
  readonly task: TaskType;
  readonly devices: ReadonlySet<string>;
}

/** The documents, and the fleet where it was read: a device that has left it finishes nothing. */
interface Present {
  readonly documents: Documents;
  readonly snapshot?: Pick<Snapshot, 'devices' | 'sites'>;
}

/**
 * Returns what finds the orphans at an instant; undefined if there are none. The rollouts are those of the first call
 * until another rollout begins, so that a run decides as its plan did.
 */
export function openOrphans(present: Present): (moment: FollowInput) => Orphans | undefined {
  const policies = listPolicies(present.documents).map(({ value }) => value);
  const known = new Set([FLEET, ...policies.map(({ address }) => address)]);
  const lostPlace = present.snapshot ? lostPlaces(present.snapshot) : () => undefined;
  let last: (Unfinished & { readonly of: Memory['rollouts'] }) | undefined;
  return ({ memory, now }) => {
    const stops = [...memory.stops.values()].filter(({ scope, wish }) => {
      const running = memory.rollouts.get(policyOfScope(scope));
      return wish === undefined || running === undefined || running.targetDigest === wish;
    });
    const all = [...stops.map(haltOfStop), ...pausesAt(memory, now).map(haltOfPause)];
    const halts = all.filter(({ scope }) => !known.has(policyOfScope(scope))).sort(endsLast);
    if (!last || last.of !== memory.rollouts)
      last = { ...unfinishedIn(memory, known, present), of: memory.rollouts };
    const { rollouts, firstAt } = last;
    const scopes = new Set(pausesAt(memory, now).map(({ scope }) => policyOfScope(scope)));
    const paused = policies.flatMap((policy) => {
      const { address } = policy;
      const begun = scopes.has(address) ? memory.rollouts.get(address) : undefined;
      const task = policy.section === 'rotations' ? policy.task : TASK_OF[policy.section];
      return begun ? [{ policy: address, task, devices: begun.devices }] : [];
    });
    const isNone = halts.length + rollouts.length + paused.length === 0;
    if (isNone && !all.some(({ scope }) => lostPlace(scope))) return undefined;
    return { halts, rollouts, paused, firstAt, lostPlace };
  };
}

/** How orphans hold a change, if they do: it waits until a person says what they mean. */
export function heldByOrphan(
  { halts, rollouts, firstAt }: Orphans,
  policy: Policy,
  deviceId: string,
): Refused | undefined {
  const halt = halts.find(({ scope }) => isOfKind(scope, policy));
  if (halt) return { action: 'wait', reason: haltReason(halt) };
  for (const rollout of rollouts) {
    if (!rollout.devices.has(deviceId) || !isOfKind(rollout.policy, policy)) continue;
    const why = whyHeld(rollout, policy, { deviceId, firstAt });
    if (why === undefined) continue;
    const params = { address: rollout.policy, scope: rollout.policy };
    return { action: 'wait', reason: { code: 'rolloutPaused', why, next: 'never', params } };
  }
  return undefined;
}

/** The section of a policy or scope: what the ledger knows of its kind of change. */
export function sectionOf(scope: string): string {
  return scope.split('.', 1)[0] ?? '';
}

function isOfKind(scope: string, { address }: Policy): boolean {
  return sectionOf(scope) === sectionOf(address);
}

/**
 * A policy that did something before the rollout last did is another one. One that says `renamedFrom` is known to be
 * another one as well, and an incident is never an earlier policy.
 */
function whyHeld(
  { open, lastAt }: OrphanedRollout,
  policy: Policy,
  { deviceId, firstAt }: { readonly deviceId: string } & Pick<Orphans, 'firstAt'>,
): Reason['why'] {
  if (open.has(deviceId)) return 'orphanedAttempt';
  const isIncident = policy.section === 'rotations' && policy.incident !== undefined;
  const isOther = isIncident || (firstAt.get(policy.address) ?? Infinity) < lastAt;
  return isOther || policy.renamedFrom ? undefined : 'orphanedRollout';
}

function haltReason({ scope, rule, since, pause }: Halt): Reason {
  const { who, why: because, ticket, until } = pause ?? {};
  return {
    code: 'rolloutPaused',
    why: 'orphanedPause',
    ...(since !== undefined && { since }),
    next: until ?? 'never',
    params: {
      address: policyOfScope(scope),
      scope,
      ...(who === undefined ? { rule } : { who }),
      ...(because !== undefined && { because }),
      ...(ticket !== undefined && { ticket }),
    },
  };
}

type Unfinished = Pick<Orphans, 'rollouts' | 'firstAt'>;

function unfinishedIn(
  memory: Memory,
  known: ReadonlySet<string>,
  { snapshot }: Present,
): Unfinished {
  const begun = [...memory.rollouts].filter(([address]) => !known.has(address));
  if (begun.length === 0) return { rollouts: [], firstAt: new Map() };
  const firstAt = new Map<string, Instant>();
  const left = new Map(begun.map(([policy, rollout]) => [policy, startLeft(rollout)]));
  for (const intent of memory.intents.values()) {
    const { policy, attemptedAt, earlier = [] } = intent;
    const at = earlier[0]?.attemptedAt ?? attemptedAt;
    firstAt.set(policy, Math.min(at, firstAt.get(policy) ?? Infinity));
    left.get(policy)?.see(intent);
  }
  for (const [policy, { startedAt }] of memory.rollouts)
    firstAt.set(policy, Math.min(startedAt, firstAt.get(policy) ?? Infinity));
  const isManaged = (id: string) => snapshot?.devices.rowOf(id) !== undefined || !snapshot;
  const rollouts = [...left].flatMap(([policy, each]) => each.orphaned(policy, isManaged));
  return { rollouts, firstAt };
}

/** What a rollout has left to do, from its intents. */
function startLeft({ seq, startedAt, devices }: StartedRollout) {
  const [done, open] = [new Set<string>(), new Set<string>()];
  let lastAt = startedAt;
  return {
    see({ device, rollout, phase, verdict, towards, attemptedAt }: IntentState): void {
      lastAt = Math.max(lastAt, attemptedAt);
      if (rollout !== seq) return;
      if (verdict === 'done' && towards === undefined) done.add(device);
      if (phase !== 'closed' && phase !== 'none') open.add(device);
    },
    orphaned(policy: string, isManaged: (id: string) => boolean): readonly OrphanedRollout[] {
      const isLeft = [...devices].some((id) => !done.has(id) && isManaged(id));
      return isLeft ? [{ policy, devices, open, lastAt }] : [];
    },
  };
}
