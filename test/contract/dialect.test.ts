import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';

import { buildRequest, type Member } from '../../src/apply/send/request.ts';
import { listFilters } from '../../src/api/decode/filters.ts';
import { printRows, type GetRequest } from '../../src/operations/rows/print-rows.ts';
import { DIALECT_ROWS, type DialectKey, type DialectRow } from '../../src/dialect.gen.ts';
import {
  resolveDialect,
  type Dialect,
  type WrittenDialect,
} from '../../src/model/fleet/dialect.ts';
import type { TaskRequest } from '../../src/model/fleet/task.ts';
import { completeDialect, parseDialect } from '../../src/twin/dialect/dialect.ts';
import type { WorldState } from '../../src/twin/world/state.ts';
import { createTwin } from '../../src/twin/twin.ts';
import { candidate } from '../support/apply-candidate.ts';
import { isTried } from '../support/campaign.ts';
import { drain } from '../support/api-service.ts';
import { HOUR, START, USERS } from '../support/twin-rig.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { overFetch } from '../../src/model/http.ts';

/** Rows that name nothing on the wire: what they change is tested where it is decided. */
const ELSEWHERE: readonly DialectKey[] = ['autoSettleNegative', 'targetFirmwareScope'];

/** Another value for a row, and what must be said beside it for it to matter. */
const VARIANTS: Readonly<Partial<Record<DialectKey, WrittenDialect>>> = {
  tokenPath: { tokenPath: '/token/{organization}' },
  tokenBody: { tokenBody: { grant_type: 'client_credentials', key: { fromEnv: 'KEY' } } },
  dateForm: { dateForm: 'seconds' },
  filterDateForm: { filterDateForm: 'seconds' },
  maxDevicesPerTask: { maxDevicesPerTask: 1 },
  taskDeviceType: { taskDeviceType: 'number' },
  onboardDeviceType: { onboardDeviceType: 'number' },
  onboardSecondField: { onboardSecondField: 'source.ref' },
  onboardSecondSource: { onboardSecondField: 'token', onboardSecondSource: 'proof.token' },
  payloadPlace: { payloadPlace: 'device' },
  upgradeVersionField: { upgradeVersionField: 'firmware.version' },
  upgradeMembers: { upgradeMembers: { force: true, firmware: { channel: 'lts' } } },
  onboardedId: { onboardedId: 'unknown' },
  onboardedIdField: { onboardedId: 'unknown', onboardedIdField: 'managed.id' },
  deviceSitesForm: { deviceSitesField: 'site', deviceSitesForm: 'one' },
  deviceSourcesForm: { deviceSourcesForm: 'one' },
  certificateTypeSsl: { certificateTypeSsl: 'https' },
  certificateForm: { certificateForm: 'der' },
  targetFirmwareForm: { targetFirmwareForm: 'one' },
  firmwarePathsPages: { firmwarePathsPages: 'whole' },
  discoveredSourceForm: { discoveredSourceForm: 'list' },
  passwordLastChangedField: { passwordLastChangedField: 'x.changed' },
};

/** Where more or less is known than by default: the part of the portrait that shows it, and how; another one that does. */
const DIFFERS: Readonly<
  Partial<Record<DialectKey, readonly [part: string, has: string, also?: string]>>
> = {
  passwordLastChangedField: ['devices', '"passwordChangedAt":', 'printed'],
  onboardSecondField: ['discovered', '"second":1'],
  onboardSecondSource: ['discovered', '"second":"second-9001"'],
  onboardedId: ['tasks', '"onboardedId":"managed-'],
  onboardedIdField: ['tasks', '"onboardedId":"managed-'],
  certificateTypeSsl: ['printed', 'https '],
  maxDevicesPerTask: ['tasks', '"status":400'],
};

/** What the other side understands all the same: it accepts more than it sends. */
const UNDERSTOOD: ReadonlySet<DialectKey> = new Set([
  'certificateForm',
  // The certificate itself has them.
  'certificateNotBeforeField',
  'certificateNotAfterField',
  'deviceSitesForm',
  'discoveredSourceForm',
  'targetFirmwareForm',
  'deviceSourcesForm',
  'payloadPlace',
  'onboardedIdField',
]);

const ROWS = DIALECT_ROWS.filter(({ key }) => !ELSEWHERE.includes(key));

describe.each(ROWS)('the dialect key $key', (row) => {
  const written = VARIANTS[row.key] ?? { [row.key]: another(row) };
  const { key } = row;
  const spoken = once(() => portrait(written, written, key));

  it('is spoken by the twin and read by the client', async () => {
    const told = await spoken();
    const [part = '', has = '', also = part] = DIFFERS[row.key] ?? [];
    const others = { [part]: '', [also]: '' };
    expect({ ...told, ...others }).toEqual({ ...(await usual(key)), ...others });
    expect(JSON.stringify(told[part] ?? '')).toContain(has);
  });

  if (isTried(ROWS.indexOf(row)))
    it('matters: a client without it, or a twin without it, is not understood', async () => {
      const base = baseOf(key, written);
      const together = await spoken();
      const isUnderstood =
        !(await differs(together, parts(base, written, key))) &&
        !(await differs(together, parts(written, base, key)));
      expect(isUnderstood && !UNDERSTOOD.has(key)).toBe(false);
    });

  if (row.empty !== undefined)
    it('may be empty, and both go on without it', async () => {
      const without = { [key]: '' };
      await expect(portrait(without, without, key)).resolves.toBeDefined();
    });
});

describe('a file of a dialect', () => {
  it('takes the defaults of the table for what it does not say', () => {
    expect(parseDialect('{"tokenField": "data.token"}')).toEqual({
      ...resolveDialect(),
      tokenField: 'data.token',
    });
  });

  it.each([
    ['{', 'not JSON'],
    ['[]', 'a dialect is a JSON object'],
    ['{"tokenfield": "x"}', 'no key "tokenfield"'],
    ['{"dateForm": "days"}', 'dateForm must be one of iso, seconds, milliseconds'],
    ['{"taskDeviceField": ""}', 'taskDeviceField must be the name of a field'],
    ['{"tokenField": "a..b"}', 'tokenField must be the name of a field, or empty'],
    ['{"maxDevicesPerTask": 0}', 'maxDevicesPerTask must be a whole number from 1 on'],
    ['{"tokenBody": "x"}', 'tokenBody must be an object'],
  ])('is refused: %s', (text, message) => {
    expect(() => parseDialect(text)).toThrow(message);
  });
});

function another({ type, default: assumed }: DialectRow): string {
  const last = String(assumed).split('.').at(-1) ?? '';
  return type === 'filter' ? `by.${last}` : `outer.${last}X`;
}

/** What a key needs beside it stays; the key itself is as usual. */
function baseOf(key: DialectKey, written: WrittenDialect): WrittenDialect {
  const { [key]: _, ...rest } = written;
  return rest;
}

const whole = once(() => portrait({}, {}));

/** How dates are written shows in every filter; any other key in its own filter alone, if it names one. */
function isShown(filter: string, key: DialectKey | undefined): boolean {
  return key === undefined || key === 'filterDateForm' || filter === key;
}

/** What is found with no dialect written, of the filters those that show a key. */
async function usual(key: DialectKey): Portrait {
  const { tokens, filtered: counts, ...found } = await whole();
  return { ...found, filtered: counts.filter(([name]) => isShown(name, key)), tokens };
}

/** A portrait costs many requests: each is made once. */
function once(make: () => Portrait): () => Portrait {
  let made: Portrait | undefined;
  return () => (made ??= make());
}

interface Told extends Readonly<Record<string, unknown>> {
  readonly tokens: number;
  readonly filtered: readonly (readonly [string, number])[];
}

type Portrait = Promise<Told>;

/** Whether something else is found, or nothing: looked at part by part, as most keys show in the first. */
async function differs(told: Told, found: AsyncIterable<Part>): Promise<boolean> {
  try {
    for await (const [name, value] of found)
      if (JSON.stringify(value) !== JSON.stringify(told[name])) return true;
    return false;
  } catch {
    return true;
  }
}

/** All parts of what a client with one dialect gets from a twin with another. */
async function portrait(
  clientSpeaks: WrittenDialect,
  twinSpeaks: WrittenDialect,
  key?: DialectKey,
): Portrait {
  const told: Record<string, unknown> = {};
  for await (const [name, value] of parts(clientSpeaks, twinSpeaks, key)) told[name] = value;
  return told as Told;
}

type Part = readonly [name: string, value: unknown];

/**
 * Everything that a dialect is about, as a client with one dialect gets it from a twin with another. Where a key is
 * named, only the filters that show it are tried.
 */
async function* parts(
  clientSpeaks: WrittenDialect,
  twinSpeaks: WrittenDialect,
  key?: DialectKey,
): AsyncGenerator<Part> {
  const clock = createVirtualClock(START);
  const twin = createTwin({
    clock,
    world: structuredClone(WORLD),
    manners: { unknownFilters: 'refuse' },
    dialect: completeDialect(twinSpeaks),
  });
  const dialect = resolveDialect(clientSpeaks);
  let tokens = 0;
  const handle = (request: Request): Promise<Response> => {
    if (request.headers.get('authorization')?.startsWith('Basic')) tokens += 1;
    return twin.handle(request);
  };
  const client = clientOf(dialect, { clock, handle });
  const { rows: devices } = await drain(client.list('devices'));
  yield ['devices', devices];
  const { rows: discovered } = await drain(client.list('discoveredDevices'));
  yield ['discovered', discovered];
  const [id = '', second = ''] = devices.map((device) => device.id);
  const passwords = await client.passwords(id);
  yield ['passwords', typeof passwords === 'string' ? passwords : { ...passwords, marker: '' }];
  clock.advance(HOUR / 6);
  yield ['certificates', await client.certificates(id)];
  yield ['targets', await client.targetFirmware(id)];
  yield ['paths', await client.firmwarePaths()];
  yield ['printed', await printed(client, id, dialect)];
  yield ['filtered', await filtered(client, dialect, key)];
  const pass = () => clock.advance(HOUR);
  yield ['tasks', await tasks(client, { dialect, ids: [id, second], discovered, pass })];
  yield ['tokens', tokens];
}

function clientOf(
  dialect: Dialect,
  {
    clock,
    handle,
  }: {
    clock: ReturnType<typeof createVirtualClock>;
    handle: (request: Request) => Promise<Response>;
  },
): Client {
  const [user] = USERS;
  return createClient({
    transport: overFetch(handle),
    clock,
    random: () => 0.5,
    baseUrl: 'http://127.0.0.1',
    organization: 'acme',
    credentials: () =>
      Promise.resolve({ clientId: user?.clientId ?? '', clientSecret: user?.clientSecret ?? '' }),
    dialect,
    pace: { requestsPerSecond: 1_000_000, tokenRequestsPerMinute: 600 },
    secrets: (name) => `value of ${name}`,
  });
}

/** What `get` prints of the fields that a dialect names; references, as they came, are left out. */
async function printed(
  client: Client,
  id: string,
  dialect: Dialect,
): Promise<Readonly<Record<string, string>>> {
  const lists = ['devices', 'discovered', 'firmware-paths'];
  const found: Record<string, string> = {};
  for (const resource of [...lists, 'passwords', 'vulnerabilities', 'target-firmware']) {
    if (resource === 'firmware-paths' && dialect.firmwarePathsPages === 'none') continue;
    const subject = lists.includes(resource) ? {} : { id };
    found[resource] = withoutRefs(await shown(client, { resource, output: 'csv', ...subject }));
  }
  return {
    ...found,
    certificates: await shown(client, { resource: 'certificates', output: 'table', id }),
  };
}

/** Dates as seconds, so that all forms read alike. */
async function shown(client: Client, request: Omit<GetRequest, 'filters'>): Promise<string> {
  let text = '';
  await printRows(
    { ...request, filters: [] },
    { source: client, out: (part) => void (text += part), err: () => undefined, width: 400 },
  );
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, (date) => String(Date.parse(date) / 1_000))
    .replace(/\b(\d{10})000\b/g, '$1')
    .replace(/ +/g, ' ');
}

const REFS = new Set(['site', 'sources', 'source', 'network']);

function withoutRefs(csv: string): string {
  const [head = '', ...lines] = csv.split('\r\n');
  const kept = head.split(',').map((heading) => !REFS.has(heading));
  const pick = (line: string) =>
    line
      .split(',')
      .filter((_, index) => kept[index])
      .join();
  return [head, ...lines].map(pick).join('\n');
}

/** How many rows each guessed filter leaves. */
async function filtered(
  client: Client,
  dialect: Dialect,
  only?: DialectKey,
): Promise<readonly (readonly [string, number])[]> {
  const known = new Set(listFilters('devices', dialect).map((filter) => filter.name));
  const counts: (readonly [string, number])[] = [];
  for (const { key, default: own } of DIALECT_ROWS.filter(({ type }) => type === 'filter')) {
    const name = String(dialect[key]);
    if (!known.has(name) || !isShown(key, only)) continue;
    const value = VALUES.find(([part]) => String(own).includes(part))?.[1] ?? '1';
    const { rows } = await drain(client.list('devices', { [name]: value }));
    counts.push([key, rows.length]);
  }
  return counts;
}

const VALUES: readonly (readonly [part: string, value: string])[] = [
  ['Before', '2027-01-31T00:00:00Z'],
  ['After', '2026-06-30T00:00:00Z'],
  ['recordingStatus', 'recording'],
  ['storageServer', 'recorder-1'],
  ['patchedFirmwareVersion', '1'],
  ['vulnerabilitySeverity', 'high'],
  ['suggested', 'x'],
  ['CertificateStatus', 'compliant'],
];

interface Work {
  readonly dialect: Dialect;
  readonly ids: readonly string[];
  readonly discovered: readonly {
    readonly id: string;
    readonly second?: string | number;
    readonly onboardingStatus?: string;
  }[];
  pass(): void;
}

/** A restart, an upgrade and an onboarding: what was answered, and what the tasks show in the end. */
async function tasks(
  client: Client,
  { dialect, ids, discovered, pass }: Work,
): Promise<readonly unknown[]> {
  const ready = discovered.find(({ onboardingStatus }) => onboardingStatus === 'readyToOnboard');
  const { id = '', second } = ready ?? {};
  const restart: TaskRequest = {
    task: 'restartDevice',
    devices: ids.map((deviceId) => ({ deviceId })),
  };
  const upgrade = candidate(ids[0] ?? '', { change: { target: '9.9' } });
  const members: readonly [Member] = [{ candidate: upgrade, change: upgrade.change, sites: [] }];
  const onboard: TaskRequest = {
    task: 'onboardDevice',
    devices: [{ deviceId: id, ...(second !== undefined && { second }) }],
  };
  const ended: unknown[] = [];
  for (const request of [restart, buildRequest(members, dialect), onboard]) {
    const answer = await client.createTask(request);
    pass();
    const [taskId = ''] = answer.kind === 'answered' ? answer.taskIds : [];
    const status = answer.kind === 'answered' ? answer.status : answer.code;
    ended.push({ status, ...(taskId !== '' && (await endOf(client, taskId))) });
  }
  return [...ended, { managed: (await client.device(id)).value?.id }];
}

/** The device tasks of a task without ids that come from chance, and its steps as `get` prints them. */
async function endOf(client: Client, taskId: string): Promise<object> {
  const { value } = await client.task(taskId, { steps: true });
  const deviceTasks = value?.deviceTasks.map((one) => ({ ...one, deviceTaskId: '' }));
  const steps = await shown(client, { resource: 'task', id: taskId, steps: true, output: 'csv' });
  return { deviceTasks, steps };
}

/** A small world whose ids are numbers, so that they can be sent as such. */
const WORLD: WorldState = numbered(
  createTwin({ clock: { now: () => START }, devices: 12, sites: 3, users: USERS }).save(),
);

function numbered(world: WorldState): WorldState {
  const devices = world.devices.map((device, index) => ({ ...device, id: String(1_001 + index) }));
  const discovered = world.discovered.map((found, index) => ({
    ...found,
    device: { ...found.device, id: String(9_001 + index) },
  }));
  return { ...world, devices, discovered };
}
