import { createSnapshot, withListedNames } from '../../src/live/snapshot.ts';
import type { Device, DiscoveredDevice } from '../../src/model/fleet/device.ts';
import type { Service } from '../../src/model/ports.ts';
import type {
  Confidence,
  DeviceRead,
  FactNotices,
  Snapshot,
} from '../../src/model/fleet/snapshot.ts';
import type { AvailableTask } from '../../src/model/fleet/task.ts';
import { parseInstant, type Instant } from '../../src/lib/time.ts';
import { back } from './plan-past.ts';

/** Fields of a device as a scenario writes them; an age such as `5m` is counted back from `now`. */
interface LiveDevice {
  readonly name?: string;
  readonly vendor?: string;
  readonly model?: string;
  readonly type?: string;
  readonly firmware?: string;
  readonly status?: string;
  readonly seen?: string;
  readonly maintenance?: boolean;
  readonly probe?: Device['probe'];
  readonly lifeCycle?: string;
  readonly sites?: readonly string[];
  /** What its row calls its sites, instead of their names in the list. */
  readonly shownSites?: readonly string[];
  readonly source?: string;
  readonly recorder?: string;
  readonly tasks?: readonly AvailableTask[];
  /** Tasks that the service says it does not offer for it; of any other it says nothing. */
  readonly notOffered?: readonly AvailableTask[];
  /** Versions that the service approves for it. */
  readonly approved?: readonly string[];
  /** What an approved version has to go through, itself last. */
  readonly hops?: Readonly<Record<string, readonly string[]>>;
  readonly passwordChanged?: string;
  /** Whether its passwords have no dates at all, and the dialect says so. */
  readonly passwordUndated?: boolean;
  /** The end of the password that the service reports. */
  readonly passwordExpires?: string;
  /** The ends that the list shows. */
  readonly listedEnds?: { readonly password?: string; readonly certificate?: string };
  readonly certificate?: { readonly from: string; readonly until: string };
  /** Fields of its row that were not understood. */
  readonly unreadable?: readonly string[];
  /** Reads of its own whose answers were not understood. */
  readonly unreadableReads?: readonly DeviceRead[];
  /** Reads of its own that no run has made yet. */
  readonly unread?: readonly DeviceRead[];
}

/** `live.json`: `defaults` holds for every device; `cam-01..12` stands for twelve of them. */
export interface LiveFile {
  readonly sites: readonly string[];
  readonly defaults?: LiveDevice;
  readonly devices: Readonly<Record<string, LiveDevice>>;
  readonly discovered?: Readonly<Record<string, LiveDiscovered>>;
  readonly discoveredConfidence?: Confidence;
  /** What the reading found wrong with the values of earlier runs. */
  readonly notices?: FactNotices;
}

interface LiveDiscovered {
  readonly name?: string;
  readonly serial?: string;
  readonly vendor?: string;
  readonly model?: string;
  readonly type?: string;
  readonly status?: string;
  readonly site?: string;
  readonly source?: string;
  readonly found?: string;
  readonly unreadable?: readonly string[];
}

/** The fleet of a scenario, and a service that answers the per-device reads about it. */
export function fleetOf(
  live: LiveFile,
  now: Instant,
  shuffled: boolean,
): { readonly snapshot: Snapshot; readonly service: Service } {
  const written = Object.entries(live.devices).flatMap(([key, fields]) =>
    namesOf(key).map((id) => [id, { ...live.defaults, ...fields }] as const),
  );
  const order = <T>(rows: readonly T[]): readonly T[] => (shuffled ? rows.toReversed() : rows);
  const discovered = Object.entries(live.discovered ?? {});
  const rows = createSnapshot({
    takenAt: now,
    confidence: 'one page',
    discoveredConfidence: live.discoveredConfidence ?? 'one page',
    ...(live.notices && { notices: live.notices }),
    devices: order(written.map(([id, fields]) => deviceOf(id, fields, live, now))),
    sites: order(live.sites.map((name, index) => ({ id: String(index + 1), name }))),
    discovered: order(discovered.map(([id, fields]) => discoveredOf(id, fields, live, now))),
  });
  return { snapshot: withListedNames(rows), service: serviceOf(new Map(written), now) };
}

function namesOf(key: string): readonly string[] {
  const [, stem = '', first = '', last = ''] = /^(.*?)(\d+)\.\.(\d+)$/.exec(key) ?? [];
  if (first === '') return [key];
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, index) => `${stem}${String(Number(first) + index).padStart(first.length, '0')}`,
  );
}

function deviceOf(id: string, fields: LiveDevice, live: LiveFile, now: Instant): Device {
  const { name, vendor, model, type, firmware, status, seen, maintenance, sites, source } = fields;
  return withoutUnreadable(
    {
      id,
      ...(name !== undefined && { name }),
      ...(vendor !== undefined && { vendor }),
      ...(model !== undefined && { model }),
      ...(type !== undefined && { deviceType: type }),
      ...(firmware !== undefined && { firmwareVersion: firmware }),
      ...(status !== undefined && { status }),
      ...(seen !== undefined && { lastSeen: back(seen, now) }),
      ...(maintenance !== undefined && { maintenanceMode: maintenance }),
      ...endsOf(fields),
      probe: fields.probe ?? {},
      ...(fields.lifeCycle !== undefined && { lifeCycle: fields.lifeCycle }),
      sites: (sites ?? []).map((site, at) => refOf(site, live, fields.shownSites?.[at])),
      sources: source === undefined ? [] : [{ id: source, name: source }],
      ...(fields.recorder !== undefined && { storageServer: fields.recorder }),
      available: availableOf(fields),
    },
    fields.unreadable,
  );
}

function availableOf({ notOffered = [], tasks = [] }: LiveDevice): Device['available'] {
  const none = notOffered.map((task) => [task, false] as const);
  return Object.fromEntries([...none, ...tasks.map((task) => [task, true] as const)]);
}

function endsOf({ listedEnds: { password, certificate } = {} }: LiveDevice): Partial<Device> {
  const [ofPassword, ofCertificate] = [
    parseInstant(password ?? ''),
    parseInstant(certificate ?? ''),
  ];
  return {
    ...(ofPassword !== undefined && { passwordExpiresAt: ofPassword }),
    ...(ofCertificate !== undefined && { sslCertificateExpiresAt: ofCertificate }),
  };
}

/** As the decoder has it: what was not understood has no value, only its name. */
function withoutUnreadable(device: Device, unreadable: readonly string[] = []): Device {
  if (unreadable.length === 0) return device;
  const isKnown = ([name]: readonly [string, unknown]): boolean => !unreadable.includes(name);
  const below = (part: 'probe' | 'available') =>
    Object.fromEntries(
      Object.entries(device[part]).filter(([key]) => isKnown([`${part}.${key}`, 0])),
    );
  const known = Object.fromEntries(Object.entries(device).filter(isKnown)) as Partial<Device>;
  const lists = { sites: known.sites ?? [], sources: known.sources ?? [] };
  return {
    ...known,
    id: device.id,
    ...lists,
    probe: below('probe'),
    available: below('available'),
    unreadable,
  };
}

function discoveredOf(
  id: string,
  fields: LiveDiscovered,
  live: LiveFile,
  now: Instant,
): DiscoveredDevice {
  const { type, status = 'readyToOnboard', site, source, found, ...rest } = fields;
  return {
    id,
    ...rest,
    onboardingStatus: status,
    ...(type !== undefined && { deviceType: type }),
    ...(site !== undefined && { site: refOf(site, live) }),
    ...(source !== undefined && { sources: [{ id: source, name: source }] }),
    ...(found !== undefined && { discoveredAt: back(found, now) }),
  };
}

function refOf(site: string, { sites }: LiveFile, name = site): { id: string; name: string } {
  return { id: String(sites.indexOf(site) + 1), name };
}

/** Answers from the scenario's file; anything but a per-device read is not asked of it. */
function serviceOf(devices: ReadonlyMap<string, LiveDevice>, now: Instant): Service {
  const unexpected = (): never => {
    throw new Error('not a per-device read');
  };
  const isUnread = (id: string, read: DeviceRead): boolean =>
    devices.get(id)?.unread?.includes(read) === true;
  const isUnreadable = (id: string, read: DeviceRead): boolean =>
    devices.get(id)?.unreadableReads?.includes(read) === true;
  return {
    list: unexpected,
    device: unexpected,
    holdToken: unexpected,
    createTask: unexpected,
    task: unexpected,
    firmwarePaths: async () => 'forbidden',
    targetFirmware: async (id) => {
      if (isUnread(id, 'targetFirmware')) return 'notRead';
      if (isUnreadable(id, 'targetFirmware')) return 'unreadable';
      return (devices.get(id)?.approved ?? []).map((version) => ({
        version,
        hops: devices.get(id)?.hops?.[version] ?? [version],
      }));
    },
    passwords: async (id) => {
      if (isUnread(id, 'passwords')) return 'notRead';
      if (isUnreadable(id, 'passwords')) return 'unreadable';
      if (devices.get(id)?.passwordUndated) return { marker: '' };
      const { passwordChanged: changed, passwordExpires: end } = devices.get(id) ?? {};
      if (changed === undefined) return 'notFound';
      const expiresAt = end === undefined ? undefined : parseInstant(end);
      const ends = expiresAt !== undefined && { expiresAt };
      return { changedAt: back(changed, now), marker: `changed ${changed}`, ...ends };
    },
    certificates: async (id) => {
      if (isUnread(id, 'certificates')) return 'notRead';
      if (isUnreadable(id, 'certificates')) return 'unreadable';
      const held = devices.get(id)?.certificate;
      if (!held) return 'none';
      const [notBefore, notAfter] = [parseInstant(held.from), parseInstant(held.until)];
      return {
        fingerprint: `of ${id}`,
        ...(notBefore && { notBefore }),
        ...(notAfter && { notAfter }),
      };
    },
  };
}
