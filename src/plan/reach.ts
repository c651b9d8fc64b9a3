import type { Diagnostic } from '../model/diagnostic.ts';
import { placeOf, type Sourced } from '../model/source.ts';
import type { Policy } from '../model/policy.ts';
import { formatDuration, formatInstant, type Milliseconds } from '../model/time.ts';
import { ANYTIME } from '../model/window.ts';
import type { Desired } from '../model/wish.ts';
import { gaps, prove } from '../rollout/satisfiable.ts';
import { lintWindows, neverStarts } from '../rollout/window-lint.ts';
import type { PlannerInput } from './input.ts';
import { openSchedule, type Timing } from './schedule.ts';

/**
 * What windows and freezes make impossible, by the documents and for the devices that there are
 * (semantics 4.6, 4.13): nothing can ever start, or not before its deadline or expiry, with dates as
 * counter-examples; and sites without a zone. Once per policy and finding, with the number of devices
 * and one of them.
 */
export function windowFindings(input: PlannerInput, desired: Desired): readonly Diagnostic[] {
  const written = lintWindows(input);
  const said = new Set(written.map(keyOf));
  const found = [...groupsOf(input, desired).values()].flatMap((group) => judge(group));
  return [...written, ...merged(found).filter((each) => !said.has(keyOf(each)))];
}

/** Devices of one policy that share their windows, zones and freezes. */
interface Group {
  readonly policy: Sourced<Policy>;
  readonly judged: NonNullable<Timing['judged']>;
  readonly device: string;
  count: number;
}

function groupsOf(input: PlannerInput, desired: Desired): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const { devices } = input.snapshot;
  const isFrozen = input.documents.freezes.size > 0;
  const schedule = openSchedule(input);
  for (const { policy, row, task } of desired.wishes) {
    if (!isFrozen && policy.value.windows.includes(ANYTIME)) continue;
    const device = devices.at(row);
    const { judged } = schedule.of({ task, policy: policy.value, device }, input.now);
    if (!judged) continue;
    const { asked, zoneless = '' } = judged;
    const key = JSON.stringify([policy.value.address, asked, zoneless]);
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { policy, judged, device: device.id, count: 1 });
  }
  return groups;
}

function judge({ policy, judged, device, count }: Group): readonly Diagnostic[] {
  const { calendar, asked, at, standing, zoneless } = judged;
  const of = { count, device };
  if (standing.withoutZone) {
    const params = {
      ...(zoneless !== undefined && { site: zoneless }),
      ...standing.withoutZone,
      ...of,
    };
    return [
      { code: 'siteWithoutZone', severity: 'warning', at: placeOf(policy, '/windows'), params },
    ];
  }
  const proof = prove(calendar, asked, at);
  const never = neverStarts(policy, proof);
  if (never) {
    const cutoff = { cutoff: formatDuration(asked.autoCutoff) };
    const isAuto = never.code === 'cutoffTooLong';
    return [{ ...never, params: { ...never.params, ...(isAuto && cutoff), ...of } }];
  }
  const deadline = deadlineOf(policy.value);
  const gap = deadline && gaps(proof, deadline.ahead)[0];
  if (!deadline || !gap) return [];
  const { code, ahead, field } = deadline;
  const params = {
    policy: policy.value.address,
    ahead: formatDuration(ahead),
    from: formatInstant(gap.open),
    to: formatInstant(gap.close),
    ...of,
  };
  return [{ code, severity: 'error', at: placeOf(policy, field), params }];
}

interface Deadline {
  readonly code: 'unreachableBeforeExpiry' | 'unreachableBeforeDeadline';
  /** From when something falls due at the earliest until it is too late. */
  readonly ahead: Milliseconds;
  readonly field: string;
}

/** A share of a life is as long as the life of each certificate, which no document says. */
function deadlineOf(policy: Policy): Deadline | undefined {
  if (policy.section === 'firmware')
    return policy.deadline === undefined
      ? undefined
      : { code: 'unreachableBeforeDeadline', ahead: policy.deadline, field: '/deadline' };
  if (policy.section !== 'rotations') return undefined;
  const { due } = policy;
  if (due.is === 'maxAge')
    return { code: 'unreachableBeforeDeadline', ahead: due.headStart, field: '/headStart' };
  if (due.is === 'renewBefore')
    return { code: 'unreachableBeforeExpiry', ahead: due.before, field: '/renewBefore' };
  return undefined;
}

/** One finding for all groups of a policy, or of a site, that have it. */
function merged(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const byKey = new Map<string, Diagnostic>();
  for (const each of found) {
    const key = keyOf(each);
    const before = byKey.get(key);
    const count = Number(before?.params['count'] ?? 0) + Number(each.params['count']);
    const { at, ...rest } = before ?? each;
    byKey.set(key, { ...rest, ...(at && { at }), params: { ...rest.params, count } });
  }
  return [...byKey.values()];
}

function keyOf({ code, params }: Diagnostic): string {
  return JSON.stringify([code, code === 'siteWithoutZone' ? params['site'] : params['policy']]);
}
