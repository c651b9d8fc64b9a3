import { sharedZone } from '../../calendar/site-zone.ts';
import { desire } from '../../desired/desire.ts';
import { pick } from '../../lib/objects.ts';
import type { Values } from '../../model/plan/change.ts';
import type { Device, DiscoveredDevice, Ref } from '../../model/fleet/device.ts';
import { TASK_OF, TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Why } from '../../model/report/output.gen.ts';
import type { OnboardingWant } from '../../model/plan/desired-state.ts';
import {
  type DecisionInput,
  asDevice,
  toDecisionInput,
  toOnboardingInput,
  prepare,
} from '../decide/decision-input.ts';
import { labelDevice } from '../decide/decide.ts';
import { explain } from './explain.ts';
import type { Planned, PlannerInput } from '../input.ts';
import { plan } from '../plan.ts';
import type { ApprovedFirmware, Facts } from '../../model/fleet/snapshot.ts';
import { type Instant, formatInstant } from '../../lib/time.ts';

/**
 * All decisions about one device, by task: the policies that win and lose, its exceptions, each
 * step of the decision with its verdict, the reads and the ledger. An ID that is in neither list
 * has no task.
 * @param planned the plan of this input, where there is one already
 */
export function why(input: PlannerInput, deviceId: string, planned = plan(input)): Why {
  const row = input.snapshot.devices.rowOf(deviceId);
  const discovered = input.snapshot.discovered.find(({ id }) => id === deviceId);
  const shared = { evaluatedAt: input.now, readAt: input.snapshot.takenAt };
  if (row !== undefined) return { ...shared, ...managed(input, planned, row) };
  if (discovered) return { ...shared, ...unmanaged(input, planned, discovered) };
  return { ...shared, device: { id: deviceId }, standing: 'unknown', observed: {}, tasks: [] };
}

type Answer = Omit<Why, 'evaluatedAt' | 'readAt'>;

function managed(input: PlannerInput, planned: Planned, row: number): Answer {
  const { snapshot } = input;
  const device = snapshot.devices.at(row);
  const desired = desire(input);
  const whole = { ...prepare(input), ...pick(planned, 'followed', 'predecessors') };
  const decisionInputs = new Map<TaskType, DecisionInput>();
  for (const want of desired.wants)
    if (want.row === row) decisionInputs.set(want.wanted.task, toDecisionInput(want, whole));
  const listed = desired.onboarding.find(
    (want) => want.found === 'managed' && want.deviceId === device.id,
  );
  if (listed)
    decisionInputs.set(TASK_OF.onboarding, toDecisionInput({ wanted: listed, row }, whole));
  const tasks = TASK_TYPES.filter(
    (task) => task !== TASK_OF.onboarding || decisionInputs.has(task),
  );
  return {
    device: labelDevice(device),
    standing: 'managed',
    ...sharedZone(input.documents.sites, device.sites),
    observed: observedValues(device, snapshot.facts(device.id)),
    tasks: explain({ input, planned, deviceId: device.id, row }, tasks, decisionInputs),
  };
}

function unmanaged(input: PlannerInput, planned: Planned, discovered: DiscoveredDevice): Answer {
  const { id, onboardingStatus } = discovered;
  const want = desire(input).onboarding.find((each) => concerns(each, id));
  const decisionInputs = new Map<TaskType, DecisionInput>();
  const whole = { ...prepare(input), ...pick(planned, 'followed', 'predecessors') };
  if (want) decisionInputs.set(TASK_OF.onboarding, toOnboardingInput(want, discovered, whole));
  const device = asDevice(discovered);
  return {
    device: labelDevice(device),
    standing: 'discovered',
    ...sharedZone(input.documents.sites, device.sites),
    observed: { ...observedValues(device, {}), ...(onboardingStatus && { onboardingStatus }) },
    tasks: explain({ input, planned, deviceId: id }, [TASK_OF.onboarding], decisionInputs),
  };
}

function concerns(want: OnboardingWant, deviceId: string): boolean {
  if (want.found === 'discovered') return want.device.id === deviceId;
  return want.found === 'several' && want.devices.some(({ id }) => id === deviceId);
}

/** The reads of a device, in display order; null where the service does not return a value. */
function observedValues(device: Device, facts: Facts): Values {
  const offered = Object.entries(device.available).filter(([, offers]) => offers);
  return {
    status: device.status ?? null,
    lastSeen: instant(device.lastSeen),
    firmwareVersion: device.firmwareVersion ?? null,
    deviceType: device.deviceType ?? null,
    maintenanceMode: device.maintenanceMode ?? null,
    sites: names(device.sites),
    sources: names(device.sources),
    tasks: offered.map(([task]) => task).join(', ') || null,
    ...factValues(facts),
  };
}

function factValues({ targetFirmware, passwords, certificates }: Facts): Values {
  return {
    ...(targetFirmware !== undefined && { approved: approved(targetFirmware) }),
    ...(typeof passwords === 'object' && {
      passwordChangedAt: instant(passwords.changedAt),
      passwordExpiresAt: instant(passwords.expiresAt),
    }),
    ...(typeof passwords === 'string' && { passwords }),
    ...(typeof certificates === 'object' && {
      certificateFrom: instant(certificates.notBefore),
      certificateUntil: instant(certificates.notAfter),
    }),
    ...(typeof certificates === 'string' && { certificates }),
  };
}

function approved(list: readonly ApprovedFirmware[] | string): string {
  if (typeof list === 'string') return list;
  return list.map(({ version }) => version).join(', ') || 'none';
}

function names(refs: readonly Ref[]): string | null {
  return refs.map(({ id, name }) => name ?? id).join(', ') || null;
}

function instant(at: Instant | undefined): string | null {
  return at === undefined ? null : formatInstant(at);
}
