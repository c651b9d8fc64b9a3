import { describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { examinePage, NARROW, PAGE_FORMS } from '../support/page-forms.ts';
import { planOf } from '../support/render-plan.ts';
import { reportBrowser } from '../support/report-browser.ts';
import { hostilePlan, reportPlan } from '../support/report-plan.ts';

describe.skipIf(CHROMIUM === undefined)('the report in every form', () => {
  const reports = reportBrowser();
  const file = reports.write('plan.html', reportPlan(90));
  const small = reports.write('small.html', reportPlan(20));
  const long = reports.write('long.html', reportPlan(500));

  const idle = reports.write('idle.html', planOf([]));
  const hostile = reports.write('hostile.html', hostilePlan(40));

  it.each(PAGE_FORMS)('is whole and leaves axe nothing to say: $width px, $look', (form) =>
    examinePage(reports.browser(), small, form),
  );

  it('is whole where a plan has no changes', () => examinePage(reports.browser(), idle, NARROW));

  it('is whole where names are hostile', () =>
    examinePage(reports.browser(), hostile, NARROW, true));

  it('is dark where the reader wants it so', async () => {
    const colours: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await reports.open(file, { colorScheme });
      colours.push(
        await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'),
      );
      await page.context().close();
    }
    expect(colours).toEqual(['rgb(251, 251, 249)', 'rgb(20, 22, 26)']);
  });

  it('prints all changes in kinds with exact counts, then the first 400, and no controls', async () => {
    const { page } = await reports.open(long, { colorScheme: 'dark' });
    await page.evaluate(`addEventListener('beforeprint', () => {
      window.rows = document.querySelectorAll('#rows tr').length;
      window.groups = [...document.querySelectorAll('#groups tbody td.n')].map((cell) => Number(cell.textContent));
    })`);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.evaluate('window.rows')).toBe(400);
    const kinds = await page.evaluate<readonly number[]>('window.groups');
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(500);
    const told = (await page.locator('#printed').textContent()) ?? '';
    for (const words of ['all 500 rows', 'the first 400', 'fleetform show FILE --all'])
      expect(told).toContain(words);
    expect(await page.locator('#rows tr').count()).toBeLessThan(80);
    expect(await page.locator('#groups tr').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.tools').isVisible()).toBe(false);
    expect(await page.locator('#printed').isVisible()).toBe(true);
    await page.context().close();
  });

  it('prints a short table whole, as it is filtered, and says so', async () => {
    const { page } = await reports.open(file);
    await page.getByLabel('State').selectOption('=now');
    const shown = (await page.locator('#count').textContent())?.split(' ')[0] ?? '';
    await page.pdf({ format: 'A4' });
    expect(await page.locator('#printed').textContent()).toBe(
      `Printed: all ${shown} rows of the table, of 90 in the plan.`,
    );
    await page.context().close();
  });

  it.each([
    ['a narrow telephone', { width: 320, height: 640 }],
    ['a zoom of 200 %', { width: 640, height: 450 }],
  ])('fits %s: nothing is wider than the page, and no control is lost', async (_, viewport) => {
    const { page } = await reports.open(file, { viewport });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await page.locator('#rows button').first().click();
    for (const control of ['#search', '#f-state', '#clear', '#close'])
      expect(await page.locator(control).isVisible()).toBe(true);
    const name = await page.locator('#rows button').first().boundingBox();
    expect(name?.width).toBeGreaterThan(60);
    await page.context().close();
  });

  it('says without any script what a reviewer has to know', async () => {
    const { page, complaints } = await reports.open(file, { javaScriptEnabled: false });
    for (const text of ['A guardrail refuses this plan', 'Where scripts are switched off'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    expect(await page.locator('svg.plot').isVisible()).toBe(true);
    expect(await page.locator('details.class').count()).toBeGreaterThan(5);
    expect(await page.locator('#scroller').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
