#!/usr/bin/env node
import { netWords } from './render/words/last-words.ts';

/**
 * The net below everything: whatever is thrown so far up, the loading of the program included, ends
 * the process with one plain line.
 */
try {
  const [{ EXIT }, { processShell }, { run }] = await Promise.all([
    import('./cli/shell/exit.ts'),
    import('./cli/shell/process.ts'),
    import('./cli/program/run.ts'),
  ]);
  const shell = processShell(process);
  const code = await run(process.argv.slice(2), shell);
  process.exitCode = shell.crash ? EXIT.error : code;
  shell.dispose();
} catch (error) {
  process.stderr.write(`${netWords(error)}\n`, () => process.exit(1));
}
