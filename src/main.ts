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
  await Promise.all([process.stdout, process.stderr].map(written));
  shell.dispose();
  // Timers of libraries would hold the process: simple-git waits a second behind each call of git.
  process.exit();
} catch (error) {
  process.stderr.write(`${netWords(error)}\n`, () => process.exit(1));
}

/** Resolves when what was written before has left the process, or can no longer leave it. */
async function written(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writable) return;
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
