import { describe, expect, it } from 'vitest';
import {
  toFragment,
  sharedIn,
  type Shared,
} from '../../../../../src/render/html/page/view-address.ts';
import { countFacets } from '../../../../../src/render/html/page/filter-facets.ts';
import { createReader } from '../../../../../src/render/html/page/report-rows.ts';
import { reportParts } from '../../../../../src/render/html/report-parts.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { change, NOW } from '../../../../support/render-plan.ts';

const names = hostileNames(300).map((name) => `site ${name}`);
const changes = names.map((site, n) => change({ id: `dev-${n}`, site }));
const reader = createReader(changes.length);
for (const part of reportParts(changes, { page: { now: NOW }, originsOf: () => [], windows: [] }))
  reader.take(part);
const facets = countFacets(reader.rows);
const NOTHING: Shared = { wanted: { text: '', facets: {} }, sorting: undefined };

describe('the address of a view', () => {
  it('is empty for everything, and any other fragment shows everything', () => {
    expect(toFragment(NOTHING)).toBe('');
    for (const fragment of ['', '#', '#changes', '#view', 'view?action=run', '#View?action=run'])
      expect(sharedIn(fragment, facets)).toEqual(NOTHING);
  });

  it('gives back every search, label, order and change, whatever is in it', () => {
    for (const site of facets.site.labels.filter((label) => !FORBIDDEN.test(label))) {
      const shared: Shared = {
        wanted: { text: '50% & <more> #1', facets: { action: 'run', site } },
        sorting: { by: 'when', descending: true },
        change: 'upgradeFirmware/dev 7/&=',
      };
      const fragment = toFragment(shared);
      expect(fragment).toMatch(/^#view\?[\w\-.*+%=&]+$/);
      expect(sharedIn(fragment, facets)).toEqual(shared);
    }
  });

  it('forgets what is not there: labels, columns, names of objects', () => {
    for (const said of [
      'action=walk',
      'site=__proto__',
      'sort=constructor',
      'sort=-',
      '__proto__=1',
      '%',
      '&&=&',
    ])
      expect(sharedIn(`#view?${said}`, facets)).toEqual(NOTHING);
  });

  it('cuts a search that nobody types', () => {
    expect(sharedIn(`#view?search=${'a'.repeat(9_999)}`, facets).wanted.text).toHaveLength(300);
  });
});
