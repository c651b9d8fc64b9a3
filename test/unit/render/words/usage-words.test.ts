import { Command } from 'commander';
import { expect, it } from 'vitest';
import { usageWords } from '../../../../src/render/words/commands.ts';

/** What the parser says of a command line, in our words. */
function said(...words: readonly string[]): string {
  let text = '';
  const program = new Command('fleetform')
    .exitOverride()
    .configureOutput({ writeErr: (more) => void (text += usageWords(more)) });
  program
    .command('plan')
    .option('--at <TIME>', 'Time', (value: string) => {
      if (value !== 'now') program.error('unused');
      return value;
    })
    .option('-o, --out <FILE>', 'File')
    .action(() => undefined);
  program.command('show <FILE>').action(() => undefined);
  program
    .command('pause <SCOPE>')
    .requiredOption('--reason <REASON>')
    .action(() => undefined);
  try {
    program.parse(words, { from: 'user' });
  } catch {
    // What was printed is looked at.
  }
  return text.trim();
}

it.each([
  [['plna'], 'error: Unknown command "plna".\nDid you mean "plan"?'],
  [['plan', '--outt', 'x'], 'error: Unknown flag "--outt".\nDid you mean "--out"?'],
  [['plan', '--out'], 'error: --out requires FILE.'],
  [['plan', 'a', 'b'], 'error: Too many arguments for plan: 2 instead of 0.'],
  [['show'], 'error: FILE is required.'],
  [['pause', 'fleet'], 'error: --reason REASON is required.'],
])('says of %j what is wrong with it', (words, message) => {
  expect(said(...words)).toBe(message);
});

it.each([
  [
    "error: option '--format <FORMAT>' argument 'xml' is invalid. Write one of text, json.",
    'error: Invalid value "xml" for --format. Write one of text, json.',
  ],
  [
    "error: option '-o, --out <FILE>' argument '' is invalid. Write a name.",
    'error: Invalid value "" for --out. Write a name.',
  ],
  [
    "error: command-argument value 'x' is invalid for argument 'RESOURCE'. Write one of a, b.",
    'error: Invalid RESOURCE "x". Write one of a, b.',
  ],
  ['next: Run `fleetform --help`.', 'next: Run `fleetform --help`.'],
])('rewrites %j, and nothing that it does not know', (text, message) => {
  expect(usageWords(text)).toBe(message);
});

it('knows the help that its commands do not list', () => {
  expect(usageWords("error: unknown command 'hlep'\n")).toContain('Did you mean "help"?');
  expect(usageWords("error: unknown command 'plan2'\n")).not.toContain('help');
});
