import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The Chromium of this machine: what `CHROMIUM` names, else the first that the path has. */
export const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name))),
].find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** Starts it without a window. Root has no sandbox to start it in. */
export function startChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    chromiumSandbox: !isRoot,
    args: isRoot ? ['--no-sandbox'] : [],
  });
}

/** A page with what it should not do: errors, and requests for anything but the file itself. */
export interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page and waits until its table, if it has one, is there. */
export async function openReport(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== `file://${file}`) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  const hasTable = (await page.locator('#reading').count()) > 0;
  if (hasTable && options.javaScriptEnabled !== false)
    await page.locator('html[data-ready]').waitFor();
  return { page, complaints };
}
