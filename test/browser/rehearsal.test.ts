import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalReport, SiteOutages } from '../../src/model/report/rehearsal.ts';
import { rehearsalHtml } from '../../src/render/html/rehearsal-page.ts';
import { CHROMIUM, startChromium } from '../support/chromium.ts';
import { hostileNames } from '../support/hostile.ts';
import { scratchFolder } from '../support/scratch.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

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
    remedy: { is: 'longerWindow', window: 'weeknights', by: 5_400_000 },
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
    trials: 5,
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

  const open = async (
    names: readonly string[],
    options: { readonly width: number; readonly colorScheme: 'light' | 'dark' },
  ) => {
    const file = join(folder, `${options.colorScheme}-${options.width}-${names.length}.html`);
    writeFileSync(file, rehearsalHtml(reportOn(names)));
    const { width, colorScheme } = options;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (request.url() !== `file://${file}`) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(`file://${file}`);
    return { page, complaints };
  };

  const SITES = ['HQ Berlin', 'Office Madrid', 'Warehouse 7, Gothenburg harbour, north gate'];

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('leaves axe nothing to say, and fits: %s, %s pixels wide', async (scheme, width) => {
    const { page, complaints } = await open(SITES, { width, colorScheme: scheme });
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate(RULES)) as {
      violations: readonly { readonly id: string }[];
    };
    expect(violations.map(({ id }) => id)).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    expect(complaints).toEqual([]);
    const shots = process.env['SHOTS'];
    if (shots)
      await page.screenshot({ path: join(shots, `${scheme}-${width}.png`), fullPage: true });
    await page.context().close();
  });

  it('shows hostile names of sites as text', async () => {
    const names = hostileNames(40);
    const { page, complaints } = await open(names, { width: 1440, colorScheme: 'light' });
    expect(await page.locator('main img, main script, main a').count()).toBe(0);
    expect(await page.locator('figure').count()).toBe(24);
    expect(await page.locator('table').last().locator('tbody tr').count()).toBe(names.length);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
