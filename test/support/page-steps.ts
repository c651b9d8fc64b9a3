import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './blackbox-build.ts';

/** A command of a page, the exit codes that the page allows, and the output that it prints below. */
export interface PageCommand {
  readonly command: string;
  readonly exits: readonly number[];
  /** Lines that the output must have, in their order; `...` is any number of lines. */
  readonly shows: readonly string[];
  /** Whether it runs in a terminal of its own, as long as the page is walked. */
  readonly isBeside: boolean;
}

/** A file that a page asks the reader to write. */
export interface PageFile {
  readonly path: string;
  readonly text: string;
}

export type PageStep = PageCommand | PageFile;

/** A fenced block of a page. */
export interface PageBlock {
  readonly language: string;
  readonly body: string;
}

/** The fenced blocks of a page of this repository, also those inside a list. */
export function pageBlocks(page: string): readonly PageBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', body = '']) => ({
      language,
      body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/**
 * What a page asks its reader to do, in its order. Each line of a block `sh` is a command, with the exit code of a comment
 * `exits N`, `exits N or N` or `exits N, N or N`, else 0; `in a second terminal` starts it beside the others. A block `text` is output of
 * the command before it, and at the beginning of a page of the one after it. A block `yaml` that begins with `# PATH` is a file
 * to write. Throws for output without a command.
 */
export function pageSteps(page: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  let ahead: readonly string[] = [];
  for (const { language, body } of pageBlocks(page)) {
    const lines = body.trimEnd().split('\n');
    const [, path] = /^# (\S+\.yaml)\n/.exec(body) ?? [];
    if (language === 'sh') {
      steps.push(...lines.map((line, index) => commandIn(line, index === 0 ? ahead : [])));
      ahead = [];
    } else if (language === 'yaml' && path !== undefined) steps.push({ path, text: body });
    else if (language === 'text' && steps.length === 0) ahead = lines;
    else if (language === 'text') showAfter(steps, lines, page);
  }
  if (ahead.length > 0) throw new Error(`${page}: output of no command: ${ahead[0]}`);
  return steps;
}

function commandIn(line: string, shows: readonly string[]): PageCommand {
  const [command = '', comment = ''] = line.split(/ +# /);
  const [, written = '0'] = /exits (\d(?:(?:, | or )\d)*)/.exec(comment) ?? [];
  const exits = written.split(/, | or /).map(Number);
  return { command, exits, shows, isBeside: comment.includes('in a second terminal') };
}

function showAfter(steps: PageStep[], shows: readonly string[], page: string): void {
  const last = steps.at(-1);
  if (!last || !('command' in last)) throw new Error(`${page}: output of no command: ${shows[0]}`);
  steps[steps.length - 1] = { ...last, shows };
}

/** The first line of `shows` that the output does not have behind the ones before it. */
export function missingLine(shows: readonly string[], output: string): string | undefined {
  const lines = output.split('\n').map(withoutMoment);
  let from = 0;
  for (const shown of shows) {
    if (shown.trim() === '...') continue;
    const at = lines.indexOf(withoutMoment(shown), from);
    if (at < 0) return shown;
    from = at + 1;
  }
  return undefined;
}

/** A line without what each run has of its own: instants, ports, identifiers, and the widths of columns. */
function withoutMoment(line: string): string {
  return line
    .trim()
    .replace(/ {2,}/g, '  ')
    .replace(/\b[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}( \d{4})? \d\d:\d\d\b/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/\b[a-z2-7]{26}\b/g, 'ID');
}
