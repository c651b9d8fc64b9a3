import { describe, expect, test } from 'vitest';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { Budget } from '../../../../src/model/documents/budget.ts';
import { aDevice, anOpenIntent } from '../../../support/plan-fleet.ts';
import { ask, bookOf, sick, taken } from '../../../support/rollout-book.ts';

const devices = (count: number, fields: Partial<Device> = {}): Device[] =>
  Array.from({ length: count }, (_, n) => aDevice(`dev-${n}`, fields));
const one = (per: Budget['per']): Budget => ({ per, maxUnavailable: { count: 1 }, ...sick() });
const DOOR = { is: 'devices', devices: ['dev-0', 'dev-1'], redundancy: true } as const;

describe('B15 who may be a member', () => {
  const lost = (fields: Partial<Device>, ...unreadable: string[]): Device =>
    aDevice('lost', { ...fields, unreadable });
  const down = { status: 'offline' };

  test.each([
    ['site', lost({ ...down, sites: [] }, 'sites'), { sites: [{ id: 's7' }] }],
    ['deviceSource', lost({ ...down, sources: [] }, 'sources'), { sources: [{ id: 'csv' }] }],
    ['storageServer', lost(down, 'storageServer'), { storageServer: 'recorder-1' }],
  ] as const)('of a set per %s counts in each of them where it is down', (per, stranger, place) => {
    const budgets = { one: one(per) };
    const [first, second] = devices(2, place);
    if (!first || !second) throw new Error('two devices');
    expect(taken({ devices: [first, second], budgets })).toEqual(['dev-0']);
    expect(taken({ devices: [first, second, stranger], budgets })).not.toContain('dev-0');
  });

  test('counts in each of them where we work on it', () => {
    const stranger = lost({ sites: [] }, 'sites');
    const intents = [anOpenIntent('lost')];
    const budgets = { turns: { per: 'site', maxInFlight: 1, ...sick() } } as const;
    expect(taken({ devices: [...devices(2), stranger], budgets })).toContain('dev-0');
    expect(taken({ devices: [...devices(2), stranger], budgets, intents })).toEqual([]);
  });

  test('holds nobody while it is up, and makes no set larger', () => {
    const half = { ...one('site'), maxUnavailable: { percent: 50 } };
    const strangers = devices(9, { sites: [], unreadable: ['sites'] }).map((device, n) => ({
      ...device,
      id: `lost-${n}`,
    }));
    const here = [aDevice('a'), aDevice('b'), aDevice('c'), aDevice('d')];
    const given = taken({ devices: [...here, ...strangers], budgets: { half } });
    expect(given.filter((id) => !id.startsWith('lost'))).toEqual(['a', 'b']);
  });

  test('of what a budget selects makes it no larger', () => {
    const half: Budget = { ...one('fleet'), maxUnavailable: { percent: 50 }, select: {} };
    const members = () => (row: number) => (row < 4 ? true : ('maybe' as const));
    const given = taken({ devices: devices(9), budgets: { half }, members });
    expect(given).toEqual(['dev-0', 'dev-1']);
  });

  test('of a group with redundancy counts in it where it is down', () => {
    const doors = { is: 'select', select: { device: ['dev-*'] }, redundancy: true } as const;
    const fleet = [...devices(2), lost(down, 'name')];
    const members = () => (row: number) => (row < 2 ? true : ('maybe' as const));
    const book = bookOf({ devices: fleet, groups: { doors }, members });
    expect(ask(book, 'dev-0')).toMatchObject({ budget: 'groups.doors' });
  });
});

describe('groups with redundancy', () => {
  test('B2 two members are never down at once, nor in one batch', () => {
    const book = bookOf({ devices: devices(3), groups: { 'door-12': DOOR } });
    expect(ask(book, 'dev-0')).toBeUndefined();
    const full = { budget: 'groups.door-12', scope: 'redundancyGroup' };
    expect(ask(book, 'dev-1')).toMatchObject(full);
    expect(ask(book, 'dev-2')).toBeUndefined();
  });

  test('B2 no two members are acted on at once, though both are down already', () => {
    const dead = devices(2, { status: 'offline' });
    const book = bookOf({ devices: dead, groups: { door: DOOR } });
    expect(ask(book, 'dev-0', 'restartDevice')).toBeUndefined();
    expect(ask(book, 'dev-1', 'restartDevice')?.budget).toBe('groups.door');
  });

  test('B2 an intent that is open on one member keeps the other up', () => {
    const intents = [anOpenIntent('dev-0')];
    expect(taken({ devices: devices(2), groups: { door: DOOR }, intents })).not.toContain('dev-1');
  });

  test('B4 a dead peer blocks the last one', () => {
    const fleet = [aDevice('dev-0', { status: 'offline' }), aDevice('dev-1')];
    expect(ask(bookOf({ devices: fleet, groups: { door: DOOR } }), 'dev-1')).toMatchObject({
      budget: 'groups.door',
      scope: 'redundancyGroup',
    });
  });

  test('no entry of the documents loosens it', () => {
    const loose: Budget = { per: 'redundancyGroup', maxUnavailable: { count: 2 }, ...sick() };
    const budgets = { loose, 'groups.door': loose };
    expect(taken({ devices: devices(2), groups: { door: DOOR }, budgets })).toEqual(['dev-0']);
  });

  test('a budget per redundancy group counts each of them, and no other group', () => {
    const plain = { is: 'devices', devices: ['dev-2', 'dev-3'] } as const;
    const groups = { door: DOOR, plain };
    const budgets = { none: { ...one('redundancyGroup'), maxUnavailable: { count: 0 } } };
    expect(taken({ devices: devices(4), groups, budgets })).toEqual(['dev-2', 'dev-3']);
  });

  test('members by rule are members too, and a device may be in several groups', () => {
    const rule = {
      is: 'select',
      select: { device: ['dev-1', 'dev-2'] },
      redundancy: true,
    } as const;
    expect(taken({ devices: devices(3), groups: { door: DOOR, rule } })).toEqual([
      'dev-0',
      'dev-2',
    ]);
  });
});

describe('sources and storage servers', () => {
  test('each source of devices is a set; a device of two sources is in both', () => {
    const [vms, other] = [{ id: 'vms' }, { id: 'other' }];
    const fleet = [
      aDevice('dev-0', { sources: [vms, other] }),
      aDevice('dev-1', { sources: [vms] }),
      aDevice('dev-2', { sources: [other] }),
      aDevice('dev-3'),
    ];
    const budgets = { sources: one('deviceSource') };
    expect(taken({ devices: fleet, budgets })).toEqual(['dev-0', 'dev-3']);
    const book = bookOf({ devices: fleet, budgets });
    ask(book, 'dev-0');
    expect(ask(book, 'dev-1')).toMatchObject({ budget: 'sources', scope: 'deviceSource' });
  });

  test('five at a time behind one storage server, built in', () => {
    const fleet = [...devices(7, { storageServer: 'nvr-1' }), aDevice('x', { storageServer: 'b' })];
    expect(taken({ devices: fleet })).toHaveLength(6);
    const book = bookOf({ devices: fleet });
    for (let n = 0; n < 5; n++) ask(book, `dev-${n}`);
    const full = { budget: 'default-storage-server', scope: 'storageServer' };
    expect(ask(book, 'dev-5')).toMatchObject(full);
  });

  test('a device without a storage server is in no set of one', () => {
    expect(taken({ devices: devices(9) })).toHaveLength(9);
  });

  test('dead devices do not count in flight', () => {
    const fleet = devices(7, { storageServer: 'nvr-1', status: 'offline' });
    expect(taken({ devices: fleet })).toHaveLength(5);
  });

  test('an entry of the same name replaces the built-in one', () => {
    const two: Budget = { per: 'storageServer', maxInFlight: 2, ...sick() };
    const fleet = devices(7, { storageServer: 'nvr-1' });
    const budgets = { 'default-storage-server': two };
    expect(taken({ devices: fleet, budgets })).toHaveLength(2);
  });
});
