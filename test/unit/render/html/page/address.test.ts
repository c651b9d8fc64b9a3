import { describe, expect, it } from 'vitest';
import {
  readFragment,
  toFragment,
  type Shared,
} from '../../../../../src/render/html/page/address.ts';
import { fleetTable } from '../../../../../src/render/html/pages.ts';
import { variedReport } from '../../../../support/fleet-report.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { change } from '../../../../support/render-plan.ts';
import { readChanges, readTable } from '../../../../support/table-rows.ts';

const names = hostileNames(300).map((name) => `site ${name}`);
const rows = readChanges(names.map((site, n) => change({ id: `dev-${n}`, site })));
const NOTHING: Shared = { text: '', values: {}, sorting: undefined };

describe('the address of a view', () => {
  it('is empty for everything, and any other fragment shows everything', () => {
    expect(toFragment(rows, NOTHING)).toBe('');
    for (const fragment of ['', '#', '#all', '#view', 'view?state=now', '#View?state=now'])
      expect(readFragment(rows, fragment)).toEqual(NOTHING);
  });

  it('gives back every search, label, order and change, whatever is in it', () => {
    for (const site of rows.column('site').texts.filter((text) => !FORBIDDEN.test(text))) {
      const shared: Shared = {
        text: '50% & <more> #1',
        values: { state: 'now', site },
        sorting: { by: 'when', descending: true },
        open: 'upgradeFirmware/dev 7/&=',
      };
      const fragment = toFragment(rows, shared);
      expect(fragment).toMatch(/^#view\?[\w\-.*+%=&]+$/);
      expect(readFragment(rows, fragment)).toEqual(shared);
    }
  });

  it('forgets what is not there: labels, columns, names of objects', () => {
    for (const said of [
      'state=walk',
      'site=__proto__',
      'sort=constructor',
      'sort=-',
      '__proto__=1',
      '%',
      '&&=&',
    ])
      expect(readFragment(rows, `#view?${said}`)).toEqual(NOTHING);
  });

  it('cuts a search that nobody types', () => {
    expect(readFragment(rows, `#view?search=${'a'.repeat(9_999)}`).text).toHaveLength(300);
  });

  it('says an order only where it is not the one of the page', () => {
    const report = variedReport(9);
    const fleet = readTable(fleetTable(report).of, report.devices);
    const everything = readFragment(fleet, '');
    expect(toFragment(fleet, everything)).toBe('');
    const reversed = { ...everything, sorting: { by: 'device', descending: true } };
    expect(toFragment(fleet, reversed)).toBe('#view?sort=-device');
    expect(readFragment(fleet, '#view?sort=-device')).toEqual(reversed);
  });
});
