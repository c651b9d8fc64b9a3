import { describe, expect, it } from 'vitest';
import { createFirmware } from '../../../../src/twin/world/firmware.ts';
import type { ProductLine } from '../../../../src/twin/world/state.ts';

const flaw = (cveId: string, severity: 'high' | 'low', fixedIn: string) => {
  return { cveId, severity, fixedIn, description: 'd', reportDate: '2026-01-01' };
};

const LINE: ProductLine = {
  vendor: 'Axis',
  models: ['M1', 'M2'],
  releases: ['9', '10', '11', '12', '13'],
  approved: ['11', '12'],
  waypoints: ['10'],
  lifeCycle: 'current_product',
  flaws: [flaw('CVE-1', 'low', '12'), flaw('CVE-2', 'high', '10')],
};

const firmware = createFirmware([LINE]);

describe('what a firmware version means', () => {
  it('has a target for every newer approved version, by way of the waypoints between', () => {
    expect(firmware.facts('Axis', 'M1', '9').targets).toEqual([
      { version: '11', path: ['10', '11'] },
      { version: '12', path: ['10', '12'] },
    ]);
    expect(firmware.facts('Axis', 'M1', '11').targets).toEqual([{ version: '12', path: ['12'] }]);
  });

  it.each([
    ['9', false],
    ['12', true],
    ['13', true],
  ])('%s is the latest supported: %s', (version, isLatest) => {
    expect(firmware.facts('Axis', 'M1', version).isLatest).toBe(isLatest);
  });

  it('is vulnerable until every flaw is fixed, and names the worst and the remedy', () => {
    expect(firmware.facts('Axis', 'M1', '9')).toMatchObject({ worst: 'high', patched: '12' });
    expect(firmware.facts('Axis', 'M1', '10')).toMatchObject({ worst: 'low', patched: '12' });
    expect(firmware.facts('Axis', 'M1', '12')).toMatchObject({ worst: undefined, flaws: [] });
    expect(firmware.facts('Axis', 'M1', '12').patched).toBeUndefined();
  });

  it('knows nothing of a model without a product line', () => {
    expect(firmware.facts('Axis', 'other', '9')).toMatchObject({ targets: [], flaws: [] });
  });

  it('says the same in the list of all paths where targets are given', () => {
    const targets = [{ from: '9', paths: [['10', '12']] }];
    const given = createFirmware([{ ...LINE, models: ['M1'], waypoints: [], targets }]);
    const paths = given.paths().filter(({ from }) => from === '9');
    expect(paths.map(({ to, path }) => ({ version: to, path }))).toEqual(
      given.facts('Axis', 'M1', '9').targets,
    );
  });

  it('lists every path of every model', () => {
    const paths = firmware.paths();
    expect(paths).toContainEqual({
      vendor: 'Axis',
      model: 'M2',
      from: '9',
      to: '12',
      path: ['10', '12'],
    });
    expect(paths).toHaveLength(2 * (2 + 2 + 1));
  });
});
