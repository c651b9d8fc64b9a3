import { desire } from '../../desired/desire.ts';
import type { DeviceLabel, Values } from '../../model/plan/change.ts';
import type { DiscoveredDevice } from '../../model/fleet/device.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { TaskWhy, Why } from '../../model/plan/why.ts';
import type { OnboardingWish } from '../../model/plan/desired-state.ts';
import type { Matter, Prepared } from '../decide/decision-input.ts';
import { asDevice, matterOf, onboardingMatterOf, prepare } from '../decide/decision-input.ts';
import { labelOf } from '../decide/decide.ts';
import { explain } from './explain.ts';
import type { Planned, PlannerInput } from '../input.ts';
import { observedOf } from './observed.ts';
import { plan } from '../plan.ts';

/**
 * Everything that decided about one device, task by task: who wants something of it and who lost,
 * what exempts it, each step of the decision with its verdict, what was read and what the ledger
 * remembers. An id that is in neither list has no task.
 */
export function why(input: PlannerInput, deviceId: string): Why {
  const row = input.snapshot.devices.rowOf(deviceId);
  const discovered = input.snapshot.discovered.find(({ id }) => id === deviceId);
  const shared = { evaluatedAt: input.now, readAt: input.snapshot.takenAt };
  if (row !== undefined) return { ...shared, ...managed(input, row) };
  if (discovered) return { ...shared, ...unmanaged(input, discovered) };
  return { ...shared, device: { id: deviceId }, standing: 'unknown', observed: {}, tasks: [] };
}

interface Answer {
  readonly device: DeviceLabel;
  readonly standing: Why['standing'];
  readonly observed: Values;
  readonly tasks: readonly TaskWhy[];
}

function managed(input: PlannerInput, row: number): Answer {
  const { snapshot } = input;
  const device = snapshot.devices.at(row);
  const desired = desire(input);
  const planned = plan(input);
  const whole = followedIn(input, planned);
  const matters = new Map<TaskType, Matter>();
  for (const wish of desired.wishes)
    if (wish.row === row) matters.set(wish.task, matterOf(wish, whole));
  const listed = desired.onboarding.find(
    (wish) => wish.found === 'managed' && wish.deviceId === device.id,
  );
  if (listed) matters.set('onboardDevice', matterOf({ ...listed, row }, whole));
  const tasks = TASK_TYPES.filter((task) => task !== 'onboardDevice' || matters.has(task));
  return {
    device: labelOf(device),
    standing: 'managed',
    observed: observedOf(device, snapshot.facts(device.id)),
    tasks: explain({ input, planned, deviceId: device.id, row }, tasks, matters),
  };
}

function unmanaged(input: PlannerInput, discovered: DiscoveredDevice): Answer {
  const { id, onboardingStatus } = discovered;
  const wish = desire(input).onboarding.find((each) => concerns(each, id));
  const matters = new Map<TaskType, Matter>();
  const planned = plan(input);
  const whole = followedIn(input, planned);
  if (wish) matters.set('onboardDevice', onboardingMatterOf(wish, discovered, whole));
  const device = asDevice(discovered);
  return {
    device: labelOf(device),
    standing: 'discovered',
    observed: { ...observedOf(device, {}), ...(onboardingStatus && { onboardingStatus }) },
    tasks: explain({ input, planned, deviceId: id }, ['onboardDevice'], matters),
  };
}

/** What the plan knew of all devices together. */
function followedIn(input: PlannerInput, { follow }: Planned): Prepared {
  const whole = prepare(input);
  return follow ? { ...whole, followed: follow(input) } : whole;
}

function concerns(wish: OnboardingWish, deviceId: string): boolean {
  if (wish.found === 'discovered') return wish.device.id === deviceId;
  return wish.found === 'several' && wish.devices.some(({ id }) => id === deviceId);
}
