import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../../../../src/api/client.ts';
import { printRows, type GetRequest } from '../../../../../src/operations/rows/print-rows.ts';
import { resolveDialect, type WrittenDialect } from '../../../../../src/model/fleet/dialect.ts';
import { createTwin } from '../../../../../src/twin/twin.ts';
import { fakeService, json, pageOf } from '../../../../support/api-service.ts';
import { selfSigned } from '../../../../support/self-signed.ts';
import { HOUR, START, USERS } from '../../../../support/twin-rig.ts';
import { createVirtualClock } from '../../../../support/virtual-clock.ts';
import { CLIENT_SECRETS } from '../../../../support/canary.ts';
import { watch } from '../../../../support/canary-watch.ts';
import { overFetch } from '../../../../../src/model/http.ts';

/** Runs `get` and returns what it wrote. */
async function output(client: Client, request: Partial<GetRequest>): Promise<string> {
  let text = '';
  watch('what get printed', () => text);
  const io = { source: client, out: (more: string) => void (text += more), err: () => undefined };
  expect(
    await printRows({ resource: 'devices', filters: [], output: 'table', ...request }, io),
  ).toBe(0);
  return text;
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('get on a twin', () => {
  let client: Client;
  let taskId = '';
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const clock = createVirtualClock(START);
    const twin = createTwin({ clock, devices: 60, sites: 3, users: USERS });
    client = createClient({
      transport: overFetch((request) => twin.handle(request)),
      clock,
      random: () => 0.5,
      baseUrl: 'http://127.0.0.1',
      organization: twin.organization,
      credentials: () => Promise.resolve({ clientId: 'a', clientSecret: CLIENT_SECRETS.admin }),
      dialect: resolveDialect(),
      pace: { requestsPerSecond: 1_000, tokenRequestsPerMinute: 5 },
      secrets: () => undefined,
    });
    ids['device'] =
      linesOf(await output(client, { filters: ['status=online'], output: 'csv' }))[1]?.split(
        ',',
      )[0] ?? '';
    const devices = [{ deviceId: ids['device'] }];
    const answer = await client.createTask({ task: 'restartDevice', devices });
    taskId = answer.kind === 'answered' ? (answer.taskIds[0] ?? '') : '';
    clock.advance(HOUR);
  });

  const idFor = (resource: string): string | undefined => {
    if (resource === 'task') return taskId;
    const lists = ['devices', 'sites', 'sources', 'discovered', 'firmware-paths'];
    return lists.includes(resource) ? undefined : ids['device'];
  };

  it.each([
    'devices',
    'device',
    'sites',
    'sources',
    'discovered',
    'task',
    'vulnerabilities',
    'passwords',
    'certificates',
    'target-firmware',
    'firmware-paths',
  ])('reaches %s in every format', async (resource) => {
    const id = idFor(resource);
    const request = { resource, ...(id && { id }) };
    const table = await output(client, { ...request, output: 'table' });
    for (const line of linesOf(table)) expect(line.length).toBeLessThanOrEqual(80);
    const whole = JSON.parse(await output(client, { ...request, output: 'json' }));
    const rows = linesOf(await output(client, { ...request, output: 'ndjson' }));
    for (const row of rows) expect(JSON.parse(row)).toBeTypeOf('object');
    const csv = await output(client, { ...request, output: 'csv' });
    expect(csv.endsWith('\r\n')).toBe(true);
    expect(whole.version).toBe(1);
    if (Array.isArray(whole.items)) {
      expect(rows).toHaveLength(whole.items.length);
      expect(linesOf(table)).toHaveLength(whole.items.length + 1);
    }
    expect(csv + table).not.toContain('[object');
  });

  it.each(['sites', 'sources'])('reads one of the %s by id', async (resource) => {
    expect(JSON.parse(await output(client, { resource, id: '1', output: 'json' }))).toMatchObject({
      item: { id: 1 },
    });
    expect(await output(client, { resource, id: '1' })).toMatch(/^id +1$/m);
  });

  it('shows a device as a list of its fields', async () => {
    const text = await output(client, { resource: 'device', id: ids['device'] ?? '' });
    expect(text).toMatch(/^firmwareVersion +\S/m);
    expect(text).toMatch(/^probe\.agent +\S/m);
  });

  it('shows a task as one object, its steps by line', async () => {
    const task = { resource: 'task', id: taskId };
    expect(JSON.parse(await output(client, { ...task, output: 'json' }))).toMatchObject({
      item: {
        taskId,
        userName: 'Ada Admin',
        total: 1,
        deviceTasks: [{ result: 'succeeded' }],
      },
    });
    const steps = linesOf(await output(client, { ...task, steps: true }));
    expect(steps[0]).toMatch(/^DEVICE +RESULT +STEP +STATUS/);
    expect(steps.length).toBeGreaterThan(2);
    const failed = await output(client, { ...task, result: 'failed', output: 'json' });
    expect(JSON.parse(failed)).toMatchObject({ item: { total: 0, deviceTasks: [] } });
  });

  it('filters on the server', async () => {
    const offline = await output(client, { filters: ['status=offline'], output: 'json' });
    const all = await output(client, { output: 'json' });
    expect(JSON.parse(offline).items.length).toBeLessThan(JSON.parse(all).items.length);
  });

  it('answers a filter without a value with the form of one', async () => {
    await expect(output(client, { filters: ['x'] })).rejects.toMatchObject({
      code: 'usage',
      params: { message: 'A filter is name=value, such as vendor=Axis, not x' },
    });
  });

  it.each<[string, Partial<GetRequest>]>([
    ['usage', { resource: 'devises' }],
    ['usage', { resource: 'device' }],
    ['usage', { resource: 'devices', id: 'd-1' }],
    ['usage', { resource: 'firmware-paths', filters: ['a=b'] }],
    ['usage', { resource: 'sites', id: '1', filters: ['name=x'] }],
    ['usage', { resource: 'sites', steps: true }],
    ['usage', { resource: 'devices', status: 'completed' }],
    ['usage', { filters: ['status'] }],
    ['usage', { filters: ['=x'] }],
    ['filterUnknown', { filters: ['stauts=online'] }],
    ['notFound', { resource: 'device', id: 'no-such' }],
    ['notFound', { resource: 'passwords', id: 'no-such' }],
    ['notFound', { resource: 'task', id: 'no-such' }],
    ['idUnsafe', { resource: 'device', id: '../sites' }],
  ])('refuses with %s: %j', async (code, request) => {
    await expect(output(client, request)).rejects.toMatchObject({ code });
  });
});

describe('get on a hostile service', () => {
  const evil = {
    id: 'd-1',
    name: '\u001b[2J\u202egnp',
    vendor: '=HYPERLINK("x")',
    status: 'on"line',
  };
  const serve = (rows: readonly unknown[]) =>
    fakeService(({ query }) => pageOf('devices', rows, query)).client;

  it('lets no control character onto a terminal', async () => {
    for (const format of ['table', 'json', 'ndjson', 'csv'] as const) {
      const text = await output(serve([evil]), { output: format });
      expect(text.replaceAll(/[\r\n]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it('keeps data whole in json', async () => {
    expect(JSON.parse(await output(serve([evil]), { output: 'json' }))).toEqual({
      version: 1,
      items: [evil],
    });
  });

  it('lets no spreadsheet calculate', async () => {
    expect(await output(serve([evil]), { output: 'csv' })).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('writes a number of the service as a number', async () => {
    const client = serve([{ ...evil, name: '-62', signal: -62 }]);
    const request = { output: 'csv', columns: ['signal', 'name'] } as const;
    expect(linesOf(await output(client, request))[1]).toBe(`-62,"'-62"\r`);
  });

  it('writes a valid empty list', async () => {
    expect(JSON.parse(await output(serve([]), { output: 'json' }))).toEqual({
      version: 1,
      items: [],
    });
    expect(linesOf(await output(serve([]), { output: 'table' }))).toHaveLength(1);
  });

  it('streams ndjson page by page, and says at the end when the list moved', async () => {
    let total = 1_200;
    const rows = Array.from({ length: 1_200 }, (_, index) => ({ id: `d-${index}` }));
    const { client } = fakeService(async ({ query }) => {
      const page = (await pageOf('devices', rows, query).json()) as object;
      return json({ ...page, total: total++ });
    });
    const writes: number[] = [];
    const io = {
      source: client,
      out: (text: string) => void writes.push(linesOf(text).length),
      err: () => undefined,
    };
    const request = { resource: 'devices', filters: [], output: 'ndjson' } as const;
    await expect(printRows(request, io)).rejects.toMatchObject({
      code: 'listTorn',
      params: { collection: 'devices', why: 'total' },
    });
    expect(writes.slice(0, 2)).toEqual([1_000, 200]);
  });
});

describe('get on a service with forms of its own', () => {
  const DER = selfSigned.cert.replaceAll(/-----[^-]+-----|\s/g, '');
  const SECONDS = 1_790_000_000;

  /** What `get` prints of one answer, and what it says beside it. */
  async function printed(
    answer: unknown,
    written: WrittenDialect,
    request: Partial<GetRequest>,
  ): Promise<{ readonly out: string; readonly err: readonly string[] }> {
    const { client } = fakeService(() => json(answer), { dialect: resolveDialect(written) });
    const err: string[] = [];
    let out = '';
    const io = {
      source: client,
      out: (text: string) => void (out += text),
      err: (text: string) => void err.push(text),
    };
    await printRows({ resource: 'devices', filters: [], output: 'table', ...request }, io);
    return { out, err };
  }

  it.each([
    [{ certificates: [{ type: 'ssl', certificate: DER }] }, {}],
    [{ certificates: [{ type: 'ssl', certificate: selfSigned.cert }] }, {}],
    [{ certificates: [DER] }, { certificateField: '', certificateTypeField: '' }],
    [
      { certificates: [{ certificate: DER }] },
      { certificateNotBeforeField: '', certificateNotAfterField: '' },
    ],
  ] as const)('shows the dates that a certificate holds itself: %#', async (answer, written) => {
    const request = { resource: 'certificates', id: 'd-1' };
    const { out } = await printed(answer, written, request);
    expect(out).toMatch(/2026-11-20T21:22:09Z +2126-10-27T21:22:09Z/);
    const { out: csv } = await printed(answer, written, { ...request, output: 'csv' });
    expect(csv).toContain('2026-11-20T21:22:09Z,2126-10-27T21:22:09Z');
  });

  it('shows dates in numbers as dates, wherever it prints one', async () => {
    const dialect = { dateForm: 'seconds' } as const;
    const device = { id: 'd-1', lastSeen: SECONDS, compliance: { passwordExpiry: SECONDS } };
    const list = { devices: [device], total: 1 };
    const table = { columns: ['lastSeen', 'passwordExpires'] };
    const date = '2026-09-21T14:13:20Z';
    expect((await printed(list, dialect, table)).out).toContain(`${date}  ${date}`);
    expect((await printed(list, dialect, { output: 'csv' })).out).toContain(date);
    expect((await printed(list, dialect, { countBy: ['lastSeen'] })).out).toContain(date);
    const one = await printed(device, dialect, { resource: 'device', id: 'd-1' });
    expect(one.out).toMatch(new RegExp(`lastSeen +${date}`));
    const passwords = { passwords: [{ userName: 'root', lastChanged: String(SECONDS) }] };
    const request = { resource: 'passwords', id: 'd-1' };
    expect((await printed(passwords, dialect, request)).out).toContain(date);
    expect(JSON.parse((await printed(list, dialect, { output: 'json' })).out)).toMatchObject({
      items: [device],
    });
  });

  it.each([
    [
      { devices: [{ id: 'd-1', lastSeen: SECONDS }], total: 1 },
      { output: 'json' },
      /^warning: lastSeen of \/v1\/devices: 1 of 1, such as 1790000000\. .* set dateForm under/,
    ],
    [
      { devices: [{ id: 'd-1', sites: 'HQ' }], total: 1 },
      {},
      /^warning: sites of \/v1\/devices: 1 of 1, such as "HQ"\. .* set deviceSitesField or/,
    ],
    [
      { passwords: [{ lastChanged: '11/20/2026' }] },
      { resource: 'passwords', id: 'd-1' },
      /^warning: passwords\[\]\.lastChanged of .* such as "11\/20\/2026"\. .* set passwordEntryChangedField or dateForm/,
    ],
    [
      { targetFirmware: [{ version: '1', path: '1 > 2' }] },
      { resource: 'target-firmware', id: 'd-1' },
      /^warning: targetFirmware\[\]\.path of .* set targetFirmwarePathField under/,
    ],
  ] as const)('says what no command can read, with the key: %j', async (answer, request, said) => {
    expect((await printed(answer, {}, request)).err).toEqual([expect.stringMatching(said)]);
  });

  it('says nothing of fields that it does not print', async () => {
    const list = { devices: [{ id: 'd-1', lastSeen: SECONDS }], total: 1 };
    expect((await printed(list, {}, {})).err).toEqual([]);
  });

  it.each([
    ['vulnerabilities', 'vulnerabilitiesListField'],
    ['target-firmware', 'targetFirmwareListField'],
  ])('names the key of a list that %s lacks', async (resource, key) => {
    await expect(printed({ items: [] }, {}, { resource, id: 'd-1' })).rejects.toMatchObject({
      code: 'unexpectedShape',
      params: { key, path: expect.stringContaining('/v1/devices/d-1/') as string },
    });
  });
});
