import { statSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { columnWord } from '../../src/render/words/review/review-words.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { reportBrowser } from '../support/report-browser.ts';
import { hostilePlan, reportPlan } from '../support/report-plan.ts';

if (CHROMIUM === undefined)
  process.stdout.write(
    'test/browser is skipped: no Chromium in the path. Install one, or name it in CHROMIUM.\n',
  );

describe.skipIf(CHROMIUM === undefined)('the report in Chromium', () => {
  const reports = reportBrowser();
  const plan = reportPlan(200);
  const changes = [...plan.changes];
  const file = reports.write('plan.html', plan);

  const count = (page: Page) => page.locator('#count').textContent();
  const firstRow = (page: Page) => page.locator('#rows tr').first();

  it('opens from a file, asks for nothing else and complains of nothing', async () => {
    const { page, complaints } = await reports.open(file);
    expect(await page.title()).toMatch(
      /^Plan for acme: 200 selected: 68 now, 99 later, 33 need you/,
    );
    expect(await count(page)).toBe('200 of 200 rows');
    expect(await page.locator('#table').getAttribute('aria-rowcount')).toBe('201');
    expect(await firstRow(page).getAttribute('aria-rowindex')).toBe('2');
    expect(await firstRow(page).textContent()).toContain('lobby-cam-0 dev-100000');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('searches, filters by lists, chips and links, and says how many are left', async () => {
    const { page, complaints } = await reports.open(file);
    await page.getByLabel('Search').fill('lobby-cam-19');
    expect(await count(page)).toBe('11 of 200 rows');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Task', { exact: true }).selectOption({ label: 'Rotate password · 40' });
    expect(await count(page)).toBe('40 of 200 rows');
    await page.getByLabel('State').selectOption('=needs you');
    const skips = changes.filter(
      (each) => each.task === 'rotatePassword' && columnWord(each) === 'needs you',
    );
    expect(await count(page)).toBe(`${skips.length} of 200 rows`);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('State').selectOption('=later');
    const waits = changes.filter((each) => columnWord(each) === 'later');
    expect(await count(page)).toBe(`${waits.length} of 200 rows`);
    const chip = page.getByRole('button', { name: 'Due by schedule' });
    await chip.click();
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    const due = waits.filter(({ group }) => group === 'clock');
    expect(await count(page)).toBe(`${due.length} of 200 rows`);
    await page.getByLabel('Search').fill('no such device');
    expect(await page.getByText('No changes match').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('sorts by any column, up, down, and as the plan has it', async () => {
    const { page } = await reports.open(file);
    const head = page.locator('th[data-column=device]');
    const states: (string | null)[] = [];
    for (const row of ['lobby-cam-0', 'lobby-cam-199', 'lobby-cam-0']) {
      await head.getByRole('button').click();
      states.push(await head.getAttribute('aria-sort'));
      expect(await firstRow(page).textContent()).toContain(row);
    }
    expect(states).toEqual(['ascending', 'descending', 'none']);
    for (const column of [
      'site',
      'task',
      'state',
      'reason',
      'edit',
      'when',
      'make',
      'policy',
      'wave',
    ]) {
      await page.locator(`th[data-column=${column}] button`).click();
      expect(await page.locator(`th[data-column=${column}]`).getAttribute('aria-sort')).toBe(
        'ascending',
      );
    }
    await page.context().close();
  });

  it('is used by keyboard alone: rows, details, steps, and back', async () => {
    const { page } = await reports.open(file);
    const focused = () => page.locator(':focus').textContent();
    await page.locator('#rows button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('lobby-cam-1 ');
    await page.keyboard.press('End');
    expect(await focused()).toContain('lobby-cam-199 ');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Upgrade firmware: lobby-cam-2');
    const details = page.getByRole('complementary', { name: 'Upgrade firmware: lobby-cam-2' });
    const text = (await details.textContent()) ?? '';
    for (const words of [
      'outside window weeknights',
      'fleet/cameras.yaml:14:3',
      '1a1a1a1a1a1a, 11 Nov 2026',
      'Ada Lovelace',
      'Move the P32 cameras',
      'weeknights, Asia/Tokyo, opens Tue 24 Nov 11:00',
      'not before Tue 24 Nov 00:00 UTC (in 3 days)',
    ])
      expect(text).toContain(words);
    expect(await details.locator('.steps .decided').textContent()).toContain('outside window');
    expect(await details.locator('.steps .passed').count()).toBe(17);
    await page.keyboard.press('Escape');
    expect(await details.isVisible()).toBe(false);
    expect(await focused()).toContain('lobby-cam-2 ');
    await page.context().close();
  });

  it('keeps 100,000 changes usable', async () => {
    const path = reports.write('large.html', reportPlan(100_000));
    const started = performance.now();
    const { page, complaints } = await reports.open(path);
    const opened = performance.now();
    await page.getByLabel('Search').fill('lobby-cam-99999');
    expect(await count(page)).toBe('1 of 100,000 rows');
    const searched = performance.now();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('th[data-column=edit] button').click();
    expect(await firstRow(page).isVisible()).toBe(true);
    const sorted = performance.now();
    await page.locator('th[data-column=device] button').click();
    await page.locator('#rows button[tabindex="0"]').focus();
    await page.keyboard.press('End');
    expect(await page.locator(':focus').textContent()).toContain('lobby-cam-99999 ');
    expect(await page.locator('#rows tr').count()).toBeLessThan(80);
    expect(complaints).toEqual([]);
    const ms = (from: number, to: number): string => `${Math.round(to - from)} ms`;
    process.stdout.write(
      `report of 100,000 changes: ${(statSync(path).size / 1e6).toFixed(1)} MB, usable after ${ms(started, opened)}, ` +
        `first search ${ms(opened, searched)}, sort ${ms(searched, sorted)}\n`,
    );
    await page.context().close();
  });

  it('lets no hostile name out of its text (T01, T04)', async () => {
    const path = reports.write('hostile.html', hostilePlan(1_500));
    const { page, complaints } = await reports.open(path);
    await firstRow(page).getByRole('button').click();
    for (let n = 0; n < 60; n++) await page.locator('#next').click();
    const foreign =
      'img, iframe, object, embed, a[href]:not([href="#all"]), base, link, form[action]';
    expect(await page.locator(foreign).count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
