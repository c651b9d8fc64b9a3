#!/usr/bin/env node
import { netWords, stoppedWords } from './render/words/last-words.ts';

/**
 * The net below everything: whatever is thrown so far up, the loading of the program included, ends
 * the process with one plain line.
 */
try {
  const [{ EXIT }, { processShell }, { readingCommand, run }] = await Promise.all([
    import('./shell/exit.ts'),
    import('./cli/process/process.ts'),
    import('./cli/program/run-command-line.ts'),
  ]);
  const argv = process.argv.slice(2);
  const command = readingCommand(argv);
  const shell = processShell(process, { stopped: command && stoppedWords(command) });
  const code = await run(argv, shell);
  process.exitCode = shell.crash ? EXIT.error : code;
  shell.dispose();
} catch (error) {
  process.stderr.write(`${netWords(error)}\n`, () => process.exit(1));
}
