import { describe, expect, it } from 'vitest';
import { createFactReaders } from '../../../../src/api/decode/facts.ts';
import { isFault } from '../../../../src/api/decode/fault.ts';
import { resolveDialect, type WrittenDialect } from '../../../../src/model/fleet/dialect.ts';
import { reasonWords } from '../../../../src/render/words/reasons.ts';
import { selfSigned } from '../../../support/self-signed.ts';

const facts = createFactReaders(resolveDialect());
const at = (text: string) => Date.parse(text);

describe('target firmware', () => {
  it('is versions with the hops to them, themselves last', () => {
    const targetFirmware = [
      { version: '11.11.65', path: ['11.5.1', '11.11.65'] },
      { version: '12.0.1', path: ['11.11.65'] },
      { version: '11.9.1' },
      '11.8.2',
    ];
    expect(facts.targetFirmware({ targetFirmware, total: 4 })).toEqual([
      { version: '11.11.65', hops: ['11.5.1', '11.11.65'] },
      { version: '12.0.1', hops: ['11.11.65', '12.0.1'] },
      { version: '11.9.1', hops: ['11.9.1'] },
      { version: '11.8.2', hops: ['11.8.2'] },
    ]);
    expect(facts.targetFirmware(targetFirmware)).toHaveLength(4);
    expect(facts.targetFirmware({ targetFirmware: [] })).toEqual([]);
  });

  it.each([
    {},
    { targetFirmware: 'x' },
    { targetFirmware: [{}] },
    { targetFirmware: [7] },
    { targetFirmware: [''] },
    { targetFirmware: [{ version: '11.2', path: '11.1' }] },
    { targetFirmware: [{ version: '11.2', path: ['11.1', 7] }] },
    { targetFirmware: ['11.2'], total: '2' },
    { targetFirmware: ['11.2'], total: 'all' },
    null,
    1,
  ])('in %j is unreadable', (answer) => {
    expect(facts.targetFirmware(answer)).toSatisfy(isFault);
  });

  it('of which only a part came is unreadable', () => {
    expect(facts.targetFirmware({ targetFirmware: ['11.8.2'], total: 2 })).toSatisfy(isFault);
  });
});

describe('passwords', () => {
  const read = (...passwords: readonly unknown[]) => facts.passwords({ passwords });
  const root = {
    userName: 'root',
    lastChanged: '2026-01-01T00:00:00Z',
    expiry: '2026-07-01T00:00:00Z',
  };
  const service = {
    userName: 'svc',
    lastChanged: '2026-05-01T00:00:00Z',
    expiry: '2026-11-01T00:00:00Z',
  };
  const markerOf = (...rows: readonly unknown[]) => {
    const found = read(...rows);
    return 'marker' in found ? found.marker : found;
  };

  it('are as old as the one that changed last, and expire with it', () => {
    expect(read(root, service)).toMatchObject({
      changedAt: at('2026-05-01T00:00:00Z'),
      oldestChangeAt: at('2026-01-01T00:00:00Z'),
      expiresAt: at('2026-11-01T00:00:00Z'),
    });
  });

  it('have a marker that follows changes, not the order or what else is told', () => {
    expect(markerOf(root, service)).toBe(markerOf(service, root));
    expect(markerOf(root)).toBe(markerOf({ ...root, lastChecked: 'now' }));
    expect(markerOf(root)).not.toBe(markerOf({ ...root, lastChanged: '2026-01-02T00:00:00Z' }));
  });

  it('have a marker of all metadata where no time is told, but never of a value', () => {
    expect(markerOf({ user: 'a', n: 1 })).not.toBe(markerOf({ user: 'a', n: 2 }));
    expect(markerOf({ user: 'a', password: 'x' })).toBe(markerOf({ user: 'a', password: 'y' }));
  });

  it('that show nothing have a marker and no times', () => {
    expect(read()).toEqual({ marker: expect.any(String) });
    expect(read({ userName: 'root', lastChanged: null, expiry: '' })).toEqual({
      marker: expect.any(String),
    });
  });

  it('are unreadable in another shape', () => {
    expect(facts.passwords({})).toSatisfy(isFault);
    expect(read('x')).toSatisfy(isFault);
    expect(facts.passwords({ passwords: [], total: 'none' })).toSatisfy(isFault);
  });

  it.each([
    { lastChanged: 'yesterday' },
    { lastChanged: 1_792_897_445 },
    { expiry: {} },
    { expiry: '25.10.2026' },
  ])('of which one date is not understood are unreadable: %j', (fields) => {
    expect(read(service, { ...root, ...fields })).toSatisfy(isFault);
  });

  it('keep no value that should never have been sent', () => {
    expect(JSON.stringify(read({ ...root, password: 'hunter2', value: 'hunter2' }))).not.toContain(
      'hunter2',
    );
  });
});

describe('certificates', () => {
  const read = (...certificates: readonly unknown[]) => facts.certificates({ certificates });

  it('are read off the certificate itself', () => {
    expect(
      read({ type: 'ssl', certificate: selfSigned.cert, notAfter: '2000-01-01T00:00:00Z' }),
    ).toEqual({
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      notBefore: expect.any(Number),
      notAfter: expect.any(Number),
    });
  });

  it('that cannot be parsed are known by a digest and what is told of them', () => {
    const [notBefore, notAfter] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    const one = read({ type: 'SSL', certificate: 'opaque', notBefore, notAfter });
    expect(one).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      notBefore: at(notBefore),
      notAfter: at(notAfter),
    });
    expect(read({ type: 'ssl', certificate: 'other', notBefore, notAfter })).not.toEqual(one);
    expect(read({ type: 'ssl', notAfter })).toMatchObject({ notAfter: at(notAfter) });
  });

  it.each([
    { certificate: 'opaque' },
    { certificate: 'opaque', notBefore: '2027-01-01T00:00:00Z' },
    { certificate: 7 },
    { notAfter: 'soon' },
    { notBefore: '2027-01-01T00:00:00Z', notAfter: '2026-01-01T00:00:00Z' },
    { notBefore: 1_792_897_445, notAfter: '2027-01-01T00:00:00Z' },
  ])('of which a date is not understood are unreadable: %j', (fields) => {
    expect(read({ type: 'ssl', ...fields })).toSatisfy(isFault);
  });

  it('count by the youngest of their type', () => {
    const notAfter = '2027-01-01T00:00:00Z';
    const old = { type: 'ssl', certificate: 'a', notBefore: '2025-01-01T00:00:00Z', notAfter };
    const young = { type: 'ssl', certificate: 'b', notBefore: '2026-01-01T00:00:00Z', notAfter };
    const other = { type: '802.1x', certificate: 'c', notBefore: '2027-01-01T00:00:00Z' };
    expect(read(old, young, other)).toEqual(read(young));
  });

  it('are none where none is of the type, unreadable where a type is missing', () => {
    expect(read()).toBe('none');
    expect(read({ type: '802.1x', certificate: 'c' })).toBe('none');
    expect(read({ certificate: 'c' })).toSatisfy(isFault);
    expect(facts.certificates({ certificates: [], total: 2 })).toSatisfy(isFault);
    expect(facts.certificates('x')).toSatisfy(isFault);
  });
});

describe('a firmware path', () => {
  it('leads from a version to another', () => {
    const row = { vendor: 'Axis', model: 'P3265', from: '10.1', to: '11.2', path: ['10.9'] };
    expect(facts.firmwarePaths(row)).toEqual([{ ...row, path: ['10.9', '11.2'] }]);
  });

  it('that cannot be read names the key of the field', () => {
    const row = { vendor: 'Axis', model: 'P3265', from: '10.1', to: '11.2', path: ['10.9'] };
    expect(facts.firmwarePaths({ ...row, vendor: {} })).toMatchObject({
      keys: ['firmwarePathVendorField'],
    });
    expect(facts.firmwarePaths({ ...row, model: 7 })).toMatchObject({
      keys: ['firmwarePathModelField'],
    });
    expect(facts.firmwarePaths({ ...row, from: '' })).toMatchObject({
      keys: ['firmwarePathFromField'],
    });
    expect(facts.firmwarePaths({ ...row, to: 7 })).toMatchObject({ keys: ['firmwarePathToField'] });
    expect(facts.firmwarePaths({ ...row, path: [7] })).toMatchObject({
      keys: ['firmwarePathHopsField'],
    });
    expect(facts.firmwarePaths({ ...row, path: '10.9' })).toMatchObject({
      keys: ['firmwarePathHopsField'],
    });
  });
});

describe('an answer that cannot be read names the place, and the keys to set', () => {
  const password = { userName: 'root', lastChanged: '2026-01-01T00:00:00Z' };
  const certificate = { type: 'ssl', certificate: 'c', notAfter: '2027-01-01T00:00:00Z' };
  it.each([
    ['passwords', { passwords: 'x' }, 'passwords', []],
    ['passwords', [7], 'passwords', []],
    [
      'passwords',
      [{ ...password, lastChanged: 1_790_000_000 }],
      'passwords[].lastChanged',
      ['passwordEntryChangedField', 'dateForm'],
    ],
    [
      'passwords',
      [password, { ...password, expiry: 'soon' }],
      'passwords[].expiry',
      ['passwordEntryExpiryField', 'dateForm'],
    ],
    ['certificates', { certificates: [certificate], total: 2 }, 'total', []],
    [
      'certificates',
      [certificate, { ...certificate, type: 7 }],
      'certificates[].type',
      ['certificateTypeField'],
    ],
    [
      'certificates',
      [{ ...certificate, certificate: { pem: 'c' } }],
      'certificates[].certificate',
      ['certificateField'],
    ],
    [
      'certificates',
      [{ ...certificate, notAfter: undefined }],
      'certificates[].certificate',
      ['certificateField', 'certificateNotAfterField'],
    ],
    [
      'certificates',
      [{ ...certificate, notBefore: 'soon' }],
      'certificates[].notBefore',
      ['certificateNotBeforeField', 'dateForm'],
    ],
    [
      'certificates',
      [{ ...certificate, notBefore: '2027-01-02T00:00:00Z' }],
      'certificates[].notAfter',
      ['certificateNotAfterField', 'certificateNotBeforeField'],
    ],
    [
      'targetFirmware',
      { versions: ['1'] },
      'targetFirmware',
      ['targetFirmwareListField', 'targetFirmwareForm'],
    ],
    ['targetFirmware', [{}], 'targetFirmware[].version', ['targetFirmwareVersionField']],
    [
      'targetFirmware',
      [{ version: '1', path: '1' }],
      'targetFirmware[].path',
      ['targetFirmwarePathField'],
    ],
  ] as const)('%s of %j', (read, answer, place, keys) => {
    expect(facts[read](answer)).toMatchObject({ at: place, keys });
  });
});

describe('where the dialect says so', () => {
  const of = (written: WrittenDialect) => createFactReaders(resolveDialect(written));
  const entry = { userName: 'root', group: 'admins' };

  it('passwords have no marker, as no date of them moves with a rotation', () => {
    const dateless = of({ passwordEntryChangedField: '', passwordEntryExpiryField: '' });
    expect(dateless.passwords({ passwords: [entry] })).toEqual({ marker: '' });
    const expiring = of({ passwordEntryChangedField: '' });
    const rows = ['2027-01-02', '2027-01-01'].map((expiry) => ({ ...entry, expiry }));
    expect(expiring.passwords({ passwords: rows })).toMatchObject({
      expiresAt: at('2027-01-01T00:00:00Z'),
      marker: expect.stringMatching(/./) as string,
    });
  });

  it('one certificate without a type is the SSL certificate, and of several none is', () => {
    const { certificates } = of({ certificateTypeField: '' });
    const row = { certificate: 'c', notAfter: '2027-01-01T00:00:00Z' };
    expect(certificates({ certificates: [row] })).toMatchObject({
      notAfter: at('2027-01-01T00:00:00Z'),
    });
    expect(certificates({ certificates: [row, row] })).toSatisfy(isFault);
    expect(certificates({ certificates: [] })).toBe('none');
  });

  it('of several certificates without a type neither dates nor order choose one (semantics D9)', () => {
    const rows = ['2027-01-01', '2028-01-01', '2036-01-01'].map((day) => ({
      certificate: day,
      notBefore: '2026-01-01T00:00:00Z',
      notAfter: `${day}T00:00:00Z`,
    }));
    for (const written of [{}, { certificateTypeField: '' }])
      for (const certificates of [rows, [...rows].reverse(), rows.slice(1)])
        expect(of(written).certificates({ certificates })).toSatisfy(isFault);
    const params = { field: 'certificates', problem: 'unreadable' };
    const { next } = reasonWords({ code: 'unsupported', why: 'valueUnknown', params });
    expect(next).toMatch(/set certificateTypeField or .* under `service\.dialect`/);
    const typed = rows.map((row, index) => ({ ...row, usage: index === 1 ? 'ssl' : 'ca' }));
    expect(
      of({ certificateTypeField: 'usage' }).certificates({ certificates: typed }),
    ).toMatchObject({ notAfter: at('2028-01-01T00:00:00Z') });
  });

  it('a path leads from a version of each of its models', () => {
    const { firmwarePaths } = of({ firmwarePathModelField: 'models' });
    const row = { vendor: 'Axis', from: '1', to: '2' };
    const models = ['A', 'B'];
    expect(firmwarePaths({ ...row, models })).toMatchObject(models.map((model) => ({ model })));
    expect(firmwarePaths({ ...row, models: [] })).toEqual([]);
    expect(firmwarePaths({ ...row, models: [7] })).toMatchObject({
      keys: ['firmwarePathModelField'],
    });
  });
});
