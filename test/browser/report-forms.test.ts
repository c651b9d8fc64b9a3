import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planHtml } from '../../src/render/html/report.ts';
import { viewOf } from '../../src/render/view.ts';
import { CHROMIUM, openReport, startChromium } from '../support/chromium.ts';
import { reportPlan } from '../support/report-plan.ts';

/** What axe found: the rule, and the first element that breaks it. */
type Findings = readonly {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}[];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

describe.skipIf(CHROMIUM === undefined)('the report in every form', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetform-report-'));
  const file = join(folder, 'plan.html');
  const long = join(folder, 'long.html');
  for (const [path, plan] of [
    [file, reportPlan(90)],
    [long, reportPlan(500)],
  ] as const)
    writeFileSync(path, [...planHtml(viewOf(plan), plan.changes)].join('\n'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['light', 1_280],
    ['dark', 400],
  ] as const)('leaves axe nothing to say: %s, %s pixels wide', async (colorScheme, width) => {
    const viewport = { width, height: 900 };
    const { page, complaints } = await openReport(browser, file, { colorScheme, viewport });
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
      const { page } = await openReport(browser, file, { colorScheme });
      colours.push(
        await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'),
      );
      await page.context().close();
    }
    expect(colours).toEqual(['rgb(251, 251, 249)', 'rgb(20, 22, 26)']);
  });

  it('prints the first 400 changes as they are filtered, and none of the controls', async () => {
    const { page } = await openReport(browser, long, { colorScheme: 'dark' });
    await page.evaluate(
      `addEventListener('beforeprint', () => (window.rows = document.querySelectorAll('#rows tr').length))`,
    );
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.evaluate('window.rows')).toBe(400);
    expect(await page.locator('#printed').textContent()).toContain('the first 400 of 500 changes');
    expect(await page.locator('#rows tr').count()).toBeLessThan(80);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.tools').isVisible()).toBe(false);
    expect(await page.locator('#printed').isVisible()).toBe(true);
    await page.context().close();
  });

  it('says without any script what a reviewer has to know', async () => {
    const { page, complaints } = await openReport(browser, file, { javaScriptEnabled: false });
    for (const text of ['A guardrail refuses this plan', 'Where scripts are switched off'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    expect(await page.locator('svg.timeline').isVisible()).toBe(true);
    expect(await page.locator('details.class').count()).toBeGreaterThan(5);
    expect(await page.locator('#scroller').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
