import { DEFAULT_ROLLOUT } from '../../src/model/documents/rollout-defaults.ts';
import { createTable } from '../../src/live/device-table.ts';
import type { Device, DiscoveredDevice, Ref, Site } from '../../src/model/fleet/device.ts';
import type {
  Documents,
  Exception,
  FirmwarePolicy,
  DeviceGroup,
  OnboardingPolicy,
  RotationPolicy,
  Selector,
} from '../../src/model/documents/policy.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { Sourced } from '../../src/model/documents/source.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = 86_400_000;

/** A managed device; sites and sources are given by name, which is their id as well. */
export function device(
  id: string,
  fields: Partial<Omit<Device, 'sites' | 'sources'>> & {
    sites?: string[];
    sources?: string[];
  } = {},
): Device {
  const { sites = [], sources = [], ...others } = fields;
  return { id, probe: {}, available: {}, ...others, sites: refs(sites), sources: refs(sources) };
}

export function snapshotOf(
  devices: readonly Device[],
  more: { discovered?: readonly DiscoveredDevice[]; sites?: readonly Site[] } = {},
): Snapshot {
  return {
    takenAt: NOW,
    confidence: 'one page',
    discoveredConfidence: 'one page',
    devices: createTable(devices),
    sites: more.sites ?? [],
    sources: [],
    discovered: more.discovered ?? [],
    facts: () => ({}),
  };
}

/** An entry that stands on a line of its own. */
export function sourced<T>(name: string, value: T, line = 1): Sourced<T> {
  return { name, value, at: { file: 'fleet/all.yaml', line, column: 3 }, places: new Map() };
}

export function firmware(name: string, fields: Partial<FirmwarePolicy> = {}): FirmwarePolicy {
  return {
    address: `firmware.${name}`,
    section: 'firmware',
    task: 'upgradeFirmware',
    priority: 500,
    windows: ['anytime'],
    select: { device: ['*'] },
    version: { is: 'exact', version: '11.11.73' },
    deferral: 0,
    downgrade: 'forbid',
    path: 'auto',
    restAtIntermediate: 'allow',
    ...fields,
  };
}

export function rotation(name: string, fields: Partial<RotationPolicy> = {}): RotationPolicy {
  return {
    address: `rotations.${name}`,
    section: 'rotations',
    task: 'rotatePassword',
    priority: 500,
    windows: ['anytime'],
    select: { device: ['*'] },
    due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 0 },
    generation: 1,
    payload: {},
    offlineGrace: 0,
    unknownAge: 'skip',
    ...fields,
  };
}

export function onboarding(name: string, fields: Partial<OnboardingPolicy> = {}): OnboardingPolicy {
  return {
    address: `onboarding.${name}`,
    section: 'onboarding',
    task: 'onboardDevice',
    priority: 500,
    windows: ['anytime'],
    devices: [],
    blockVendors: [],
    maxPerDay: 25,
    expectWithin: 14 * 86_400_000,
    onDuplicate: 'error',
    after: ['rotatePassword', 'upgradeFirmware'],
    ...fields,
  };
}

type Fields = Partial<Pick<Exception, 'select' | 'tasks' | 'until'>>;

export function hold(type: 'hold' | 'exclude', fields: Fields = {}): Exception {
  return { type, ...EXCEPTION, ...fields };
}

export function pin(version: string, fields: Fields = {}): Exception {
  return { type: 'pin', version, acceptsRisk: false, ...EXCEPTION, ...fields };
}

const EXCEPTION = {
  tasks: ['upgradeFirmware', 'rotatePassword', 'onboardDevice'],
  until: NOW + DAY,
  notice: 0,
  reason: 'because',
  owner: 'secops',
  ticket: 'CHG-1',
} as const;

interface Written {
  sites?: Readonly<Record<string, readonly string[]>>;
  groups?: Readonly<Record<string, DeviceGroup>>;
  firmware?: readonly FirmwarePolicy[];
  rotations?: readonly RotationPolicy[];
  onboarding?: readonly OnboardingPolicy[];
  exceptions?: Readonly<Record<string, Exception>>;
  budgets?: Readonly<Record<string, Selector>>;
  /** The selector of the first wave of each. */
  rollouts?: Readonly<Record<string, Selector>>;
}

/** Documents with just these entries, each on a line of its own in the order given. */
export function documentsOf(written: Written = {}): Documents {
  return {
    files: [],
    digest: '',
    warnings: [],
    service: sourced('service', {
      baseUrl: 'https://api.example.com',
      organization: 'acme',
      pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 },
      approval: { is: 'commit' },
      needsYouAfter: 7 * 86_400_000,
      dialect: {},
    }),
    sites: entries(Object.entries(written.sites ?? {}).map(([name, tags]) => [name, { tags }])),
    groups: entries(Object.entries(written.groups ?? {})),
    windows: new Map(),
    freezes: new Map(),
    rollouts: entries(
      Object.entries(written.rollouts ?? {}).map(([name, select]) => {
        const waves = [
          { name: 'canary', slice: { is: 'select' as const, select }, stratify: [], soak: DAY },
        ];
        return [name, { ...DEFAULT_ROLLOUT, waves }];
      }),
    ),
    budgets: entries(
      Object.entries(written.budgets ?? {}).map(([name, select]) => [
        name,
        { select, per: 'fleet', treatPartialAs: 'unavailable', treatUnknownAs: 'unavailable' },
      ]),
    ),
    firmware: entries(
      (written.firmware ?? []).map((policy) => [nameOf(policy), policy]),
      10,
    ),
    rotations: entries(
      (written.rotations ?? []).map((policy) => [nameOf(policy), policy]),
      20,
    ),
    onboarding: entries(
      (written.onboarding ?? []).map((policy) => [nameOf(policy), policy]),
      30,
    ),
    restarts: new Map(),
    exceptions: entries(Object.entries(written.exceptions ?? {})),
    incidents: new Map(),
    guardrails: new Map(),
  };
}

function nameOf({ address }: { readonly address: string }): string {
  return address.slice(address.indexOf('.') + 1);
}

function entries<T>(
  pairs: readonly (readonly [string, T])[],
  firstLine = 1,
): ReadonlyMap<string, Sourced<T>> {
  return new Map(
    pairs.map(([name, value], index) => [name, sourced(name, value, firstLine + index)]),
  );
}

function refs(names: readonly string[]): readonly Ref[] {
  return names.map((name) => ({ id: `id of ${name}`, name }));
}
