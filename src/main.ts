#!/usr/bin/env node
import { netWords, oldNodeWords, orphanedWords, stoppedWords } from './render/words/last-words.ts';
import { oldestNode } from './shell/version.ts';

/**
 * The net below everything: whatever is thrown so far up, the loading of the program included, ends
 * the process with one plain line.
 */
try {
  const oldest = oldestNode();
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0)
    await leave(oldNodeWords(process.versions.node, oldest));
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
  await Promise.all([shell.out, shell.err].map((output) => output.lost?.()));
  shell.dispose();
  // Timers of libraries would hold the process: simple-git waits a second behind each call of git.
  process.exit();
} catch (error) {
  await leave(netWords(error));
}

/** Ends the process with one line. */
function leave(text: string): Promise<never> {
  return new Promise(() => process.stderr.write(`${text}\n`, () => process.exit(1)));
}
