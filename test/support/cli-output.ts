import type { Output } from '../../src/shell/shell.ts';
import { watch } from './canary-watch.ts';

/** A stream of a command that is no terminal and keeps what was written. */
export function outputDouble(): Output & { text(): string } {
  const written: string[] = [];
  watch('what a command printed', () => written.join(''));
  return {
    write: (text) => written.push(text),
    isTerminal: false,
    columns: 80,
    text: () => written.join(''),
  };
}
