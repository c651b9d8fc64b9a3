import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { countOf } from './campaign.ts';
import { openReport } from './chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

/** A screen, or paper. */
export interface PageForm {
  readonly width: number;
  readonly look: 'light' | 'dark' | 'print';
}

/** A telephone. */
export const NARROW: PageForm = { width: 390, look: 'light' };

/** The forms in which every page is examined; CI takes the first of them, each night takes all. */
export const PAGE_FORMS: readonly PageForm[] = [
  NARROW,
  { width: 1_440, look: 'dark' },
  { width: 800, look: 'print' },
  { width: 390, look: 'dark' },
  { width: 800, look: 'light' },
  { width: 1_440, look: 'light' },
].slice(0, countOf('pageForms')) as readonly PageForm[];

/** What axe found: the rule, and the first element that breaks it. */
type Findings = readonly {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}[];

/** Opens a page in a form with every fold open, and expects what holds for all pages; hostile names have backticks. */
export async function examinePage(
  browser: Browser,
  file: string,
  { width, look }: PageForm,
  hasBackticks = false,
): Promise<void> {
  const viewport = { width, height: 900 };
  const colorScheme = look === 'dark' ? 'dark' : 'light';
  const { page, complaints } = await openReport(browser, file, { viewport, colorScheme });
  if (look === 'print') await page.emulateMedia({ media: 'print' });
  await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
  const row = page.locator('#rows button').first();
  if (look !== 'print' && (await row.count()) > 0) await row.click();
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ readonly violations: Findings }>(RULES);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
  const wrong = await wrongParts(page);
  expect(wrong.filter((each) => !hasBackticks || !each.startsWith('a backtick'))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
}

/** Tables that are cut, policies that break inside a word, backticks as text, a page that is too wide. */
function wrongParts(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const wrong = [];
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) wrong.push('the page is wider by ' + wide + ' px');
    for (const box of document.querySelectorAll('.wide:has(.data)'))
      if (box.scrollWidth > box.clientWidth) wrong.push(box.getAttribute('aria-label') + ' is cut');
    for (const name of document.querySelectorAll('code.datum:has(> wbr)')) {
      const range = document.createRange();
      for (const part of [name.firstChild, name.lastChild]) {
        range.selectNodeContents(part);
        const text = part.textContent;
        if (range.getClientRects().length > 1 + text.split('-').length) wrong.push(text + ' breaks inside a word');
      }
    }
    for (const cell of document.querySelectorAll('.data :is(th, td)')) {
      const range = document.createRange();
      let text = cell;
      while (text.childNodes.length === 1) text = text.firstChild;
      range.selectNodeContents(text);
      const isWord = /^\\w{1,12}$/.test(cell.textContent);
      if (isWord && range.getClientRects().length > 1) wrong.push(cell.textContent + ' is broken');
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, data } = texts.currentNode;
      if (/\`/.test(data) && !parentElement.closest('script, style')) wrong.push('a backtick: ' + data);
    }
    return wrong;
  })()`);
}
