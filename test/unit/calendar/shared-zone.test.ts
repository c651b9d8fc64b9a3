import { describe, expect, it } from 'vitest';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { sharedZone } from '../../../src/calendar/site-zone.ts';

describe('the zone of a fleet', () => {
  const zones = [
    ['Berlin', { tags: [], timeZone: 'Europe/Berlin' }],
    ['Munich', { tags: [], timeZone: 'Europe/Berlin' }],
    ['Oslo', { tags: [], timeZone: 'Europe/Oslo' }],
    ['Nowhere', { tags: ['new'] }],
  ] as const;
  const sites = new Map(
    zones.map(([name, value]) => [name, { value }]),
  ) as unknown as Documents['sites'];
  const zoneOf = (...names: readonly string[]) =>
    sharedZone(
      sites,
      names.map((name) => ({ id: `site-${name}`, name })),
    ).timeZone;

  it('is that of its sites, if all that have one have the same', () => {
    expect(zoneOf('Berlin', 'Munich')).toBe('Europe/Berlin');
    expect(zoneOf('Berlin', 'Nowhere', 'Unnamed')).toBe('Europe/Berlin');
    expect(zoneOf('Berlin', 'Oslo')).toBeUndefined();
    expect(zoneOf('Nowhere')).toBeUndefined();
    expect(zoneOf()).toBeUndefined();
  });
});
