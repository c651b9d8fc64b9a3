import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { reportBrowser } from '../support/report-browser.ts';
import { reportPlan } from '../support/report-plan.ts';

/** What axe found: the rule, and the first element that breaks it. */
type Findings = readonly {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}[];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

describe.skipIf(CHROMIUM === undefined)('the report in every form', () => {
  const reports = reportBrowser();
  const file = reports.write('plan.html', reportPlan(90));
  const long = reports.write('long.html', reportPlan(500));

  it.each([
    ['light', 1_280],
    ['dark', 400],
  ] as const)('leaves axe nothing to say: %s, %s pixels wide', async (colorScheme, width) => {
    const viewport = { width, height: 900 };
    const { page, complaints } = await reports.open(file, { colorScheme, viewport });
    for (const details of await page.locator('details').all())
      await details.evaluate('d => (d.open = true)');
    await page.locator('#rows button').nth(2).click();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<{ readonly violations: Findings }>(RULES);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

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
      window.kinds = [...document.querySelectorAll('#kinds tbody td.n')].map((cell) => Number(cell.textContent));
    })`);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.evaluate('window.rows')).toBe(400);
    const kinds = await page.evaluate<readonly number[]>('window.kinds');
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(500);
    const told = (await page.locator('#printed').textContent()) ?? '';
    for (const words of ['all 500 changes', 'the first 400', 'fleetform show FILE --all'])
      expect(told).toContain(words);
    expect(await page.locator('#rows tr').count()).toBeLessThan(80);
    expect(await page.locator('#kinds tr').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.tools').isVisible()).toBe(false);
    expect(await page.locator('#printed').isVisible()).toBe(true);
    await page.context().close();
  });

  it('prints a short table whole, as it is filtered, and says so', async () => {
    const { page } = await reports.open(file);
    await page.getByLabel('Action').selectOption('=run');
    const shown = (await page.locator('#count').textContent())?.split(' ')[0] ?? '';
    await page.pdf({ format: 'A4' });
    expect(await page.locator('#printed').textContent()).toBe(
      `Printed: all ${shown} changes in the table, of 90 in the plan.`,
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
    for (const control of ['#search', '#f-action', '#clear', '#close'])
      expect(await page.locator(control).isVisible()).toBe(true);
    const name = await page.locator('#rows button').first().boundingBox();
    expect(name?.width).toBeGreaterThan(60);
    await page.context().close();
  });

  it('says without any script what a reviewer has to know', async () => {
    const { page, complaints } = await reports.open(file, { javaScriptEnabled: false });
    for (const text of ['A guardrail refuses this plan', 'Where scripts are switched off'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    expect(await page.locator('svg.timeline').isVisible()).toBe(true);
    expect(await page.locator('details.class').count()).toBeGreaterThan(5);
    expect(await page.locator('#scroller').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
