import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { PageShell } from './page-shell.ts';
import { missingLine, pageSteps, type PageCommand } from './page-steps.ts';

/**
 * Does what a page asks its reader to do, line by line, in the directories that its commands enter;
 * fails where a command ends otherwise than the page says, or prints something else.
 */
export async function walkPage(page: string, shell: PageShell): Promise<void> {
  for (const step of pageSteps(page)) {
    if ('path' in step) await writeHere(step.path, step.text, shell);
    else if (step.isBeside) await shell.startBeside(step.command);
    else await runStep(step, shell);
  }
}

async function writeHere(path: string, text: string, shell: PageShell): Promise<void> {
  const { output } = await shell.run('pwd');
  const full = join(output.trim(), path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

async function runStep({ command, exits, shows }: PageCommand, shell: PageShell): Promise<void> {
  const { exit, output } = await shell.run(command);
  expect(exits, `${command}\n${output}`).toContain(exit);
  expect(missingLine(shows, output), `${command}\n${output}`).toBeUndefined();
}
