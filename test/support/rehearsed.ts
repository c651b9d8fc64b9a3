import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTexts } from '../../src/config/load.ts';
import { fold } from '../../src/ledger/fold.ts';
import { sha256 } from '../../src/lib/canonical.ts';
import { createSnapshot } from '../../src/live/snapshot.ts';
import type { Device, DiscoveredDevice } from '../../src/model/fleet/device.ts';
import type { Facts, Snapshot } from '../../src/model/fleet/snapshot.ts';
import { LEDGER_FORMAT, type LedgerRecord } from '../../src/model/ledger/record.ts';
import type { RehearsalReport } from '../../src/model/report/output.gen.ts';
import { runRehearsal, type RehearsalInput } from '../../src/operations/rehearse/run-rehearsal.ts';
import { readFaultScript } from '../../src/rehearse/simulator.ts';
import { attempt, chained, lock, RELEASE, result, settled } from './ledger-records.ts';

export const REHEARSED = new URL('../fixtures/rehearse/', import.meta.url).pathname;

const FINGERPRINT = sha256('https://service.test acme');

/** When rehearsals of folders begin: Monday evening. */
export const FROM = Date.parse('2026-11-23T20:00:00Z');

/** So many devices alike. */
interface Kind {
  readonly count: number;
  readonly vendor: string;
  readonly model: string;
  readonly firmwareVersion: string;
  readonly deviceType: string;
  readonly site: string;
  readonly siteId?: string;
  readonly name?: string;
  readonly status?: string;
  readonly passwordChangedAt?: string;
  /** Paths to approved versions, where the service was asked for them. */
  readonly targets?: readonly (readonly string[])[];
}

/** `world.json` of a folder. */
export interface RehearsedWorld {
  readonly about: string;
  readonly until: string;
  readonly courses: number;
  readonly devices: readonly Kind[];
  readonly discovered?: number;
}

/** The names of all folders, in order. */
export function rehearsedFolders(): readonly string[] {
  return readdirSync(REHEARSED).toSorted();
}

/** Rehearses a folder; what is given takes the place of what it says. */
export function rehearseFolder(
  name: string,
  given: Partial<RehearsalInput> = {},
): Promise<RehearsalReport> {
  const read = (file: string): string => readFileSync(join(REHEARSED, name, file), 'utf8');
  const world = JSON.parse(read('world.json')) as RehearsedWorld;
  const faults = existsSync(join(REHEARSED, name, 'faults.json')) ? read('faults.json') : '[]';
  return runRehearsal({
    ...rehearsalInput(read('fleet.yaml'), snapshotOf(world.devices, world.discovered)),
    until: Date.parse(world.until),
    courses: world.courses,
    faults: readFaultScript(faults),
    ...given,
  });
}

/** A rehearsal of these documents on this fleet, three days of one course. */
export function rehearsalInput(
  text: string,
  snapshot: Snapshot,
  records: readonly LedgerRecord[] = [],
): RehearsalInput {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return {
    documents,
    target: {
      baseUrl: 'https://service.test',
      organization: 'acme',
      from: 'document',
      fingerprint: FINGERPRINT,
    },
    snapshot,
    memory: fold(records),
    from: FROM,
    until: FROM + 3 * 86_400_000,
    courses: 1,
    seed: 1,
    faults: [],
    cwd: '/',
    stop: { requested: 'no' },
    onProgress: () => undefined,
  };
}

/** The ledger of a run in which upgrades of other devices took so long. */
export function ledgerOfUpgrades(seconds: number): readonly LedgerRecord[] {
  const devices = ['gone-1', 'gone-2', 'gone-3'];
  return chained([
    { type: 'GENESIS', ledgerId: 'ledger-1', format: LEDGER_FORMAT, fingerprint: FINGERPRINT },
    lock(),
    attempt('run-a.1', devices, { target: '11.10.61', policy: 'firmware.earlier' }),
    result('run-a.1', 'accepted'),
    ...devices.map((id) => ({ ...settled(`${id}@11.10.61`, 'done'), seconds })),
    RELEASE,
  ]);
}

/** A fleet that was read when the rehearsal begins. */
export function snapshotOf(kinds: readonly Kind[], discovered = 0): Snapshot {
  const facts = new Map<string, Facts>();
  const devices: Device[] = [];
  for (const kind of kinds)
    for (let index = 0; index < kind.count; index += 1) {
      const id = `dev-${devices.length + 1}`;
      devices.push(toDevice(id, kind));
      facts.set(id, showFacts(kind));
    }
  return createSnapshot({
    takenAt: FROM,
    confidence: 'one page',
    discoveredConfidence: 'one page',
    devices,
    discovered: Array.from({ length: discovered }, (_, index) => toDiscovered(index + 1)),
    sites: [...new Map(kinds.map((kind) => [siteId(kind), kind.site]))].map(([id, name]) => {
      return { id, name };
    }),
    sources: [{ id: '1', name: 'VMS' }],
    facts: (id) => facts.get(id) ?? {},
  });
}

function toDevice(id: string, kind: Kind): Device {
  const { vendor, model, firmwareVersion, deviceType, status = 'online', name = id } = kind;
  return {
    id,
    name,
    vendor,
    model,
    firmwareVersion,
    deviceType,
    status,
    lastSeen: FROM - (status === 'online' ? 0 : 7_200_000),
    maintenanceMode: false,
    probe: { host: 'up' },
    sites: [{ id: siteId(kind), name: kind.site }],
    sources: [{ id: '1', name: 'VMS' }],
    available: { upgradeFirmware: true, rotatePassword: true, restartDevice: true },
  };
}

function showFacts({ targets, passwordChangedAt: changed }: Kind): Facts {
  return {
    ...(targets && {
      targetFirmware: targets.map((hops) => ({ version: hops.at(-1) ?? '', hops })),
    }),
    ...(changed !== undefined && { passwords: { changedAt: Date.parse(changed), marker: 'read' } }),
  };
}

function siteId({ site, siteId: id }: Kind): string {
  return id ?? String(site.length);
}

function toDiscovered(index: number): DiscoveredDevice {
  return {
    id: `disc-${index}`,
    name: `new-${index}`,
    vendor: 'Axis',
    model: 'P3265-V',
    deviceType: 'camera',
    onboardingStatus: 'readyToOnboard',
    discoveredAt: FROM - 3_600_000,
    sources: [{ id: '1', name: 'VMS' }],
    site: { id: '9', name: 'HQ Berlin' },
  };
}
