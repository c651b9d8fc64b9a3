#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { netWords, orphanedWords, stoppedWords } from './render/words/last-words.ts';

/**
 * How much the heap grows before it is collected, in percent of what is in use. The engine itself
 * takes up to four times, which is most of the memory of a large plan (decision 0069).
 */
setFlagsFromString('--heap-growing-percent=100');

/**
 * How much bytecode a function runs before the engine optimizes it: over four times as much as usual. Most commands
 * end before what it would compile earlier has paid (decision 0112).
 */
setFlagsFromString('--interrupt-budget=600000');

/**
 * The net below everything: whatever is thrown so far up, the loading of the program included, ends
 * the process with one plain line.
 */
try {
  const [{ EXIT }, { processShell }, { readingCommand, run, servingCommand }] = await Promise.all([
    import('./shell/exit.ts'),
    import('./cli/process/process.ts'),
    import('./cli/program/run-command-line.ts'),
  ]);
  const argv = process.argv.slice(2);
  const command = readingCommand(argv);
  const server = servingCommand(argv);
  const shell = processShell(process, {
    stopped: command && stoppedWords(command),
    orphaned: server === 'twin' ? orphanedWords() : server,
  });
  const code = await run(argv, shell);
  process.exitCode = shell.crash ? EXIT.error : code;
  shell.dispose();
} catch (error) {
  process.stderr.write(`${netWords(error)}\n`, () => process.exit(1));
}
