import { describe, expect, it } from 'vitest';
import type { FleetReport } from '../../../../src/model/report/fleet-report.ts';
import { availabilityBlocks } from '../../../../src/render/outputs/fleet-page.ts';
import { printHtml } from '../../../../src/render/print/html.ts';

function page(places: number): string {
  const total = { devices: 1, upHours: 0, downHours: 0, maintenanceHours: 0, unknownHours: 1 };
  const totals = Array.from({ length: places + 1 }, (_, index) => ({
    ...total,
    site: index === 0 ? null : `site-${index}.`,
    deviceType: index === 0 ? null : 'other',
    availability: index < 5 ? 100 : null,
  }));
  const report = { availability: { rows: [], totals }, sources: [] };
  return String(printHtml(availabilityBlocks(report as unknown as FleetReport)));
}

describe('availability on the page', () => {
  it('shows every place of a small fleet, places of which nothing is known too', () => {
    const html = page(16);
    for (let place = 1; place <= 16; place += 1) expect(html).toContain(`site-${place}.`);
    expect(html).not.toContain('not shown');
  });

  it('says how many places it leaves out', () => {
    expect(page(26)).toContain('1 row with higher or unknown availability is not shown.');
    expect(page(40)).toContain('15 rows with higher or unknown availability are not shown.');
  });
});
