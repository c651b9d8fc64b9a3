import { expect } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import type { Ending } from '../../src/model/ledger/run-report.ts';
import { AVAILABLE_TASKS, type TaskType } from '../../src/model/fleet/task.ts';
import {
  ANSWERS,
  DECIDES,
  NOTHING,
  ODD,
  oddFor,
  pathsIn,
  spoiled,
  type Json,
} from './not-understood.ts';
import { planNow, runOnce } from './rehearsal.ts';
import { createWorld, START, type Rehearsal, type RehearsalWorld } from './rehearsal-world.ts';

/**
 * The plan understood everything, and the last look before the POST does not: every field of a row and
 * every read of a device, in every form that is not the expected one, for every kind of task. Each
 * device of a fleet meets one of them, in one run of apply over the real client and twin.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What makes a device due for a kind, its policy, what it reads, and what beside `DECIDES` it rests on. */
interface Kind {
  readonly policy: string;
  readonly device: Json;
  readonly fact?: 'targetFirmware' | 'passwords' | 'certificates';
  readonly rests: readonly string[];
}

const KINDS: Readonly<Record<TaskType, Kind>> = {
  upgradeFirmware: {
    policy:
      'firmware: {f: {select: {device: "*"}, version: 11.11.160, rollout: one, windows: anytime}}',
    device: {},
    fact: 'targetFirmware',
    rests: ['availableTask.upgradeFirmware', 'firmwareVersion'],
  },
  rotatePassword: {
    policy:
      'rotations: {p: {task: rotatePassword, select: {device: "*"}, maxAge: 180d, headStart: 1d, spread: 0d, rollout: one, windows: anytime}}',
    device: {
      accounts: [{ userName: 'root', lastChanged: START - 400 * DAY, expiry: START - 2 * DAY }],
    },
    fact: 'passwords',
    rests: ['availableTask.rotatePassword', 'compliance.passwordExpiry'],
  },
  rotateSslCertificate: {
    policy:
      'rotations: {c: {task: rotateSslCertificate, select: {device: "*"}, renewBefore: 30d, spread: 0d, rollout: one, windows: anytime}}',
    device: { ssl: { serial: '1', notBefore: START - 360 * DAY, notAfter: START + 5 * DAY } },
    fact: 'certificates',
    rests: ['availableTask.rotateSslCertificate', 'compliance.sslCertificateExpiry'],
  },
  restartDevice: {
    policy:
      'restarts: {r: {select: {device: "*"}, when: {status: offline, for: 20m}, correlatedOutage: {percent: 100%, within: 10m}, maxPerSite: {count: 1000, per: 1h}, rollout: one, windows: anytime}}',
    device: { condition: 'dark', lastSeen: START - HOUR },
    rests: ['availableTask.restartDevice'],
  },
  onboardDevice: {
    policy:
      'onboarding: {o: {select: {deviceType: "*"}, maxPerDay: 1000, blockVendors: [Hik*], rollout: one, windows: anytime}}',
    device: {},
    rests: [],
  },
};
export const TASKS = Object.keys(KINDS) as TaskType[];

/** What one device of the fleet shows, in its row or in a read of it. */
export interface Cell {
  readonly what: string;
  /** Where it is told: the row, or the read of its kind. */
  readonly where: 'row' | 'read';
  readonly spoil: (body: Json) => Response;
  /** Nobody can have understood this, and it decides. */
  readonly isOdd: boolean;
}

const AS_IT_IS: Cell = {
  what: 'as it is',
  where: 'row',
  spoil: (body) => Response.json(body),
  isOdd: false,
};
const CONTROLS = 3;

/** Every field of a row with every odd value, and every odd answer in place of the row. */
function cellsOfRow(row: Json, decides: (path: string) => boolean): readonly Cell[] {
  return pathsIn(row).flatMap((path) =>
    [...NOTHING, ...ODD].map((value) => ({
      what: `${path} = ${JSON.stringify(value)}`,
      where: 'row' as const,
      spoil: (body: Json) => Response.json(spoiled(body, path, value)),
      isOdd: decides(path) && oddFor(row, path).includes(value),
    })),
  );
}

function cellsOfAnswers(where: Cell['where']): readonly Cell[] {
  return Object.entries(ANSWERS).map(([what, spoil]) => ({
    what: `${where}: ${what}`,
    where,
    spoil,
    isOdd: true,
  }));
}

/** Every field of the entries of a read, and the list itself. */
function cellsOfRead(fact: string, body: Json): readonly Cell[] {
  const [entry = {}, ...rest] = (body[fact] ?? []) as readonly Json[];
  const lists = [...NOTHING, ...ODD, []].map((list) => [list, JSON.stringify(list)] as const);
  const entries = pathsIn(entry).flatMap((path) =>
    [...NOTHING, ...ODD].map(
      (value) =>
        [[spoiled(entry, path, value), ...rest], `${path} ${JSON.stringify(value)}`] as const,
    ),
  );
  return [...lists, ...entries].map(([list, what]) => ({
    what: `${fact}: ${what}`,
    where: 'read',
    spoil: (whole) => Response.json({ ...whole, [fact]: list }),
    isOdd: false,
  }));
}

function rehearsalOf(task: TaskType, devices: number): Rehearsal {
  const text = `service: {baseUrl: https://twin.test, organization: acme, pace: {requestsPerSecond: 50}}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}], maxInFlight: 1000}}
${KINDS[task].policy}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: 1000}
  default-storage-server: {per: storageServer, maxInFlight: 1000}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  const every = {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    maintenance: false,
    tasks: AVAILABLE_TASKS,
    ...KINDS[task].device,
  } as const;
  const lastSeen = Number(KINDS[task].device['lastSeen'] ?? START);
  const ids = Array.from({ length: devices }, (_, index) => `dev-${index + 1}`);
  const edit = Object.fromEntries(ids.map((id) => [id, { lastSeen }]));
  const script = { about: '', devices, sites: 1, every, edit, runs: [{}] };
  return { name: task, script, documents };
}

/** A world in which the device of each number meets its cell, from the start or at the last look alone. */
function worldOf(
  rehearsal: Rehearsal,
  cells: readonly Cell[],
  from: 'the start' | 'the last look',
): { readonly world: RehearsalWorld; readonly posted: string[]; readonly ids: readonly string[] } {
  const world = createWorld(rehearsal.script);
  for (const found of world.twin.world.state.discovered) {
    found.onboardingStatus = 'readyToOnboard';
    Object.assign(found.device, rehearsal.script.every);
  }
  const ids = idsOf(rehearsal, world);
  const cellOf = (id: string): Cell => cells[ids.indexOf(id) - CONTROLS] ?? AS_IT_IS;
  const posted: string[] = [];
  const looked = new Set<string>();
  let lists = 0;
  const isSpoiled = (id: string): boolean => from === 'the start' || looked.has(id);
  const handle = async (request: Request): Promise<Response> => {
    posted.push(...(await devicesIn(request)));
    const answer = await world.twin.handle(request);
    if (request.method !== 'GET' || !answer.ok) return answer;
    const [, , collection = '', id = '', read] = new URL(request.url).pathname.split('/');
    if (collection === 'discoveredDevices') {
      lists += 1;
      const isWhole = from === 'the last look' && lists === 1;
      return isWhole ? answer : rowsSpoiled(answer, collection, cellOf);
    }
    if (collection !== 'devices' || rehearsal.name === 'onboardDevice') return answer;
    if (id === '') return from === 'the start' ? rowsSpoiled(answer, collection, cellOf) : answer;
    if (read === undefined) looked.add(id);
    const cell = cellOf(id);
    const isMeant = isSpoiled(id) && cell.where === whereIs(read);
    return isMeant ? cell.spoil((await answer.json()) as Json) : answer;
  };
  return { world: { ...world, twin: { ...world.twin, handle } }, posted, ids };
}

function whereIs(read: string | undefined): Cell['where'] {
  return read === undefined ? 'row' : 'read';
}

/** The devices that a POST is for. */
async function devicesIn(request: Request): Promise<readonly string[]> {
  if (request.method !== 'POST' || !request.url.endsWith('/v1/tasks')) return [];
  const { devices } = (await request.clone().json()) as { devices: readonly Json[] };
  return devices.map((entry) => String(Object.values(entry)[0]));
}

async function rowsSpoiled(
  answer: Response,
  collection: string,
  cellOf: (id: string) => Cell,
): Promise<Response> {
  const body = (await answer.json()) as Json;
  const rows = (body[collection] ?? []) as readonly Json[];
  const spoil = async (row: Json): Promise<unknown> => {
    const { where, spoil: change } = cellOf(String(row['id']));
    const text = where === 'row' ? await change(row).text() : '';
    return text.includes('"id":') && text.endsWith('}') ? (JSON.parse(text) as unknown) : row;
  };
  return Response.json({ ...body, [collection]: await Promise.all(rows.map(spoil)) });
}

/** Those that the kind is about, in order. */
function idsOf({ name }: Pick<Rehearsal, 'name'>, { twin }: RehearsalWorld): readonly string[] {
  const { devices, discovered } = twin.world.state;
  return name === 'onboardDevice'
    ? discovered.map(({ device }) => device.id)
    : devices.map(({ id }) => id);
}

/** A row and a read as the service tells them. */
async function sample(task: TaskType): Promise<{ readonly row: Json; readonly read: Json }> {
  const rehearsal = rehearsalOf(task, 4);
  const rows = new Map<string, Json>();
  const world = createWorld(rehearsal.script);
  const handle = async (request: Request): Promise<Response> => {
    const answer = await world.twin.handle(request);
    rows.set(new URL(request.url).pathname, (await answer.clone().json()) as Json);
    return answer;
  };
  await runOnce(rehearsal, { ...world, twin: { ...world.twin, handle } }, { process: 1 });
  const { fact } = KINDS[task];
  const read = fact ? rows.get(`/v1/devices/dev-1/${fact}`) : {};
  const list = rows.get('/v1/discoveredDevices')?.['discoveredDevices'] as
    readonly Json[] | undefined;
  const row = task === 'onboardDevice' ? list?.[0] : rows.get('/v1/devices/dev-1');
  if (!row || !read) throw new Error(`nothing was read for ${task}`);
  return { row, read };
}

/** Of a discovered device nobody reads these. */
const UNREAD: ReadonlySet<string> = new Set(['deviceSource.type']);

export async function cellsOf(task: TaskType): Promise<readonly Cell[]> {
  const { row, read } = await sample(task);
  const { rests, fact } = KINDS[task];
  const decides = (path: string): boolean =>
    (task === 'onboardDevice' && !UNREAD.has(path)) ||
    DECIDES.includes(path) ||
    rests.includes(path);
  const reads = fact ? [...cellsOfRead(fact, read), ...cellsOfAnswers('read')] : [];
  const whole = task === 'onboardDevice' ? [] : cellsOfAnswers('row');
  return [...cellsOfRow(row, decides), ...whole, ...reads];
}

/** What plans say of a device because of others, whose rows are spoiled as well. */
const OTHERS: ReadonlySet<string> = new Set(['budgetExhausted', 'correlatedOutage']);

/** What one run of apply did that no plan of the same answers would have done, or did not explain. */
export async function wrongIn(task: TaskType, cells: readonly Cell[]): Promise<readonly string[]> {
  const rehearsal = rehearsalOf(task, cells.length + CONTROLS);
  const { world, posted, ids } = worldOf(rehearsal, cells, 'the last look');
  const { report } = await runOnce(rehearsal, world, { process: 1 });
  const { changes } = await planNow(rehearsal, worldOf(rehearsal, cells, 'the start').world);
  const runs = [...changes]
    .filter(({ action, reason }) => action === 'run' || OTHERS.has(reason.code))
    .map(({ device }) => device.id);
  const sent = cells.flatMap(({ what, isOdd }, index) => {
    const id = ids[index + CONTROLS] ?? '';
    if (!posted.includes(id) || (!isOdd && runs.includes(id))) return [];
    return [`${what}: sent`];
  });
  expect(posted).toEqual(expect.arrayContaining(ids.slice(0, CONTROLS)));
  expect(new Set(posted).size).toBe(posted.length);
  expect(report?.failure).toBeUndefined();
  return [...sent, ...unexplained(report?.endings ?? [], cells, ids)];
}

/** Endings of cells that decide, other than that a value was not understood. */
function unexplained(endings: readonly Ending[], cells: readonly Cell[], ids: readonly string[]) {
  return endings.flatMap(({ change, outcome, reason }) => {
    const cell = cells[ids.indexOf(change.device.id) - CONTROLS];
    // An object without our tasks is a good answer that offers none.
    const isSaid = reason?.why === 'valueUnknown' || reason?.why === 'taskUnavailable';
    if (!cell?.isOdd || (outcome === 'skipped' && isSaid)) return [];
    return [`${cell.what}: ${outcome} ${reason?.code} ${reason?.why}`];
  });
}
