import type { Instant } from '../lib/time.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { TASKS } from '../model/fleet/task.ts';
import { DATE_FIELDS, undecidedBy } from '../model/fleet/unreadable.ts';
import {
  type AdoptedEntry,
  type AdoptNotice,
  type Lacks,
  type WrittenFields,
  LACKS,
  type AdoptSubject,
  type UnrotatedWhy,
} from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';
import { unreadableFields, type CoveredBy } from './fold-firmware.ts';
import {
  chooseRule,
  ROTATED_CREDENTIALS,
  type ChosenRule,
  type RotatedCredential,
  type CredentialSpan,
  countLacks,
} from './rotation-rules.ts';
import { isLiteral, selectListed, textAt } from './selectable.ts';
import { groupBy } from '../lib/group-by.ts';
import { compareTexts } from '../lib/text-order.ts';

interface RotationInput {
  readonly snapshot: Pick<Snapshot, 'devices' | 'facts'>;
  readonly now: Instant;
  readonly windows: string;
  /** Whether the documents give a site a time zone; without one nothing could be decided about it. */
  isZoned(siteId: string): boolean;
  coveredBy(task: RotatedCredential['task']): CoveredBy;
  readonly names: EntryNames;
  readonly groupNames: EntryNames;
}

interface PickedRotations {
  readonly entries: readonly AdoptedEntry[];
  readonly notices: readonly AdoptNotice[];
}

/** A rule with the device types that keep it. */
interface Keepers {
  readonly rule: WrittenFields;
  readonly types: string[];
  readonly excluded: number[];
  devices: number;
  undated: number;
  lacks: Lacks;
}

/**
 * Writes for each credential how the fleet keeps it: one policy for all device types with the same
 * rule. Devices that would be due within a week are keeper out by a group, and reported.
 */
export function pickRotations(input: RotationInput): PickedRotations {
  const parts = ROTATED_CREDENTIALS.map((credential) => pickCredential(credential, input));
  return {
    entries: parts.flatMap(({ entries }) => entries),
    notices: [
      ...parts.flatMap(({ notices }) => notices),
      ...foldUnrotated(parts.flatMap(({ unrotated }) => unrotated)),
    ],
  };
}

function pickCredential(
  credential: RotatedCredential,
  input: RotationInput,
): PickedRotations & { readonly unrotated: readonly UnrotatedType[] } {
  const { what } = credential;
  const { names } = input;
  const notices: AdoptNotice[] = [];
  const unrotated: UnrotatedType[] = [];
  const covered = new Map<string, number>();
  const unread = new Map<string, number>();
  const keepers = new Map<string, Keepers>();
  const coveredBy = input.coveredBy(credential.task);
  for (const [deviceType, spans] of spansByType(credential, input)) {
    const devices = spans.length;
    const policy = spans.map(({ row }) => coveredBy(row)).find((each) => each !== undefined);
    if (policy !== undefined) {
      covered.set(policy, (covered.get(policy) ?? 0) + devices);
      continue;
    }
    for (const { lack, field } of spans)
      if (lack === 'reading' && field !== undefined)
        unread.set(field, (unread.get(field) ?? 0) + 1);
    const chosen = isLiteral(deviceType) ? chooseRule(spans, input.now) : undefined;
    if (chosen) keep(keepers, { deviceType, devices }, chosen);
    else unrotated.push(countUnrotated(what, deviceType, spans));
  }
  for (const [policy, devices] of covered) notices.push({ code: 'covered', policy, what, devices });
  notices.push(...unreadableFields(what, unread));
  // The rule of most devices first: it gets the plain name.
  const byUse = [...keepers.values()].toSorted((a, b) => b.devices - a.devices);
  const entries = byUse.flatMap((keeper, index) => {
    const name = index === 0 ? names.claim(what) : names.claim(...keeper.types, what);
    return rotationEntries({ name, credential, keeper, notices }, input);
  });
  return { entries, notices, unrotated };
}

function keep(
  keepers: Map<string, Keepers>,
  { deviceType, devices }: { readonly deviceType: string; readonly devices: number },
  chosen: ChosenRule,
): void {
  const { rule, excluded, undated, lacks } = chosen;
  const key = JSON.stringify(rule);
  const keeper = keepers.get(key) ?? {
    rule,
    types: [],
    excluded: [],
    devices: 0,
    undated: 0,
    lacks: { zone: 0, task: 0, reading: 0 },
  };
  keepers.set(key, keeper);
  keeper.types.push(deviceType);
  for (const row of excluded) keeper.excluded.push(row);
  keeper.devices += devices;
  keeper.undated += undated;
  const { lacks: known } = keeper;
  keeper.lacks = {
    zone: known.zone + lacks.zone,
    task: known.task + lacks.task,
    reading: known.reading + lacks.reading,
  };
}

interface RotationParts {
  readonly name: string;
  readonly credential: RotatedCredential;
  readonly keeper: Keepers;
  readonly notices: AdoptNotice[];
}

/** The policy, and the group of what it would make due; none if a list cannot name a device. */
function rotationEntries(
  { name, credential: { task, what }, keeper, notices }: RotationParts,
  { snapshot: { devices }, windows, groupNames }: RotationInput,
): readonly AdoptedEntry[] {
  const { rule, types, excluded, undated, lacks } = keeper;
  const ids = excluded.map((row) => textAt(devices.text.id, row) ?? '');
  const listed = ids.length === 0 ? undefined : selectListed(ids, groupNames, name, 'left', 'out');
  if (ids.length > 0 && !listed) {
    notices.push({ code: 'notExpressible', what, devices: ids.length });
    return [];
  }
  if (listed)
    notices.push({
      code: 'dueSoon',
      policy: `rotations.${name}`,
      devices: ids.length,
      undated,
      lacks,
    });
  const [first = '', ...more] = types;
  const select = {
    deviceType: more.length === 0 ? first : types,
    ...(listed && { not: listed.select }),
  };
  const fields = { task, select, ...rule, windows };
  return [...(listed?.groups ?? []), { section: 'rotations', name, fields }];
}

/** The dates of each type of device of which at least one can run the task. */
function spansByType(
  { task, changedAt, expiresAt }: RotatedCredential,
  { snapshot: { devices, facts }, isZoned: hasZone }: RotationInput,
): readonly (readonly [string, readonly CredentialSpan[]])[] {
  const byType = new Map<string, CredentialSpan[]>();
  const offered = new Set<string>();
  const { credential } = TASKS[task];
  for (let row = 0; row < devices.length; row += 1) {
    const deviceType = textAt(devices.text.deviceType, row);
    if (deviceType === undefined) continue;
    const device = devices.at(row);
    if (device.available[task] === true) offered.add(deviceType);
    const spans = byType.get(deviceType) ?? [];
    byType.set(deviceType, spans);
    const read = facts(device.id);
    const isZoned = device.sites.length > 0 && device.sites.every(({ id }) => hasZone(id));
    const field = undecidedBy(device, [
      `available.${task}`,
      ...(credential === undefined ? [] : DATE_FIELDS[credential]),
    ]);
    const unoffered = device.available[task] === true ? undefined : 'task';
    const lack =
      unoffered ?? (isZoned ? undefined : 'zone') ?? (field === undefined ? undefined : 'reading');
    spans.push({
      row,
      lack,
      field,
      changedAt: changedAt(device, read),
      expiresAt: expiresAt(device),
    });
  }
  return [...byType]
    .filter(([deviceType]) => offered.has(deviceType))
    .toSorted(([a], [b]) => compareTexts(a, b));
}

export interface UnrotatedType {
  readonly what: AdoptSubject;
  readonly why: UnrotatedWhy;
  readonly deviceType: string;
  readonly devices: number;
  readonly dated: number;
}

/** Counts the dates of a type of device for which no rule fits, and says why none does. */
export function countUnrotated(
  what: AdoptSubject,
  deviceType: string,
  spans: readonly CredentialSpan[],
): UnrotatedType {
  const devices = spans.length;
  const dated = spans.filter(
    ({ changedAt, expiresAt }) => changedAt !== undefined || expiresAt !== undefined,
  ).length;
  const isIdle = spans.every(({ lack }) => lack !== undefined);
  const why = isIdle ? mostLacked(spans) : dated * 2 < devices ? 'undated' : 'due';
  return { what, why, deviceType, devices, dated };
}

function mostLacked(spans: readonly CredentialSpan[]): UnrotatedWhy {
  const lacks = countLacks(spans);
  return LACKS.toSorted((a, b) => lacks[b] - lacks[a])[0] ?? 'task';
}

/** One notice for each cause, with the devices and types of each credential. */
export function foldUnrotated(all: readonly UnrotatedType[]): readonly AdoptNotice[] {
  return [...groupBy(all, ({ why }) => why)].map(([why, caused]) => ({
    code: 'noRotation',
    why,
    credentials: [...groupBy(caused, ({ what }) => what)].map(([what, types]) => ({
      what,
      devices: types.reduce((sum, { devices }) => sum + devices, 0),
      dated: types.reduce((sum, { dated }) => sum + dated, 0),
      types: types
        .toSorted((a, b) => b.devices - a.devices || compareTexts(a.deviceType, b.deviceType))
        .map(({ deviceType }) => deviceType),
    })),
  }));
}
