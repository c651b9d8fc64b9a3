import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { planHtml } from '../../src/render/html/pages.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { openReport, startChromium, type Opened } from './chromium.ts';
import { scratchFolder } from './scratch.ts';

/** Reports on disk, and the browser that opens them. */
export interface ReportBrowser {
  /** Writes the report of a plan, piece by piece; returns its path. */
  write(name: string, plan: Plan): string;
  /** The browser, once the tests run. */
  browser(): Browser;
  /** Opens a report in a context of its own and waits until its table is there. */
  open(file: string, options?: BrowserContextOptions): Promise<Opened>;
}

/** One Chromium and one folder for the tests of a `describe`; both are gone when they have ended. */
export function reportBrowser(): ReportBrowser {
  const folder = scratchFolder('report');
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    write(name, plan) {
      const path = join(folder, name);
      const to = openSync(path, 'w');
      for (const piece of planHtml(buildPlanView(plan), plan.changes)) writeSync(to, `${piece}\n`);
      closeSync(to);
      return path;
    },
    browser: () => browser,
    open: (file, options) => openReport(browser, file, options),
  };
}
