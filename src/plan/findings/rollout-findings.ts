import { listFirst } from '../../lib/text-order.ts';
import {
  type Diagnostic,
  type DiagnosticCode,
  error,
  warning,
} from '../../model/documents/diagnostic.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { locateValue, type SourceLocation } from '../../model/documents/source.ts';
import { CANARY } from '../../model/documents/rollout-defaults.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import {
  CANARY_ABOVE,
  canaryTooLarge,
  noCanary,
  stopNeverTrips,
} from '../../rollout/waves/wave-lint.ts';
import { isWanted, type Changes } from '../../model/plan/change.ts';
import { rowsIn } from '../../model/plan/change-rows.ts';
import type { PlannerInput } from '../input.ts';
import { listPolicies } from '../../model/documents/policies.ts';

/**
 * Reports problems that depend on the devices of a rollout (semantics L-noCanary, L-canaryTooLarge,
 * L-stopNeverTrips). A rollout of more than ten devices without a canary is an error. A canary with
 * most devices of a model, and stop rules that cannot trip in a wave, are warnings unless the
 * rollout is built in.
 */
export function* doubtfulRollouts(
  { documents, part }: Pick<PlannerInput, 'documents' | 'part'>,
  followed: ReadonlyMap<string, Followed>,
  changes: Changes,
): Generator<Diagnostic> {
  const late = countLate(followed, changes);
  const own = part && new Set(Array.from(changes, ({ policy }) => policy));
  for (const { value, at } of listPolicies(documents)) {
    const policy = value.address;
    const one = followed.get(policy);
    if (!one) continue;
    // A plan of a part says nothing of rollouts beside it, except what nothing may be applied with.
    const isShown = own === undefined || own.has(policy);
    for (const finding of listFindings(one, { documents, policy, at, late: late.get(policy) }))
      if (isShown || finding.severity === 'error') yield finding;
  }
}

function* listFindings(
  one: Followed,
  {
    documents,
    policy,
    at: here,
    late,
  }: { documents: Documents; policy: string; at: SourceLocation; late: number | undefined },
): Generator<Diagnostic> {
  const { input, assignment } = one;
  const at = placeIn(documents, input.name, '/waves') ?? here;
  const named = { rollout: input.name, policy };
  const finding = (code: DiagnosticCode, params: Diagnostic['params'], place = at): Diagnostic =>
    warning(code, place, { ...named, ...params });
  const members = assignment.waves.flat();
  const devices = members.length;
  const isSkipped = members.every((id) => input.passes?.(id).canary !== undefined);
  if (noCanary(input.spec, devices, isSkipped)) {
    yield error('noCanary', at, { ...named, devices, limit: CANARY_ABOVE });
  }
  const isOwn = isWritten(documents, input.name, '/waves');
  if (late !== undefined) yield finding('joinsLate', { devices: late }, here);
  const large = isOwn && !isTried(one) ? canaryTooLarge(input.spec, assignment) : [];
  for (const { model, inCanary, devices: all } of large)
    yield finding('canaryTooLarge', { model, inCanary, devices: all });
  const missed = isOwn && kindsMissed(one);
  const { model } = large[0] ?? {};
  if (missed) yield finding('canaryMisses', { ...missed, ...(model !== undefined && { model }) });
  const idle = idleWaves(one, documents);
  const stops = placeIn(documents, input.name, '/stopOn') ?? here;
  if (idle.length > 0) yield finding('stopNeverTrips', { waves: idle.join(', ') }, stops);
}

/** Whether the canary has passed. */
function isTried({ input, states }: Followed): boolean {
  return input.spec.waves[0]?.name === CANARY && states[0]?.is === 'passed';
}

/** How many devices with a due change joined each rollout after its canary had passed, and are on no record yet. */
function countLate(
  followed: ReadonlyMap<string, Followed>,
  changes: Changes,
): ReadonlyMap<string, number> {
  const tried = new Map([...followed].filter(([, one]) => one.started && isTried(one)));
  const counts = new Map<string, number>();
  if (tried.size === 0) return counts;
  for (const { like, deviceId } of rowsIn(changes)) {
    if (!isWanted(like) || like.wave === undefined) continue;
    const devices = tried.get(like.policy)?.started?.devices;
    if (devices?.has(deviceId) === false)
      counts.set(like.policy, (counts.get(like.policy) ?? 0) + 1);
  }
  return counts;
}

/** The maximum number of device kinds that a finding lists; it counts the others. */
const KINDS_NAMED = 5;

/**
 * The kinds of devices that the canary has no place for, most devices first. No device of these
 * kinds is tested before the next wave opens.
 */
function kindsMissed({ assignment, input, states }: Followed): Diagnostic['params'] | undefined {
  const [first] = input.spec.waves;
  if (first?.name !== CANARY || states[0]?.is === 'passed') return undefined;
  const missed = assignment.unrepresented.filter(({ wave }) => wave === CANARY);
  if (missed.length === 0) return undefined;
  const named = missed.map(({ combination, devices }) => {
    const kind = combination.filter((value) => value !== '').join(' ');
    return `${kind === '' ? '(unknown)' : kind} (${devices})`;
  });
  const devices = missed.reduce((sum, each) => sum + each.devices, 0);
  return { count: missed.length, kinds: listFirst(named, KINDS_NAMED), devices };
}

/**
 * Waves in which stop rules cannot trip. Users cannot change the built-in rules, so those are not
 * reported.
 */
function idleWaves({ input, assignment }: Followed, documents: Documents): readonly string[] {
  if (!isWritten(documents, input.name, '/stopOn')) return [];
  return stopNeverTrips(
    input.spec,
    assignment.waves.map(({ length }) => length),
  );
}

/** Whether a document defines the value. A built-in value has no location. */
function isWritten({ rollouts }: Documents, name: string, pointer: string): boolean {
  return rollouts.get(name)?.places.has(pointer) === true;
}

/** The location of a value in a rollout; undefined for the built-in rollout. */
function placeIn({ rollouts }: Documents, name: string, pointer: string): Diagnostic['at'] {
  const entry = rollouts.get(name);
  return entry && locateValue(entry, pointer);
}
