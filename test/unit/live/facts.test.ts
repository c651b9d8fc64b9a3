import { expect, test } from 'vitest';
import { readFleetFacts, withFacts } from '../../../src/live/facts.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { WorldError, type WorldCode } from '../../../src/model/error.ts';
import { toNeed } from '../../../src/model/fleet/need.ts';
import type { FirmwarePath, Service } from '../../../src/model/ports.ts';
import type { Need } from '../../../src/model/fleet/snapshot.ts';
import { NOW, aDevice, aSnapshot } from '../../support/plan-fleet.ts';
import { listing } from '../../support/plan-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { createVirtualClock as createSleepersClock } from '../../../src/rehearse/virtual-clock.ts';
import { fakeService, json } from '../../support/api-service.ts';

const DIALECT = resolveDialect();
const need = (read: Need['read'], id: string, version = '11.8.61') =>
  toNeed(read, aDevice(id, { firmwareVersion: version }), DIALECT);
const APPROVED = [{ version: '12.1.4', hops: ['12.1.4'] }];

function read(needs: readonly Need[], service: Partial<Service>) {
  const clock = createVirtualClock(NOW);
  return readFleetFacts({ service: { ...listing([]), ...service }, needs, clock });
}

test('devices of one vendor, model and version share one read', async () => {
  const asked: string[] = [];
  const targetFirmware = async (id: string) => (asked.push(id), APPROVED);
  const needs = [need('targetFirmware', 'a'), need('targetFirmware', 'b')];
  const facts = await read(needs, { targetFirmware });
  expect(asked).toEqual(['a']);
  expect([facts('a'), facts('b')]).toEqual([
    { targetFirmware: APPROVED },
    { targetFirmware: APPROVED },
  ]);
});

test('a failed read speaks for its own device: another one of its kind is asked', async () => {
  const asked: string[] = [];
  const targetFirmware = async (id: string) => {
    asked.push(id);
    return id === 'a' ? ('unreadable' as const) : APPROVED;
  };
  const needs = ['a', 'b', 'c'].map((id) => need('targetFirmware', id));
  const facts = await read(needs, { targetFirmware });
  expect(asked).toEqual(['a', 'b']);
  expect(facts('a')).toEqual({ targetFirmware: 'unreadable' });
  expect([facts('b'), facts('c')]).toEqual([
    { targetFirmware: APPROVED },
    { targetFirmware: APPROVED },
  ]);
});

test('three of a kind are asked at the most, and a device that is named twice once', async () => {
  const asked: string[] = [];
  const targetFirmware = async (id: string) => {
    asked.push(id);
    throw new WorldError('unexpectedStatus', { status: 500 }, { retry: 'safe' });
  };
  const needs = ['a', 'a', 'b', 'c', 'd'].map((id) => need('targetFirmware', id));
  const facts = await read(needs, { targetFirmware });
  expect(asked).toHaveLength(3);
  for (const id of ['a', 'b', 'c', 'd']) {
    const sampled = asked.includes(id) ? {} : { sampled: { requests: 3, devices: 4 } };
    expect(facts(id)).toEqual({ targetFirmware: 'failed', ...sampled });
  }
});

test('on other days other devices are asked after the first, so that each has its turn', async () => {
  const asked = new Set<string>();
  const ids = [...'abcdefghij'];
  for (let day = 0; day < 9; day += 1) {
    const today: string[] = [];
    const targetFirmware = async (id: string) => (today.push(id), 'unreadable' as const);
    const clock = createVirtualClock(NOW + day * 86_400_000);
    const needs = ids.map((id) => need('targetFirmware', id));
    await readFleetFacts({ service: { ...listing([]), targetFirmware }, needs, clock });
    expect([today[0], new Set(today).size]).toEqual(['a', 3]);
    for (const id of today) asked.add(id);
  }
  expect([...asked].toSorted()).toEqual(ids);
});

test('where the dialect says so each device has its own', async () => {
  const dialect = resolveDialect({ targetFirmwareScope: 'device' });
  const asked: string[] = [];
  const targetFirmware = async (id: string) => (asked.push(id), APPROVED);
  await read(
    ['a', 'b'].map((id) => toNeed('targetFirmware', aDevice(id), dialect)),
    { targetFirmware },
  );
  expect(asked).toEqual(['a', 'b']);
});

test('what is read for one device comes together, nothing for any other', async () => {
  const passwords = async () => ({ marker: 'm' });
  const certificates = async () => 'none' as const;
  const facts = await read([need('passwords', 'a'), need('certificates', 'a')], {
    passwords,
    certificates,
  });
  expect(facts('a')).toEqual({ passwords: { marker: 'm' }, certificates: 'none' });
  expect(facts('b')).toEqual({});
});

const PROBLEMS: readonly [WorldCode, string][] = [
  ['forbidden', 'forbidden'],
  ['notFound', 'notFound'],
  ['notJson', 'unreadable'],
  ['unexpectedShape', 'unreadable'],
  ['unexpectedStatus', 'unreadable'],
  ['tooLarge', 'unreadable'],
];

test.each(PROBLEMS)('an answer that is %s is a value: %s', async (code, problem) => {
  const passwords = async () => Promise.reject(new WorldError(code));
  const facts = await read([need('passwords', 'a')], { passwords });
  expect(facts('a')).toEqual({ passwords: problem });
});

test.each<WorldCode>(['unreachable', 'credentialsRefused', 'tlsFailed'])(
  'a service that is %s ends the reading',
  async (code) => {
    const passwords = async () => Promise.reject(new WorldError(code));
    await expect(read([need('passwords', 'a')], { passwords })).rejects.toMatchObject({ code });
  },
);

const path = (from: string, to: string, hops: readonly string[]): FirmwarePath => ({
  vendor: 'Axis',
  model: 'P3265-V',
  from,
  to,
  path: hops,
});
const THREE = ['1.0', '2.0', '3.0'].map((version) =>
  need('targetFirmware', `d${version}`, version),
);

test('many firmware reads are one list of all paths, for whom may read it', async () => {
  const firmwarePaths = async () => [
    path('1.0', '3.0', ['2.0', '3.0']),
    path('1.0', '2.0', []),
    path('2.0', '3.0', ['3.0']),
    path('9.9', '3.0', ['3.0']),
  ];
  const asked: string[] = [];
  const targetFirmware = async (id: string) => (asked.push(id), []);
  const facts = await read(THREE, { firmwarePaths, targetFirmware });
  expect(facts('d1.0').targetFirmware).toEqual([
    { version: '3.0', hops: ['2.0', '3.0'] },
    { version: '2.0', hops: ['2.0'] },
  ]);
  expect(facts('d2.0').targetFirmware).toEqual([{ version: '3.0', hops: ['3.0'] }]);
  expect(asked).toEqual(['d3.0']);
});

test('whoever may not read all paths reads each', async () => {
  const targetFirmware = async () => APPROVED;
  const facts = await read(THREE, { firmwarePaths: async () => 'forbidden', targetFirmware });
  expect(facts('d2.0').targetFirmware).toEqual(APPROVED);
});

test('facts go into a snapshot beside everything else', () => {
  const snapshot = aSnapshot([aDevice('a')]);
  const facts = () => ({ passwords: { marker: 'm' } });
  expect(withFacts(snapshot, facts)).toEqual({ ...snapshot, facts });
});

test('progress ends with everything done', async () => {
  const told: unknown[] = [];
  const passwords = async () => ({ marker: 'm' });
  const clock = createVirtualClock(NOW);
  const service = { ...listing([]), passwords };
  const needs = ['a', 'b', 'c'].map((id) => need('passwords', id));
  await readFleetFacts({
    service,
    needs,
    clock,
    onProgress: (progress) => void told.push(progress),
  });
  expect(told).toEqual([
    { type: 'phase', name: 'details', done: 0, total: 3 },
    { type: 'phase', name: 'details', done: 3, total: 3 },
  ]);
});

const HELPLESS: readonly WorldCode[] = [
  'unexpectedShape',
  'unexpectedStatus',
  'listTorn',
  'notJson',
];

test.each(HELPLESS)('a list of paths that ends in %s is left alone, said once', async (code) => {
  const service = {
    ...listing([]),
    firmwarePaths: async () => {
      asked.push('paths');
      throw new WorldError(code, { path: '/v1/firmwarePaths' });
    },
    targetFirmware: async () => APPROVED,
  };
  const asked: string[] = [];
  const told: unknown[] = [];
  const needs = ['1', '2', '3'].map((version) => need('targetFirmware', version, version));
  const clock = createVirtualClock(NOW);
  for (const onProgress of [(event: unknown) => void told.push(event), () => undefined]) {
    const facts = await readFleetFacts({ service, needs, clock, onProgress });
    expect(facts('3')).toEqual({ targetFirmware: APPROVED });
  }
  expect(asked).toEqual(['paths']);
  expect(told).toContainEqual({
    type: 'warning',
    code: 'pathsUnread',
    parameters: { code, params: { path: '/v1/firmwarePaths' } },
  });
});

test('refused credentials are refused for every read', async () => {
  const firmwarePaths = async () => Promise.reject(new WorldError('credentialsRefused'));
  const needs = ['1', '2', '3'].map((version) => need('targetFirmware', version, version));
  await expect(read(needs, { firmwarePaths })).rejects.toMatchObject({
    code: 'credentialsRefused',
  });
});

test('a read that a signal ended says nothing of its device: the reading ends', async () => {
  const asked: string[] = [];
  const passwords = async (id: string) => {
    asked.push(id);
    throw new WorldError('cut', { cause: 'cancelled' }, { retry: 'safe' });
  };
  const needs = Array.from({ length: 100 }, (_, nth) => need('passwords', `d-${nth}`));
  await expect(read(needs, { passwords })).rejects.toMatchObject({
    params: { cause: 'cancelled' },
  });
  expect(asked.length).toBeLessThan(10);
});

test('a service that answers late is read at its pace: no read waits for the answer before it', async () => {
  const clock = createSleepersClock(NOW);
  const { client: service } = fakeService(
    async () => {
      await clock.sleep(50);
      return json({ passwords: [] });
    },
    { clock, pace: { requestsPerSecond: 100, tokenRequestsPerMinute: 5 } },
  );
  const needs = Array.from({ length: 400 }, (_, nth) => need('passwords', `d-${nth}`));
  const facts = await clock.run(readFleetFacts({ service, needs, clock }));
  expect(clock.monotonic()).toBeLessThan(4_500);
  expect(facts('d-399').passwords).toBeDefined();
});
