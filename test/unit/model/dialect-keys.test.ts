import { describe, expect, it } from 'vitest';
import { createDecoders } from '../../../src/api/decode/decode.ts';
import { DIALECT_ROWS } from '../../../src/dialect.gen.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { findDialectKeys } from '../../../src/model/fleet/dialect-keys.ts';
import { reasonWords } from '../../../src/render/words/reasons.ts';

const READS = ['targetFirmware', 'passwords', 'certificates'] as const;

/** What the interface page itself names; no dialect moves it. */
const FIXED = [
  'available',
  'deviceType',
  'firmwareVersion',
  'maintenanceMode',
  'model',
  'name',
  'onboardingStatus',
  'probe',
  'status',
  'vendor',
];

/** A row whose every field is of a type that nobody expects. */
function wrong(list: 'devices' | 'discoveredDevices'): readonly string[] {
  const odd = [{ odd: true }];
  const dialect = resolveDialect({
    onboardSecondField: 'sourceId',
    passwordLastChangedField: 'changed',
  });
  const row: Record<string, unknown> = { id: 'one' };
  const put = (path: string): void => {
    const [top = '', ...below] = path.split('.');
    row[top] = below.length === 0 ? odd : 'no object';
  };
  for (const { key, type, default: path } of DIALECT_ROWS)
    if (type === 'field' && key !== 'discoveredIdField' && typeof path === 'string') put(path);
  for (const path of ['changed', ...FIXED, 'lastSeen']) put(path);
  row['id'] = 'one';
  const fail = (name: string): never => {
    throw new Error(name);
  };
  return createDecoders(dialect)[list](row, fail).unreadable ?? [];
}

describe('the keys of a reading', () => {
  it.each(READS)('name every field of the read of %s (semantics D9)', (read) => {
    const keys = DIALECT_ROWS.filter(
      ({ concerns, type, key }) =>
        concerns === `GET /v1/devices/{id}/${read}` &&
        type === 'field' &&
        key !== 'passwordEntryUserField',
    ).map(({ key }) => key);
    const named = findDialectKeys(read)?.split(' or ') ?? [];
    expect(keys.filter((key) => !named.includes(key))).toEqual([]);
  });

  it.each(['devices', 'discoveredDevices'] as const)(
    'are there for every field of a row of %s that the dialect can move',
    (list) => {
      const fields = wrong(list);
      expect(fields.length).toBeGreaterThan(8);
      const unnamed = fields.filter((field) => findDialectKeys(field, list) === undefined);
      expect(unnamed.filter((field) => !FIXED.includes(field.split('.')[0] ?? ''))).toEqual([]);
    },
  );

  it('are dialect keys, each of them', () => {
    const known = new Set<string>(DIALECT_ROWS.map(({ key }) => key));
    const named = [...READS, ...wrong('devices')].flatMap(
      (reading) => findDialectKeys(reading)?.split(' or ') ?? [],
    );
    expect(named.filter((key) => !known.has(key))).toEqual([]);
  });

  it('stand in the reason of a device whose read was not understood, and in no other', () => {
    const next = (params: Readonly<Record<string, string>>): string =>
      reasonWords({ code: 'unsupported', why: 'valueUnknown', params }).next;
    expect(next({ field: 'certificates', problem: 'unreadable' })).toContain(
      'certificateTypeField',
    );
    expect(next({ field: 'certificates', problem: 'forbidden' })).toContain('permissions');
    expect(next({ field: 'status', problem: 'unreadable' })).not.toContain('service.dialect');
  });
});
