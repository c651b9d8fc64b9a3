import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAudit } from '../../src/ledger/audit.ts';
import { auditHtml } from '../../src/render/html/pages.ts';
import { CHROMIUM, openReport, startChromium } from '../support/chromium.ts';
import {
  attempt,
  chained,
  GENESIS,
  lock,
  RELEASE,
  result,
  settled,
} from '../support/ledger-records.ts';
import { examinePage, PAGE_FORMS } from '../support/page-forms.ts';
import { scratchFolder } from '../support/scratch.ts';

const HOSTILE = '<img src=x onerror=document.title=1>\u202e';
const DEVICES = Array.from({ length: 40 }, (_, n) => `dev-${n}`);
const RECORDS = chained([
  GENESIS,
  lock('one'),
  attempt('t1', [...DEVICES, HOSTILE]),
  result('t1', 'accepted'),
  ...DEVICES.slice(2).map((device) => settled(`${device}@2`, 'done')),
  settled('dev-0@2', 'failed'),
  { ...settled('dev-0@2', 'done', 'person'), who: 'Ada', why: 'seen' },
  settled('dev-1@2', 'failed'),
  RELEASE,
]);

describe.skipIf(CHROMIUM === undefined)('the page of fleetform audit in Chromium', () => {
  const file = join(scratchFolder('audit'), 'audit.html');
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(
      file,
      [...auditHtml(buildAudit(RECORDS), () => undefined, { now: 0 })].join('\n'),
    );
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('lists each device of each task with its outcome, and finds the one that failed', async () => {
    const { page, complaints } = await openReport(browser, file);
    expect(await page.title()).toBe('Audit: 41 outcomes of 1 run');
    const count = page.locator('#count');
    expect(await count.textContent()).toBe('41 of 41 outcomes');
    await page.getByLabel('Outcome', { exact: true }).selectOption('=failed');
    expect(await count.textContent()).toBe('1 of 41 outcomes');
    expect(await page.locator('#rows tr').first().textContent()).toContain('dev-1');
    await page.getByLabel('Outcome', { exact: true }).selectOption('=not finished');
    expect(await page.locator('#rows tr').first().textContent()).toContain('<img');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('tells all that happened to a device, also a decision of a person, under an address', async () => {
    const { page } = await openReport(browser, `${file}#view?outcome=t1/dev-0`);
    const text = await page.locator('#details-body').textContent();
    for (const words of ['failed', 'then verified (confirmed by a person)', 'by Ada: seen'])
      expect(text).toContain(words);
    await page.context().close();
  });

  it.each(PAGE_FORMS)('is accessible and complete at $width px, $look', async (form) => {
    await examinePage(browser, file, form);
  });
});
