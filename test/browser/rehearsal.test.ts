import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalReport, SiteOutages } from '../../src/model/report/output.gen.ts';
import { rehearsalHtml } from '../../src/render/html/pages.ts';
import { CHROMIUM, openReport, startChromium } from '../support/chromium.ts';
import { hostileNames } from '../support/hostile.ts';
import { examinePage, NARROW, PAGE_FORMS } from '../support/page-forms.ts';
import { scratchFolder } from '../support/scratch.ts';

const FROM = Date.parse('2026-11-23T20:00:00Z');
const DAY = 86_400_000;
const finish = { p50: FROM + 2 * DAY, p95: FROM + 3 * DAY };

const POLICIES: RehearsalReport['policies'] = [
  {
    policy: 'firmware.axis-p32-lts',
    task: 'upgradeFirmware',
    devices: 1_204,
    done: 980,
    failed: 4,
    late: 201,
    blocked: 19,
    finish: {},
    waves: [
      { name: 'canary', devices: 5, finish },
      { name: 'rest', devices: 1_199, finish: {} },
    ],
    heldBy: [
      { code: 'windowClosed', count: 201 },
      { code: 'offline', count: 19 },
    ],
  },
];

/** A report with every part that a page can have. */
function reportOn(names: readonly string[]): RehearsalReport {
  const outages = names.map((site, index): SiteOutages => {
    const counts = Array.from({ length: 336 }, (_, hour) => (hour % 24 < 5 ? index % 7 : 0));
    return { site, most: index % 7, mostAt: FROM + DAY, counts };
  });
  const courses = {
    policies: POLICIES,
    windows: [
      { window: 'weeknights', policy: 'firmware.axis-p32-lts', closedWithWork: 3, mostLeft: 410 },
    ],
    requests: { p50: 12_000, p95: 13_500, busiestDay: 4_000 },
    outages,
    runs: 40,
    tasks: 130,
    inDoubt: 1,
    stops: [{ scope: 'firmware.axis-p32-lts (wave)', courses: 2 }],
    ended: [{ why: 'guardrail default', runs: 2 }],
  };
  return {
    ...courses,
    from: FROM,
    until: FROM + 14 * DAY,
    courses: 5,
    seed: 1,
    fleet: { devices: 10_000, sites: names.length, takenAt: FROM, confidence: 'one page' },
    ledger: { records: 214, atWork: 12, inDoubt: 1 },
    assumed: { passwords: 340, certificates: 12, targets: 3 },
    durations: [{ task: 'upgradeFirmware', from: 'ledger', samples: 45, medianSeconds: 180 }],
    step: 3_600_000,
    assumesApproval: true,
    without: courses,
  };
}

describe.skipIf(CHROMIUM === undefined)('the page of a rehearsal in Chromium', () => {
  const folder = scratchFolder('rehearsal-page');
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const write = (name: string, report: RehearsalReport): string => {
    const file = join(folder, name);
    writeFileSync(file, [...rehearsalHtml(report)].join('\n'));
    return file;
  };

  const SITES = ['HQ Berlin', 'Office Madrid', 'Warehouse 7, Gothenburg harbour, north gate'];
  const full = write('full.html', reportOn(SITES));
  const nothing = { policies: [], windows: [], outages: [], stops: [], ended: [] };
  const idle = write('idle.html', { ...reportOn([]), ...nothing });

  it.each(PAGE_FORMS)('is whole and leaves axe nothing to say: $width px, $look', (form) =>
    examinePage(browser, full, form),
  );

  it('is whole where no policy has work', () => examinePage(browser, idle, NARROW));

  it('shows hostile names of sites as text', async () => {
    const names = hostileNames(40);
    const file = write('hostile.html', reportOn(names));
    await examinePage(browser, file, NARROW, true);
    const { page, complaints } = await openReport(browser, file);
    expect(await page.locator('main img, main script, main a').count()).toBe(0);
    expect(await page.locator('svg.plot text.name').count()).toBe(24);
    expect(await page.locator('table').last().locator('tbody tr').count()).toBe(names.length);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
