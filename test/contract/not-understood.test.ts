import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import { readLiveFleet } from '../../src/live/read-fleet.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { WorldError } from '../../src/model/error.ts';
import type { TaskType } from '../../src/model/fleet/task.ts';
import { plan, type PlannerInput } from '../../src/plan/plan.ts';
import { needs } from '../support/needs.ts';
import { drain, fakeService, json, START, type Seen } from '../support/api-service.ts';
import { isTried } from '../support/campaign.ts';
import { INPUTS } from '../support/plan-change.ts';
import {
  ANSWERS,
  DECIDES,
  NOTHING,
  ODD,
  oddFor,
  pathsIn,
  spoiled,
  type Json,
} from '../support/not-understood.ts';
import { aMemory } from '../support/plan-fleet.ts';

/**
 * What was not understood never makes anything due, and keeps due work away: every field of a row and
 * every read of a device, in every form that is not the expected one, for every kind of task.
 */

const DAY = 86_400_000;
const ago = (days: number): string => new Date(START - days * DAY).toISOString();

/** A service with one device and one discovered device. */
interface World {
  readonly device: Json;
  readonly discovered: Json;
  readonly facts: Readonly<Record<Fact, unknown>>;
}

const FACTS = ['targetFirmware', 'passwords', 'certificates'] as const;
type Fact = (typeof FACTS)[number];

const DEVICE: Json = {
  id: 'cam-1',
  name: 'lobby-1',
  vendor: 'Axis',
  model: 'P3265-V',
  deviceType: 'camera',
  firmwareVersion: '11.11.73',
  status: 'online',
  lastSeen: ago(0.0001),
  maintenanceMode: false,
  probe: { agent: 'up', edge: 'up' },
  sites: [{ id: 1, name: 'HQ' }],
  deviceSources: [{ id: 1, name: 'VMS' }],
  availableTask: {
    upgradeFirmware: true,
    rotatePassword: true,
    rotateSslCertificate: true,
    restartDevice: true,
  },
  storageServer: 'rec-1',
  recordingStatus: 'recording',
  compliance: {
    passwordExpiry: ago(-300),
    sslCertificateExpiry: ago(-300),
    lifecycle: { status: 'active' },
  },
};

/** Nothing of it is due. */
const WELL: World = {
  device: DEVICE,
  discovered: {
    id: 'new-1',
    name: 'new-1',
    vendor: 'Axis',
    model: 'P3265-V',
    deviceType: 'camera',
    serialNumber: '1',
    onboardingStatus: 'archived',
    discoveredAt: ago(2),
    deviceSource: { id: 1, name: 'VMS' },
    site: { id: 1, name: 'HQ' },
  },
  facts: {
    targetFirmware: { targetFirmware: [{ version: '11.11.73', path: ['11.11.73'] }], total: 1 },
    passwords: { passwords: [{ userName: 'root', lastChanged: ago(10), expiry: ago(-300) }] },
    certificates: {
      certificates: [{ type: 'ssl', notBefore: ago(10), notAfter: ago(-300) }],
    },
  },
};

/** What makes one kind due, and the fields that decide about it beside those that decide about all. */
const DUE: Readonly<
  Record<TaskType, { readonly world: World; readonly rests: readonly string[] }>
> = {
  upgradeFirmware: {
    world: {
      ...WELL,
      device: { ...DEVICE, firmwareVersion: '11.8.61' },
    },
    rests: ['availableTask.upgradeFirmware', 'firmwareVersion'],
  },
  rotatePassword: {
    world: {
      ...WELL,
      device: spoiled(DEVICE, 'compliance.passwordExpiry', ago(2)),
      facts: {
        ...WELL.facts,
        passwords: { passwords: [{ userName: 'root', lastChanged: ago(400), expiry: ago(2) }] },
      },
    },
    rests: ['availableTask.rotatePassword', 'compliance.passwordExpiry'],
  },
  rotateSslCertificate: {
    world: {
      ...WELL,
      device: spoiled(DEVICE, 'compliance.sslCertificateExpiry', ago(-3)),
      facts: {
        ...WELL.facts,
        certificates: {
          certificates: [{ type: 'ssl', notBefore: ago(362), notAfter: ago(-3) }],
        },
      },
    },
    rests: ['availableTask.rotateSslCertificate', 'compliance.sslCertificateExpiry'],
  },
  restartDevice: {
    world: { ...WELL, device: { ...DEVICE, status: 'offline', lastSeen: ago(1) } },
    rests: ['availableTask.restartDevice', 'probe', 'probe.edge'],
  },
  onboardDevice: {
    world: { ...WELL, discovered: { ...WELL.discovered, onboardingStatus: 'readyToOnboard' } },
    rests: [],
  },
};

const POLICIES: Readonly<Record<TaskType, string>> = {
  upgradeFirmware:
    'firmware: {f: {select: {device: "*"}, version: approved, rollout: one, windows: anytime}}',
  rotatePassword:
    'rotations: {p: {task: rotatePassword, select: {device: "*"}, maxAge: 180d, spread: 0d, rollout: one, windows: anytime}}',
  rotateSslCertificate:
    'rotations: {c: {task: rotateSslCertificate, select: {device: "*"}, renewBefore: 30d, spread: 0d, rollout: one, windows: anytime}}',
  restartDevice:
    'restarts: {r: {select: {device: "*"}, when: {status: [offline, unknown], probe: {edge: [up, down]}, for: 20m}, windows: anytime}}',
  onboardDevice:
    'onboarding: {o: {devices: [{id: new-1}], blockVendors: [Hik*], windows: anytime}}',
};
const TASKS = Object.keys(POLICIES) as TaskType[];

/** The documents of one kind, and those of all five together. */
const DOCUMENTS = new Map([
  ...TASKS.map((task) => [task, documentsOf(POLICIES[task])] as const),
  ['all', documentsOf(allPolicies())] as const,
]);

function allPolicies(): string {
  const { rotatePassword, rotateSslCertificate, ...others } = POLICIES;
  const second = rotateSslCertificate.replace('rotations: {', '').slice(0, -1);
  return [...Object.values(others), `${rotatePassword.slice(0, -1)}, ${second}}`].join('\n');
}

function documentsOf(policy: string) {
  const text = `service: {baseUrl: https://api.test, organization: acme}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}]}}
${policy}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}

/** Which of the answers is spoiled, by the end of its path. */
type Spoil = { readonly path: string; readonly answer: (body: unknown) => Response };

/** What a plan on this world does, each `action reason`, or the failure that ends it. */
async function actions(
  task: TaskType | 'all',
  world: World,
  spoil?: Spoil,
): Promise<readonly string[]> {
  const { client, clock } = fakeService((seen) => answerOf(world, seen, spoil), {
    pace: { requestsPerSecond: 1_000, tokenRequestsPerMinute: 1_000 },
  });
  const documents = DOCUMENTS.get(task);
  if (!documents) throw new Error(task);
  const dialect = resolveDialect();
  const inputOf = (snapshot: PlannerInput['snapshot']): PlannerInput => ({
    documents,
    snapshot,
    memory: aMemory(),
    now: START,
    dialect,
    expiresAfter: DAY,
    inputs: INPUTS,
  });
  try {
    const snapshot = await readLiveFleet({
      service: client,
      clock,
      random: () => 0.5,
      onboards: true,
      known: { ids: [], open: new Set() },
      patient: false,
      needs: (rows) => needs(inputOf(rows)),
    });
    return [...plan(inputOf(snapshot)).plan.changes].map(
      ({ action, reason }) => `${action} ${reason.why ?? reason.code}`,
    );
  } catch (error) {
    if (error instanceof WorldError) return [`ends ${error.code}`];
    throw error;
  }
}

function answerOf(world: World, { path }: Seen, spoil: Spoil | undefined): Response {
  const body = bodyOf(world, path);
  return spoil && path.endsWith(spoil.path) ? spoil.answer(body) : json(body);
}

function bodyOf({ device, discovered, facts }: World, path: string): unknown {
  const [, , collection = '', , read] = path.split('/');
  if (read !== undefined) return facts[read as Fact];
  if (collection === 'devices') return { devices: [device], total: 1 };
  if (collection === 'discoveredDevices') return { discoveredDevices: [discovered], total: 1 };
  if (collection === 'firmwarePaths') return { firmwarePaths: [], total: 0 };
  return { [collection]: [{ id: 1, name: 'HQ' }], total: 1 };
}

const isTask = (said: string): boolean => /^(run|wait|ends)/.test(said);

describe('D9 nothing falls due because of a row', () => {
  const cells = (row: Json) =>
    pathsIn(row)
      .flatMap((path) => [...NOTHING, ...ODD].map((value) => [path, value] as const))
      .filter((_, nth) => isTried(nth));

  it('whatever stands in a field of it', async () => {
    const told: string[] = [];
    for (const [path, value] of cells(WELL.device)) {
      const world = { ...WELL, device: spoiled(WELL.device, path, value) };
      const found = await actions('all', world);
      if (found.some(isTask)) told.push(`${path} = ${JSON.stringify(value)}: ${found.join()}`);
    }
    for (const [path, value] of cells(WELL.discovered)) {
      const world = { ...WELL, discovered: spoiled(WELL.discovered, path, value) };
      const found = await actions('all', world);
      if (found.some(isTask)) told.push(`${path} = ${JSON.stringify(value)}: ${found.join()}`);
    }
    expect(told).toEqual([]);
  });
});

describe('D9 nothing falls due because of a read', () => {
  it('whatever a field of it holds', async () => {
    const told: string[] = [];
    for (const fact of FACTS) {
      const answer = WELL.facts[fact] as Readonly<Record<string, readonly Json[]>>;
      const [entry = {}] = answer[fact] ?? [];
      const spoiledEntries = ['', ...pathsIn(entry)].flatMap((path) =>
        [...NOTHING, ...ODD].map((value) => (path === '' ? value : spoiled(entry, path, value))),
      );
      const lists = [...NOTHING, ...ODD, [], ...spoiledEntries.map((one) => [one])].filter(
        (_, nth) => isTried(nth),
      );
      for (const list of lists) {
        const world = { ...WELL, facts: { ...WELL.facts, [fact]: { [fact]: list } } };
        // The list alone shows nothing of it, so that it is the read that decides.
        const device = { ...DEVICE, compliance: {} };
        const found = await actions('all', { ...world, device });
        if (found.some(isTask)) told.push(`${fact} = ${JSON.stringify(list)}: ${found.join()}`);
      }
    }
    expect(told).toEqual([]);
  });

  it('whatever came in its place', async () => {
    const told: string[] = [];
    const paths = ['/devices', '/sites', '/deviceSources', '/discoveredDevices'];
    for (const path of [...paths, ...FACTS.map((fact) => `/${fact}`)])
      for (const [name, answer] of Object.entries(ANSWERS)) {
        const device = spoiled(DEVICE, 'compliance', {});
        const found = await actions('all', { ...WELL, device }, { path, answer });
        if (found.some((said) => /^(run|wait)/.test(said)))
          told.push(`${path}, ${name}: ${found.join()}`);
      }
    expect(told).toEqual([]);
  });
});

describe('what is due is left alone while something that decides is not understood', () => {
  it.each(TASKS)('%s is due as long as everything is understood', async (task) => {
    expect(await actions(task, DUE[task].world)).toEqual([expect.stringMatching(/^run /)]);
  });

  it.each(TASKS)('in its row: %s', async (task) => {
    const { world, rests } = DUE[task];
    const [row, fields] =
      task === 'onboardDevice'
        ? (['discovered', pathsIn(world.discovered)] as const)
        : (['device', [...DECIDES, ...rests]] as const);
    const told: string[] = [];
    for (const path of fields)
      for (const value of oddFor(world[row], path)) {
        const found = await actions(task, { ...world, [row]: spoiled(world[row], path, value) });
        // An object without our tasks is a good answer that offers none.
        const said = found.join().replace('taskUnavailable', 'valueUnknown');
        if (said !== 'skip valueUnknown')
          told.push(`${path} = ${JSON.stringify(value)}: ${found.join()}`);
      }
    expect(told).toEqual([]);
  });

  it.each([
    ['upgradeFirmware', 'targetFirmware'],
    ['rotatePassword', 'passwords'],
    ['rotateSslCertificate', 'certificates'],
  ] as const)('in its read: %s', async (task, fact) => {
    const told: string[] = [];
    for (const [name, answer] of Object.entries(ANSWERS)) {
      const found = await actions(task, DUE[task].world, { path: `/${fact}`, answer });
      if (found.join() !== 'skip valueUnknown') told.push(`${name}: ${found.join()}`);
    }
    expect(told).toEqual([]);
  });
});

it('a row without an id ends the reading, for nobody knows whose it is', async () => {
  const { client } = fakeService(() => json({ devices: [{ id: {} }], total: 1 }));
  await expect(drain(client.list('devices'))).rejects.toMatchObject({ code: 'unexpectedShape' });
});

it.each(['devices', 'discoveredDevices'] as const)(
  'rows with an empty id keep nobody else of %s from being read',
  async (list) => {
    const rows = [{ id: '', name: 'a' }, { id: 'cam-1' }, { id: '', name: 'b' }];
    const { client } = fakeService(() => json({ [list]: rows, total: 3 }));
    const read = await drain(client.list(list));
    expect(read.rows.map(({ id, unreadable }) => [id, unreadable])).toEqual([
      ['', ['id']],
      ['cam-1', undefined],
      ['', ['id']],
    ]);
  },
);
