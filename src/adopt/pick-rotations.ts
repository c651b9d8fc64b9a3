import { type FloorInput, PRIORITY, type IsCovered } from './floors.ts';
import { cellOf } from '../lib/columns.ts';
import { type Instant, DAY, type Milliseconds } from '../lib/time.ts';
import type { Snapshot, Facts } from '../model/fleet/snapshot.ts';
import { TASKS, TASK_TYPES, type Credential, type TaskIn } from '../model/fleet/task.ts';
import { DATE_FIELDS, isUnreadable, undecidedBy } from '../model/fleet/unreadable.ts';
import type {
  AdoptedEntry,
  LeftOutWhy,
  WrittenFields,
  AdoptSubject,
} from '../model/report/adoption.ts';
import { isListable, isLiteral, listedGroups, namesIn } from './listed-groups.ts';
import { compareTexts } from '../lib/text-order.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { Device } from '../model/fleet/device.ts';

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

interface RotatedCredential {
  readonly task: TaskIn<'rotations'>;
  readonly what: AdoptSubject & ('passwords' | 'certificates');
  changedAt(device: Device, facts: Facts): Instant | undefined;
  expiresAt(device: Device): Instant | undefined;
}

const CREDENTIAL_DATES: Readonly<Record<Credential, Omit<RotatedCredential, 'task'>>> = {
  password: {
    what: 'passwords',
    changedAt: ({ passwordChangedAt }, { passwords }) =>
      typeof passwords === 'object'
        ? (passwords.changedAt ?? passwordChangedAt)
        : passwordChangedAt,
    expiresAt: ({ passwordExpiresAt }) => passwordExpiresAt,
  },
  certificate: {
    what: 'certificates',
    changedAt: () => undefined,
    expiresAt: ({ sslCertificateExpiresAt }) => sslCertificateExpiresAt,
  },
};

const ROTATED_CREDENTIALS: readonly RotatedCredential[] = TASK_TYPES.flatMap((task) => {
  const { credential } = TASKS[task];
  return credential ? [{ task: task as TaskIn<'rotations'>, ...CREDENTIAL_DATES[credential] }] : [];
});

/** When a credential was changed, and when it ends; undefined where the service does not say it. */
interface CredentialSpan {
  readonly row: number;
  /**
   * Why no rule applies to it, whatever its dates are: no site of it has a time zone, the service does not offer the task,
   * or a field that the task needs was not understood.
   */
  readonly lack?: 'zone' | 'notOffered' | 'reading' | undefined;
  readonly changedAt: Instant | undefined;
  readonly expiresAt: Instant | undefined;
}

/** A rule, and the rows that it cannot have: they would be due soon, or lack the date that it uses. */
export interface ChosenRule {
  readonly rule: WrittenFields;
  readonly due: readonly number[];
  readonly undated: readonly number[];
}

/** Nothing falls due for so long, so that a person can read the documents before anything starts. */
const MARGIN: Milliseconds = 7 * DAY;

/** Of a greatest age; it starts this long before. The default of documents. */
const HEAD_START: Milliseconds = 21 * DAY;

/** The usual periods. The shortest one is taken that most of the fleet keeps. */
const AGES = [90, 180, 365, 730, 1_095, 1_825];
const LEADS = [30, 14, 7];

/** Up to this share of the devices may be out of step with a rule that says what the others do. */
const FEW = 0.15;
const MANY = 0.5;

/**
 * Chooses the rule that describes how the credentials of these devices are kept: by their age where
 * the service shows it, else by the time left. Returns undefined if no rule fits half of them, and
 * if no device can be rotated at all.
 */
function chooseRule(all: readonly CredentialSpan[], now: Instant): ChosenRule | undefined {
  const spans = all.filter(({ lack }) => lack === undefined);
  if (spans.length === 0) return undefined;
  const aged = spans.filter(({ changedAt }) => changedAt !== undefined).length;
  const byAge = aged >= spans.length * (1 - FEW);
  const options = byAge ? AGES.map(ageRule) : LEADS.map(leadRule);
  const [any] = options;
  const dated = spans.filter((span) => any?.from(span) !== undefined).length;
  if (dated < spans.length * MANY) return undefined;
  const chosen = options.map(({ rule, from }): ChosenRule => {
    const isDue = (at: Instant | undefined): boolean => at !== undefined && at <= now + MARGIN;
    const due = spans.filter((span) => isDue(from(span))).map(({ row }) => row);
    const undated = spans.filter((span) => from(span) === undefined).map(({ row }) => row);
    return { rule, due, undated };
  });
  const fits = (share: number) => (each: ChosenRule) => each.due.length <= dated * share;
  return chosen.find(fits(FEW)) ?? chosen.findLast(fits(MANY));
}

interface RuleOption {
  readonly rule: WrittenFields;
  /** From when the rule makes a credential due; undefined without its date. */
  from(span: CredentialSpan): Instant | undefined;
}

function ageRule(days: number): RuleOption {
  return {
    rule: { maxAge: `${days}d` },
    from: ({ changedAt }) => changedAt && changedAt + days * DAY - HEAD_START,
  };
}

function leadRule(days: number): RuleOption {
  return {
    rule: { renewBefore: `${days}d` },
    from: ({ expiresAt }) => expiresAt && expiresAt - days * DAY,
  };
}
