import { type FloorInput, PRIORITY, type IsCovered } from './floors.ts';
import { cellOf } from '../lib/columns.ts';
import type { Instant } from '../lib/time.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASKS } from '../model/fleet/task.ts';
import { DATE_FIELDS, isUnreadable, undecidedBy } from '../model/fleet/unreadable.ts';
import type { AdoptedEntry, LeftOutWhy, WrittenFields } from '../model/report/adoption.ts';
import { isListable, isLiteral, listedGroups, namesIn } from './listed-groups.ts';
import {
  chooseRule,
  ROTATED_CREDENTIALS,
  type CredentialSpan,
  type RotatedCredential,
} from './rotation-rules.ts';
import { compareTexts } from '../lib/text-order.ts';
import { getOrAdd } from '../lib/maps.ts';

interface RotationInput extends Pick<FloorInput, 'windows' | 'names' | 'groupNames' | 'leftOut'> {
  readonly snapshot: Pick<Snapshot, 'devices' | 'facts'>;
  readonly now: Instant;
  /** Whether the documents give a site a time zone; without one nothing could be decided about it. */
  isZoned(siteId: string): boolean;
  isCovered(credential: RotatedCredential): IsCovered;
}

/** A rule with the device types that keep it. */
interface Keeper {
  readonly rule: WrittenFields;
  readonly types: string[];
  devices: number;
  /** The devices that it leaves out: due when imported, or without what a plan needs. */
  readonly due: number[];
  readonly rest: number[];
}

/**
 * Writes for each credential how the fleet keeps it: one policy for all device types with the same
 * rule. Devices that would be due within a week, and those that a plan would ask a person about, are in groups that the policies leave
 * out.
 */
export function pickRotations(input: RotationInput): readonly AdoptedEntry[] {
  return ROTATED_CREDENTIALS.flatMap((credential) => pickCredential(credential, input));
}

function pickCredential(
  credential: RotatedCredential,
  input: RotationInput,
): readonly AdoptedEntry[] {
  const { task, what } = credential;
  const { names, groupNames, windows, leftOut, snapshot } = input;
  const { devices } = snapshot;
  const { byType, strays } = spansByType(credential, input);
  const all = keepers(byType, credential, input);
  for (const keeper of all) for (const row of strays) keeper.rest.push(row);
  const isWritable = ({ due, rest }: Keeper): boolean =>
    [...due, ...rest].every((row) => isListable(devices.idAt(row)));
  for (const keeper of all)
    if (!isWritable(keeper)) leftOut.add(what, 'notExpressible', keeper.devices);
  // The rule of most devices first: it gets the plain name.
  const byUse = all.filter(isWritable).toSorted((a, b) => b.devices - a.devices);
  const groups = (['due', 'rest'] as const).map((kind) => {
    const rows = new Set(byUse.flatMap((keeper) => keeper[kind]));
    const name = `${what}-${kind === 'due' ? 'due' : 'left-out'}`;
    return [kind, listedGroups(devices, rows, { names: groupNames, name })] as const;
  });
  const policies = byUse.map((keeper, index): AdoptedEntry => {
    const name = index === 0 ? names.claim(what) : names.claim(...keeper.types, what);
    const without = groups.filter(([kind]) => keeper[kind].length > 0);
    const left = without.flatMap(([, entries]) => entries);
    const select = {
      deviceType: keeper.types.length === 1 ? (keeper.types[0] ?? '') : keeper.types,
      ...(left.length > 0 && { not: { group: namesIn(left) } }),
    };
    const fields = { task, select, ...keeper.rule, priority: PRIORITY, windows };
    return { section: 'rotations', name, fields };
  });
  return [...groups.flatMap(([, entries]) => entries), ...policies];
}

/** The rules that the types of devices keep; counts what none fits, and what each leaves out. */
function keepers(
  byType: ReadonlyMap<string, readonly CredentialSpan[]>,
  credential: RotatedCredential,
  { now, leftOut, isCovered: covers }: RotationInput,
): readonly Keeper[] {
  const { what } = credential;
  const isCovered = covers(credential);
  const all = new Map<string, Keeper>();
  for (const [deviceType, spans] of byType) {
    if (isCovered(spans.map(({ row }) => row))) continue;
    const chosen = isLiteral(deviceType) ? chooseRule(spans, now) : undefined;
    if (!chosen) {
      const why = whyNone(spans);
      if (why !== 'reading') leftOut.add(what, why, spans.length, deviceType);
      continue;
    }
    const { rule, due, undated } = chosen;
    const key = JSON.stringify(rule);
    const keeper = getOrAdd(all, key, () => ({ rule, types: [], devices: 0, due: [], rest: [] }));
    keeper.types.push(deviceType);
    keeper.devices += spans.length;
    const lacking = spans.filter(({ lack }) => lack === 'zone' || lack === 'reading');
    const unzoned = lacking.filter(({ lack }) => lack === 'zone').length;
    for (const row of due) keeper.due.push(row);
    for (const row of undated) keeper.rest.push(row);
    for (const { row } of lacking) keeper.rest.push(row);
    leftOut.add(what, 'due', due.length);
    leftOut.add(what, 'undated', undated.length);
    leftOut.add(what, 'zone', unzoned);
  }
  return [...all.values()];
}

/** Why no rule is written: what most of the devices lack, else the dates. */
function whyNone(spans: readonly CredentialSpan[]): LeftOutWhy | 'reading' {
  const count = (wanted: CredentialSpan['lack']): number =>
    spans.filter(({ lack }) => lack === wanted).length;
  if (count(undefined) === 0) {
    const lacks = ['zone', 'notOffered', 'reading'] as const;
    return lacks.reduce((most, each) => (count(each) > count(most) ? each : most));
  }
  const dated = spans.filter(({ changedAt, expiresAt }) => changedAt ?? expiresAt).length;
  return dated * 2 < spans.length ? 'undated' : 'mostDue';
}

/** The dates of each type of device of which at least one can run the task; apart the devices whose type was not understood. */
function spansByType(
  { task, what, changedAt, expiresAt }: RotatedCredential,
  { snapshot: { devices, facts }, isZoned, leftOut }: RotationInput,
) {
  const byType = new Map<string, CredentialSpan[]>();
  const strays: number[] = [];
  const offered = new Set<string>();
  const { credential } = TASKS[task];
  const fields = [
    `available.${task}`,
    ...(credential === undefined ? [] : DATE_FIELDS[credential]),
  ];
  for (let row = 0; row < devices.length; row += 1) {
    const device = devices.at(row);
    const { available, sites } = device;
    const field = undecidedBy(device, fields);
    if (isUnreadable(device, 'deviceType')) strays.push(row);
    const deviceType = cellOf(devices.text.deviceType, row);
    if (field !== undefined && available[task] === true) leftOut.unreadable(what, field);
    if (deviceType === undefined || isUnreadable(device, 'deviceType')) continue;
    if (available[task] === true) offered.add(deviceType);
    const spans = getOrAdd(byType, deviceType, () => []);
    const hasZone = sites.length > 0 && sites.every(({ id }) => isZoned(id));
    const isKnown = field === undefined && Object.keys(available).length > 0;
    const lack = isKnown ? lackOf(available[task] === true, hasZone) : 'reading';
    const read = facts(device.id);
    spans.push({ row, lack, changedAt: changedAt(device, read), expiresAt: expiresAt(device) });
  }
  const ordered = [...byType]
    .filter(([deviceType]) => offered.has(deviceType))
    .toSorted(([a], [b]) => compareTexts(a, b));
  return { byType: new Map(ordered), strays };
}

function lackOf(isOffered: boolean, hasZone: boolean): CredentialSpan['lack'] {
  if (!isOffered) return 'notOffered';
  return hasZone ? undefined : 'zone';
}
