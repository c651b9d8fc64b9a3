import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetReport } from '../../src/model/report/fleet-report.ts';
import { fleetHtml } from '../../src/render/html/pages.ts';
import { CHROMIUM, openReport, startChromium } from '../support/chromium.ts';
import { variedReport } from '../support/fleet-report.ts';
import { hostileNames } from '../support/hostile.ts';
import { examinePage, NARROW, PAGE_FORMS } from '../support/page-forms.ts';
import { scratchFolder } from '../support/scratch.ts';

describe.skipIf(CHROMIUM === undefined)('the page of fleetform report in Chromium', () => {
  const folder = scratchFolder('fleet-report');
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const write = (name: string, report: FleetReport): string => {
    const path = join(folder, name);
    const to = openSync(path, 'w');
    for (const piece of fleetHtml(report)) writeSync(to, `${piece}\n`);
    closeSync(to);
    return path;
  };
  const count = (page: Page) => page.locator('#count').textContent();
  const file = write('fleet.html', variedReport(1_200));
  const small = write('small.html', variedReport(80));

  it('opens from a file, asks for nothing else and complains of nothing', async () => {
    const { page, complaints } = await openReport(browser, file);
    expect(await page.title()).toMatch(/^Fleet report for acme: 1,200 devices, \d+ alerts$/);
    expect(await count(page)).toBe('1,200 of 1,200 devices');
    expect(await page.locator('.plot circle').count()).toBe(20);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('searches, filters, sorts, and follows the link of a site', async () => {
    const { page } = await openReport(browser, file);
    await page.getByLabel('Search').fill('cam-119');
    expect(await count(page)).toBe('11 of 1,200 devices');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Lifecycle', { exact: true }).selectOption('=end of life');
    expect(await count(page)).toBe('24 of 1,200 devices');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('a[data-show]', { hasText: 'Site 7' }).first().click();
    expect(await count(page)).toBe('30 of 1,200 devices');
    const head = page.locator('th[data-column=device]');
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await page.locator('#rows tr').first().textContent()).toContain('cam-1167');
    await page.getByLabel('Search').fill('no such device');
    expect(await page.getByText('No devices match').isVisible()).toBe(true);
    await page.context().close();
  });

  it('opens the details of a device, says so in its address, and is used by keyboard', async () => {
    const { page } = await openReport(browser, file);
    await page.locator('#rows button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'cam-1' });
    const text = (await details.textContent()) ?? '';
    for (const words of ['cam-1 (dev-1)', 'Site 1', 'intercom', 'not shown'])
      expect(text).toContain(words);
    await page.getByLabel('Lifecycle', { exact: true }).selectOption('=end of life');
    const address = await page.evaluate<string>('location.hash');
    expect(address).toBe('#view?lifecycleState=end+of+life&device=dev-1');
    await page.context().close();

    const shared = await openReport(browser, `${file}${address}`);
    expect(await count(shared.page)).toBe('24 of 1,200 devices');
    expect(await shared.page.locator('#details-title').textContent()).toBe('cam-1');
    await shared.page.context().close();
  });

  it('prints the rows that the table shows, and says how many', async () => {
    const { page } = await openReport(browser, file);
    await page.getByLabel('Lifecycle', { exact: true }).selectOption('=end of life');
    await page.pdf({ format: 'A4' });
    expect(await page.locator('#printed').textContent()).toBe(
      'Printed: all 24 rows of the table, of 1,200 devices.',
    );
    await page.context().close();
  });

  it('without scripts has everything but the table of devices', async () => {
    const { page } = await openReport(browser, file, { javaScriptEnabled: false });
    expect(await page.locator('.measures tbody tr').count()).toBe(7);
    expect(await page.getByText('Where scripts are switched').isVisible()).toBe(true);
    await page.context().close();
  });

  it.each(PAGE_FORMS)('is whole and leaves axe nothing to say: $width px, $look', (form) =>
    examinePage(browser, small, form),
  );

  it('holds 100,000 devices, and draws only those that are visible', async () => {
    const large = write('large.html', variedReport(100_000));
    const { page, complaints } = await openReport(browser, large);
    expect(await count(page)).toBe('100,000 of 100,000 devices');
    expect(await page.locator('#rows tr').count()).toBeLessThan(60);
    await page
      .locator('#scroller')
      .evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText('cam-99999', { exact: false }).first().waitFor();
    await page.getByLabel('Search').fill('cam-99999');
    expect(await count(page)).toBe('1 of 100,000 devices');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);

  it('shows hostile names as text, and an empty fleet', async () => {
    const names = hostileNames(60);
    const hostile = variedReport(60, (device) => ({
      ...device,
      name: names[Number(device.id.slice(4))] ?? '',
      sites: [{ id: 's', name: names[Number(device.id.slice(4))] ?? '' }],
    }));
    const path = write('hostile.html', hostile);
    await examinePage(browser, path, NARROW, true);
    const { page, complaints } = await openReport(browser, path);
    expect(await count(page)).toBe('60 of 60 devices');
    expect(await page.locator('img, iframe, object').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
    await examinePage(browser, write('empty.html', variedReport(0)), NARROW);
  });
});
