import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { hostileNames } from '../support/hostile.ts';
import { reportBrowser } from '../support/report-browser.ts';
import { reportPlan } from '../support/report-plan.ts';

describe.skipIf(CHROMIUM === undefined)('the address of the report', () => {
  const reports = reportBrowser();
  const file = reports.write('plan.html', reportPlan(200));

  const count = (page: Page) => page.locator('#count').textContent();
  const hash = (page: Page) => page.evaluate<string>('location.hash');

  /**
   * The page itself goes, and this ends when it has heard of it, as its own listener came first. The
   * back button of the driver counts from where the browser believes the page to be, which under
   * load is behind what the page has pushed or visited last.
   */
  const go = (page: Page, by: number) =>
    page.evaluate(`new Promise((resolve) => {
      addEventListener('popstate', () => resolve(), { once: true });
      history.go(${by});
    })`);

  it('says what is searched, filtered, sorted and open, and shows it to whoever opens it', async () => {
    const { page } = await reports.open(file);
    expect(await hash(page)).toBe('');
    await page.getByLabel('Search').fill('cam-1');
    await page.getByLabel('State').selectOption('=later');
    await page.getByLabel('Site', { exact: true }).selectOption('=Berlin 0');
    await page.locator('th[data-column=device] button').click();
    await page.locator('th[data-column=device] button').click();
    await page.locator('#rows button').first().click();
    const [shared, told, first] = [
      await hash(page),
      await count(page),
      await page.locator('#rows').textContent(),
    ];
    expect(shared).toMatch(
      /^#view\?search=cam-1&state=later&site=Berlin\+0&sort=-device&change=\w+%2Fdev-\d+$/,
    );
    const title = await page.locator('#details-title').textContent();
    await page.context().close();

    const other = await reports.open(`${file}${shared}`);
    expect(await count(other.page)).toBe(told);
    expect(await other.page.locator('#rows').textContent()).toBe(first);
    expect(await other.page.getByLabel('Search').inputValue()).toBe('cam-1');
    expect(await other.page.locator('#details-title').textContent()).toBe(title);
    expect(await other.page.locator('#details').isVisible()).toBe(true);
    await other.page.context().close();
  });

  it('goes back and forth through what was visited, a typed search at once', async () => {
    const { page, complaints } = await reports.open(file);
    await page.getByLabel('State').selectOption('=later');
    const waits = await count(page);
    await page.getByLabel('Search').pressSequentially('cam-19');
    const found = await count(page);
    await go(page, -1);
    expect([await count(page), await page.getByLabel('Search').inputValue()]).toEqual([waits, '']);
    await go(page, -1);
    expect(await count(page)).toBe('200 of 200 rows');
    expect(await page.getByLabel('State').inputValue()).toBe('');
    await go(page, 1);
    await go(page, 1);
    expect(await count(page)).toBe(found);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is harmless whatever it says', async () => {
    const { page, complaints } = await reports.open(file);
    const bad = [
      '#view?state=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&sort=__proto__&change=constructor%2Fx',
      '#view?site=__proto__&group=toString&sort=-hasOwnProperty&__proto__=x',
      `#view?${'%'.repeat(2_000)}`,
      '#all-title',
      ...hostileNames(60).map((name) => `#view?task=${new URLSearchParams({ name }).toString()}`),
    ];
    for (const fragment of bad) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      expect(await count(page)).toBe('200 of 200 rows');
    }
    await page.evaluate(`location.hash = '#view?search=%3Cb%3Eno%20such%3C%2Fb%3E'`);
    await page.getByText('No changes match').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('<b>no such</b>');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lists what is gone from the plan, and draws windows, freezes, soaks and now', async () => {
    const { page } = await reports.open(file);
    const gone = page.getByRole('region', { name: /^Removed since / });
    const text = (await gone.textContent()) ?? '';
    for (const words of [
      'Restart',
      'restarts.gone-dark',
      'fleet/restarts.yaml:3:3',
      'gate-cam-7',
      '1 more device',
    ])
      expect(text).toContain(words);
    const widths = (kind: string) =>
      page
        .locator(`svg.plot ${kind}`)
        .evaluateAll((all) => all.map((each) => Number(each.getAttribute('width'))));
    const [windows, freezes, soaks] = [
      await widths('rect.window'),
      await widths('rect.freeze'),
      await widths('rect.soak'),
    ];
    expect(windows.length).toBeGreaterThan(8);
    // Beside a window of four hours: a freeze of a week, and a soak of a day.
    expect((freezes.at(-1) ?? 0) / (windows[0] ?? 1)).toBeCloseTo(7 * 6, 0);
    expect((soaks[0] ?? 0) / (windows[0] ?? 1)).toBeCloseTo(6, 0);
    expect(await page.locator('svg.plot line.now').count()).toBe(1);
    await page.context().close();
  });
});
