import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtEntry, ROOT } from './blackbox-build.ts';
import type { Env, Place } from './blackbox.ts';

/** A command of a runbook, the exit codes that the page allows, and the output that it prints below. */
export interface RunbookStep {
  readonly command: string;
  readonly exits: readonly number[];
  /** Lines that the output must have, in their order; `...` is any number of lines. */
  readonly shows: readonly string[];
}

/**
 * The commands of `docs/runbooks/NAME.md` in the order of the page: each line of a block `sh`, with the exit code of a
 * comment `# exits N` or `# exits N or N`, else 0. A block `text` is output of the last command before it. Throws for any other block.
 */
export function runbookSteps(name: string): readonly RunbookStep[] {
  const page = readFileSync(join(ROOT, 'docs', 'runbooks', `${name}.md`), 'utf8');
  const steps: RunbookStep[] = [];
  for (const [, language, body = ''] of page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    const lines = body.trimEnd().split('\n');
    const last = steps.at(-1);
    if (language === 'sh') steps.push(...lines.map(stepIn));
    else if (language === 'text' && last) steps[steps.length - 1] = { ...last, shows: lines };
    else if (language !== 'yaml') throw new Error(`${name}.md: what is a block ${language}?`);
  }
  if (steps.length === 0) throw new Error(`${name}.md has no command`);
  return steps;
}

function stepIn(line: string): RunbookStep {
  const [command = '', comment = ''] = line.split(/ +# /);
  const [, first = '0', second = first] = /^exits (\d)(?: or (\d))?/.exec(comment) ?? [];
  return { command, exits: [Number(first), Number(second)], shows: [] };
}

/**
 * Runs a line in a shell where `fleetform` is the built command line. Takes the variables beside `PATH` and `HOME`;
 * returns the exit code and both streams as one text.
 */
export async function runInShell(
  place: Place,
  command: string,
  env: Env,
): Promise<{ readonly exit: number; readonly output: string }> {
  const bin = place.path('.bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'fleetform');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${builtEntry()}' "$@"\n`);
  chmodSync(program, 0o755);
  return await new Promise((resolve) => {
    const variables = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: place.folder, ...env };
    const options = { cwd: place.folder, env: variables, maxBuffer: 2 ** 26 };
    execFile('/bin/sh', ['-c', command], options, (error, stdout, stderr) => {
      resolve({ exit: error ? Number(error.code) : 0, output: `${stdout}\n${stderr}` });
    });
  });
}

/** The first line of `shows` that the output does not have behind the ones before it. */
export function missingLine(shows: readonly string[], output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trim());
  let from = 0;
  for (const shown of shows) {
    if (shown.trim() === '...') continue;
    const at = lines.indexOf(shown.trim(), from);
    if (at < 0) return shown;
    from = at + 1;
  }
  return undefined;
}
