import * as fc from 'fast-check';
import { adoptFleet, type AdoptedFleet } from '../../src/adopt/adopt-fleet.ts';
import { loadTexts } from '../../src/config/load.ts';
import { EMPTY_MEMORY } from '../../src/ledger/fold.ts';
import type { Diagnostic } from '../../src/model/documents/diagnostic.ts';
import type { Device, DiscoveredDevice, Ref } from '../../src/model/fleet/device.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import { countPlanColumns, findColumn } from '../../src/model/plan/actor.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { type ImportPlace, composeFiles } from '../../src/operations/adopt/import.ts';
import { decidePlan } from '../../src/operations/plan.ts';
import { anyText } from './hostile.ts';
import { aDevice, aSnapshot, NOW } from './plan-fleet.ts';

const SERVICE = 'service: {baseUrl: "https://twin.test", organization: acme}\n';
const SERVICE_FILE = { path: 'fleet/service.yaml', text: SERVICE };

/** A fleet as documents, and the plan of these on the same fleet. */
export interface AdoptedOnce {
  readonly adopted: AdoptedFleet;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly plan: Plan;
}

/** Imports a snapshot into an empty directory and plans the documents at the same instant. */
export async function adoptAndPlan(
  snapshot: Snapshot,
  { timeZone }: { readonly timeZone?: string } = { timeZone: 'Europe/Berlin' },
): Promise<AdoptedOnce> {
  const existing = undefined;
  const adopted = adoptFleet({
    snapshot,
    now: NOW,
    timeZone,
    existing,
    onboards: true,
    isOwn: () => false,
  });
  const { documents: empty } = loadTexts([SERVICE_FILE]);
  const place = { name: 'fleet', out: 'fleet', editorLine: '#', existing: empty };
  const origin = { organization: 'acme', day: '2026-11-20' };
  const files = composeFiles(adopted.entries, place as unknown as ImportPlace, origin);
  const { documents, diagnostics } = loadTexts([SERVICE_FILE, ...files]);
  if (!documents) throw new Error(`not valid: ${JSON.stringify(diagnostics.slice(0, 3))}`);
  const planned = await decidePlan(
    {
      documents,
      target: { ...documents.service.value, from: 'document', fingerprint: 'f'.repeat(64) },
      dialect: resolveDialect({}),
      onProgress: () => undefined,
    },
    EMPTY_MEMORY,
    { snapshot, digest: '' },
    NOW,
  );
  return {
    adopted,
    files,
    diagnostics: [...diagnostics, ...planned.diagnostics],
    plan: planned.plan,
  };
}

/**
 * What a plan after an import must not have: starts, waits, and changes for a person. It may have what is done, what the
 * service does not offer, and values that only a single read shows.
 */
export function unexpected(plan: Plan): unknown {
  const { now, running, person } = countPlanColumns(plan);
  const found = [...plan.changes].filter((change) => findColumn(change) !== 'out').slice(0, 3);
  const isEmpty = now + running + person + plan.counts.wait === 0;
  return isEmpty ? [] : found.map(({ id, reason, at }) => ({ id, reason, at }));
}

const DAY = 86_400_000;

const HOSTILE =
  'Axis|AXIS|axis|true|null|~|1e3|0x10|P32*|P3265|*|?|- a|# b|a: b|a #b|{x: 1}|[y]|"|\'|\\|a\nb|\t| |  x |&a|!tag'
    .split('|')
    .concat(
      '%YAML 1.2|---|<<|__proto__|constructor|toString|\u202e|\0|\ufeff|\ud800|\u{1f4f7}|Größe|監視|yes|off|2026-11-24|`'.split(
        '|',
      ),
    );

/** What may stand in a name: words of YAML, globs, quotes, breaks, hidden characters. */
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), anyText(12));
const version = fc.oneof(
  fc.constantFrom(
    '11.8.61',
    '11.11.160',
    '11.11.x',
    'approved',
    'latest',
    '>=11',
    '6.50',
    '6.50.0',
  ),
  fc.constantFrom('V5.7.18 build 240826', '2.22.05_20250116_R442', '', '*', '0130a'),
  hostile,
);
const instant = fc.integer({ min: -2_000, max: 2_000 }).map((days) => NOW + days * DAY);
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 6 });

const site: fc.Arbitrary<Ref> = fc
  .record({ id: fc.constantFrom('s1', 's2', 's3', '__proto__', 'HQ'), name: maybe(hostile) })
  .map(({ id, name }) => (name === undefined ? { id } : { id, name }));

const device: fc.Arbitrary<Partial<Device>> = fc
  .record({
    name: maybe(hostile),
    vendor: maybe(fc.oneof(fc.constantFrom('Axis', 'AXIS', 'Bosch'), hostile)),
    model: maybe(fc.oneof(fc.constantFrom('P3265-V', 'P32*', 'M1'), hostile)),
    firmwareVersion: maybe(version),
    deviceType: maybe(fc.oneof(fc.constantFrom('camera', 'intercom'), hostile)),
    status: fc.constantFrom('online', 'offline', 'unknown', 'partial'),
    maintenanceMode: fc.boolean(),
    sites: fc.array(site, { maxLength: 2 }),
    passwordChangedAt: fc.option(instant, { nil: undefined }),
    passwordExpiresAt: maybe(instant),
    sslCertificateExpiresAt: maybe(instant),
    available: fc.record({
      upgradeFirmware: fc.boolean(),
      rotatePassword: fc.boolean(),
      rotateSslCertificate: fc.boolean(),
    }),
    lifeCycle: fc.constantFrom('eos', 'current_product'),
    unreadable: fc.constantFrom(undefined, undefined, undefined, ['status'], ['firmwareVersion']),
  })
  .map((fields) => defined(fields) as Partial<Device>);

const discovered: fc.Arbitrary<DiscoveredDevice> = fc
  .record({
    id: fc.constantFrom('0', '1', '2', 'disc-1', 'disc-2', 'disc-3'),
    name: maybe(hostile),
    onboardingStatus: maybe(fc.constantFrom('readyToOnboard', 'archived', 'enrichmentRequired')),
    sources: maybe(fc.array(site, { maxLength: 2 })),
    vendor: maybe(hostile),
  })
  .map((fields) => defined(fields) as unknown as DiscoveredDevice);

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Fleets of any shape, with this many kinds of devices, each several times. */
export function anyFleet(kinds: number, devices: number): fc.Arbitrary<Snapshot> {
  return fc
    .record({
      kinds: fc.array(device, { minLength: 1, maxLength: kinds }),
      ids: fc.constantFrom('', 'dev-', 'a*', '"', '\n'),
      picks: fc.infiniteStream(fc.nat()),
      discovered: fc.uniqueArray(discovered, { selector: ({ id }) => id, maxLength: 6 }),
      sites: fc.uniqueArray(site, { selector: ({ id }) => id, maxLength: 4 }),
    })
    .map(({ kinds: all, ids, picks, ...lists }) =>
      aSnapshot(
        Array.from({ length: devices }, (_, index) => {
          const bare = { ...aDevice(`${ids}${index}`) } as Record<string, unknown>;
          for (const key of ['name', 'vendor', 'model', 'firmwareVersion', 'deviceType'])
            delete bare[key];
          const kind = all[(picks.next().value ?? index) % all.length];
          return { ...(bare as unknown as Device), ...kind };
        }),
        lists,
      ),
    );
}
