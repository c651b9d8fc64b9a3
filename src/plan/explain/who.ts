import { desire } from '../../desired/desire.ts';
import { compileSelector } from '../../desired/select.ts';
import type { Device } from '../../model/fleet/device.ts';
import {
  listEntries,
  entryAt,
  isListed,
  type DocumentEntry,
} from '../../model/documents/entries.ts';
import type { Section, Selector } from '../../model/documents/policy.ts';
import type { Membership } from '../../model/documents/selector.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Governed, Who } from '../../model/report/output.gen.ts';
import type { OnboardingWant, Wanted } from '../../model/plan/desired-state.ts';
import type { Judged } from '../input.ts';
import { asDevice } from '../decide/decision-input.ts';
import { labelDevice } from '../decide/decide.ts';
import { refusedFor } from '../decide/steps.ts';
import { findRefusals } from '../refusals.ts';

/** The inputs of `why FILE:LINE`; it needs no reads of single devices. */
export type WhoInput = Pick<Judged, 'documents' | 'snapshot' | 'now'>;

/**
 * The entry at a line, and every device that it applies to: the inverse of `why`. Undefined where
 * there is no entry. A line of an onboarding list is the one device in it.
 */
export function who(input: WhoInput, at: Pick<SourceLocation, 'file' | 'line'>): Who | undefined {
  const entry = entryAt(listEntries(input.documents), at);
  if (!entry) return undefined;
  const { of, address, section } = entry;
  const governs = GOVERNED_BY[section](input, entry, at.line);
  const finding = findRefusals(desire(input).diagnostics, input.documents).get(address);
  const refused = finding && { refused: refusedFor(finding) };
  return { at: { ...of.at, policy: address }, ...refused, governs, total: governs.length };
}

type Ways = Readonly<
  Record<Section, (input: WhoInput, entry: DocumentEntry, line: number) => readonly Governed[]>
>;

const everyDevice: Ways['service'] = (input) => members(input, undefined);
const policyOf: Ways['firmware'] = (input, { address }) =>
  governedWants(input, (want) => asPolicy(want, address));

/** How the entries of each section apply to devices. */
const GOVERNED_BY: Ways = {
  service: everyDevice,
  guardrails: everyDevice,
  firmware: policyOf,
  rotations: policyOf,
  restarts: policyOf,
  incidents: policyOf,
  onboarding: onboarded,
  exceptions: excepted,
  windows: (input, { of: entry }) =>
    governedWants(input, ({ policy }) => uses(policy.value.windows.includes(entry.name))),
  rollouts: (input, { of: entry }) =>
    governedWants(input, ({ policy }) => uses(policy.value.rollout === entry.name)),
  freezes: (input, { of: entry }) =>
    members(input, input.documents.freezes.get(entry.name)?.value.select),
  budgets: (input, { of: entry }) =>
    members(input, input.documents.budgets.get(entry.name)?.value.select),
  groups: (input, { of: entry }) => members(input, { group: [entry.name] }),
  sites: (input, { of: entry }) => members(input, { site: { name: [entry.name] } }),
};

/** An approval changes no desired state; it applies to the devices that it selects. */
function excepted(input: WhoInput, { of: entry }: DocumentEntry): readonly Governed[] {
  const exception = input.documents.exceptions.get(entry.name)?.value;
  if (exception?.type === 'allow') return members(input, exception.select, [true]);
  return governedWants(input, ({ exemption }) =>
    Object.values(exemption).flat().includes(entry) ? 'exempts' : undefined,
  );
}

function uses(does: boolean): 'uses' | undefined {
  return does ? 'uses' : undefined;
}

function asPolicy({ policy, losers }: Wanted, address: string): 'wins' | 'loses' | undefined {
  if (policy.value.address === address) return 'wins';
  return losers.some((loser) => loser.policy === address) ? 'loses' : undefined;
}

function governedWants(
  input: WhoInput,
  howOf: (want: Wanted) => Governed['how'] | undefined,
): readonly Governed[] {
  const { wants, onboarding } = desire(input);
  const governed: Governed[] = [];
  const add = (want: Wanted, devices: () => readonly Device[]): void => {
    const how = howOf(want);
    if (how === undefined) return;
    for (const device of devices())
      governed.push({ device: labelDevice(device), task: want.task, how, by: want.at });
  };
  for (const { row, wanted } of wants) add(wanted, () => [input.snapshot.devices.at(row)]);
  for (const want of onboarding) add(want, () => foundBy(want, input.snapshot));
  return governed;
}

/**
 * The device of a list's line, or all devices that the policy finds; an entry without a device has
 * none.
 */
function onboarded(input: WhoInput, entry: DocumentEntry, line: number): readonly Governed[] {
  const named = isListed(entry, line);
  return governedWants(input, (want) => {
    if (named && want.at.line !== line) return undefined;
    return asPolicy(want, entry.address);
  });
}

function foundBy(want: OnboardingWant, { devices }: Snapshot): readonly Device[] {
  if (want.found === 'discovered') return [asDevice(want.device)];
  if (want.found === 'several') return want.devices.map(asDevice);
  const row = want.found === 'managed' ? devices.rowOf(want.deviceId) : undefined;
  return row === undefined ? [] : [devices.at(row)];
}

/** The devices that a selector takes in: also those of which it is unclear, unless it only allows something (semantics M20). */
function members(
  input: WhoInput,
  select: Selector | undefined,
  taken: readonly Membership[] = [true, 'maybe'],
): readonly Governed[] {
  const selects = select ? compileSelector(select, input) : () => true;
  const governed: Governed[] = [];
  for (let row = 0; row < input.snapshot.devices.length; row += 1)
    if (taken.includes(selects(row)))
      governed.push({ device: labelDevice(input.snapshot.devices.at(row)), how: 'member' });
  return governed;
}
