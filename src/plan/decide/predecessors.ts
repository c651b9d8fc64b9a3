import { sameVersion } from '../../kinds/firmware.ts';
import { addTo, getOrAdd } from '../../lib/maps.ts';
import { namedAfter } from '../../model/documents/policies.ts';
import { afterOf } from '../../model/documents/policy.ts';
import type { After } from '../../model/documents/values.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Desired, Want, Wanted } from '../../model/plan/desired-state.ts';
import type { ReasonWhy } from '../../model/plan/reason.ts';
import { isInFlight, mayBeRunning } from '../../rollout/budgets/down.ts';
import type { Before, Moment, Predecessors, Standing } from '../../rollout/progress/predecessor.ts';
import { haltedBy } from '../../rollout/progress/wave-refusals.ts';
import { evaluate, runSteps } from './decide.ts';
import { knownSites, toDecisionInput, toSeenInput } from './decision-input.ts';
import type { Evaluation, Prepared } from './decision-input.ts';
import type { Judging } from './judging.ts';
import { ours } from './steps.ts';
import { unavailableSince } from './unavailable.ts';

/** In place of a site, for all of them. */
const ANYWHERE = '';

const TORN: Standing = {
  id: '',
  is: 'holds',
  reason: { code: 'orderPending', why: 'listTorn' },
};

/**
 * Returns how the devices that come before others stand at a moment (semantics K28, K29): for a plan at its own, for a
 * last look at a later one. Undefined if no policy has `after`. It takes the whole fleet, whatever part is planned.
 */
export function openPredecessors(
  input: Prepared,
  desired: Desired,
  judging: Judging,
): ((moment: Moment) => Predecessors) | undefined {
  const named = namedAfter(input.documents);
  if (named.size === 0) return undefined;
  const { devices, confidence } = input.snapshot;
  const bySite = new Map<string, Want[]>();
  const namedOf = ({ policy, perhapsOf = [] }: Wanted): readonly string[] =>
    [...new Set([policy.value.address, ...perhapsOf])].filter((address) => named.has(address));
  for (const want of desired.wants.where((wanted) => namedOf(wanted).length > 0))
    for (const address of namedOf(want.wanted)) {
      addTo(bySite, address, want);
      const sites = knownSites(devices.at(want.row));
      // A device whose site nobody can tell may be at any.
      for (const site of sites.length > 0 ? sites : [ANYWHERE])
        addTo(bySite, `${address} ${site}`, want);
    }
  const membersOf = ({ policy, per }: After, sites: readonly string[]): Iterable<Want> => {
    if (per === 'fleet' || sites.length === 0) return bySite.get(policy) ?? [];
    return new Set([...sites, ANYWHERE].flatMap((site) => bySite.get(`${policy} ${site}`) ?? []));
  };
  return (moment) => {
    const standingOf = standings(input, judging, moment);
    const known = new Map<After, Map<string, Before>>();
    const find = (after: After, sites: readonly string[]): Before => {
      const all = Array.from(membersOf(after, sites), (want) => standingOf(want, after));
      const holds = all.filter(({ is }) => is === 'holds');
      return {
        holds: confidence === 'torn' ? [...holds, TORN] : holds,
        leftOut: all.filter(({ is }) => is === 'leftOut'),
        count: all.length,
      };
    };
    const of: Predecessors['of'] = (after, sites) => {
      const key = after.per === 'fleet' ? ANYWHERE : sites.join('\n');
      const ofAfter = getOrAdd(known, after, () => new Map<string, Before>());
      return getOrAdd(ofAfter, key, () => find(after, sites));
    };
    return {
      of,
      holding: (policy, sites) =>
        afterOf(policy)
          .map((after) => ({ after, before: of(after, sites) }))
          .find(({ before }) => before.holds.length > 0),
    };
  };
}

/** How a device stands: by the reading, and by whatever the ledger and later reads say of it. */
function standings(input: Prepared, judging: Judging, moment: Moment) {
  const { memory, now, followed, newer } = moment;
  const { devices, facts } = input.snapshot;
  const basis = { ...input, memory, now };
  const evaluateNow = (want: Want, id: string): Evaluation | undefined => {
    const read = want.unclear ? undefined : newer?.get(id);
    if (!read && judging.isAtRest(want)) return undefined;
    if (!read && memory === input.memory) return judging.evaluate(want, input);
    if (!read) return evaluate(toDecisionInput(want, basis));
    const seen = toSeenInput(want.wanted, { device: read.device, facts: facts(id) }, basis);
    return seen && evaluate(seen);
  };
  return (want: Want, after: After): Standing => {
    const { task, policy } = want.wanted;
    const id = devices.idAt(want.row);
    const open = memory.intentsOf(id, task).find(mayBeRunning);
    if (open) return { id, is: 'holds', reason: openReason(open) };
    const halts = followed?.get(policy.value.address)?.halts;
    const device = halts?.isFree === false ? devices.at(want.row) : undefined;
    const halt = device && halts?.of({ ...device, sites: knownSites(device) });
    if (halt) return { id, is: 'holds', reason: haltedBy(halt).reason };
    const evaluation = evaluateNow(want, id);
    if (!evaluation) return { id, is: 'done', reason: { code: 'alreadyConverged' } };
    const { reason } = runSteps(evaluation);
    if (reason.code === 'alreadyConverged') return { id, is: 'done', reason };
    if (isLeftOut({ ...evaluation, memory }, { reason, after, ...moment }))
      return { id, is: 'leftOut', reason };
    const isOwn = policy.value.address === after.policy;
    return { id, is: isOwn && showsTarget(evaluation) ? 'done' : 'holds', reason };
  };
}

function openReason(intent: IntentState): Standing['reason'] {
  const { task, attemptId: attempt } = intent;
  return isInFlight(intent) ? ours(task) : { code: 'inDoubt', params: { attempt, task } };
}

/** What a device shows counts also where the service offers no upgrade, so that nothing is decided about it. */
function showsTarget({ case: { policy, device, pin } }: Evaluation): boolean {
  const spec = policy.section === 'firmware' ? policy.version : undefined;
  const target = pin ?? (spec?.is === 'exact' ? spec.version : undefined);
  const { firmwareVersion } = device;
  return Boolean(target && firmwareVersion && sameVersion(device, firmwareVersion, target));
}

/** Why an upgrade is not possible, whatever anybody waits for. A value that was not understood is none of these (M20). */
const IMPOSSIBLE: ReadonlySet<ReasonWhy | undefined> = new Set<ReasonWhy>([
  'taskUnavailable',
  'noPath',
  'noTargetFirmware',
  'endOfSupport',
  'downgrade',
]);

/** Whether nobody waits for a device that is not done (semantics K29). */
function isLeftOut(
  { exemption, memory, task, case: { device } }: Evaluation,
  { reason, after, now, isDown }: Moment & Pick<Standing, 'reason'> & { readonly after: After },
): boolean {
  const { hold, exclude } = exemption;
  const { code, why } = reason;
  if (code === 'pinned') return true;
  if (exclude && !hold) return exclude.value.until > now;
  if (code === 'hold' || isOpenOrLost(memory.intentsOf(device.id), task)) return false;
  if (code === 'unsupported' && IMPOSSIBLE.has(why))
    return why !== 'taskUnavailable' || isReached(device);
  if (device.status !== 'offline' || isDown?.(device.id) === false) return false;
  const since = device.lastSeen ?? unavailableSince(memory, device.id, 'offline') ?? now;
  return now - since > (after.ignoreOffline ?? Infinity);
}

/** What the service offers for a device that it cannot reach proves nothing. */
function isReached({ status, maintenanceMode }: Device): boolean {
  return (status === 'online' || status === 'partial') && maintenanceMode !== true;
}

/** Whether anything is open on a device, or the last attempt of a task was one that did not end well. */
function isOpenOrLost(past: readonly IntentState[], task: TaskType): boolean {
  const last = past.findLast((intent) => intent.task === task);
  const isLost = last !== undefined && last.phase !== 'none' && last.verdict !== 'done';
  return isLost || past.some(mayBeRunning);
}
