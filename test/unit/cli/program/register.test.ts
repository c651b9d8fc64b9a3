import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { command, type AnyCommand } from '../../../../src/cli/program/command.ts';
import * as flag from '../../../../src/cli/program/flags.ts';
import { register } from '../../../../src/cli/program/program.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { toCount } from '../../../../src/cli/program/flags.ts';

/** What the commands get of a command line, and the exit code of the one that ran. */
async function given(line: readonly string[], name = 'draw') {
  const got: { flags?: unknown; exit?: number } = {};
  const flags = {
    shape: flag.argument('SHAPE', 'Shape', ['circle', 'square']),
    place: flag.optionalArgument('PLACE', 'Place'),
    title: flag.text('TITLE', 'Title'),
    corners: flag.option('N', 'Corners', toCount, { default: 4 }),
    keepLines: flag.on('Keep the lines'),
    wait: flag.duration('How long to wait', '2m'),
  };
  const draw = command({
    name,
    summary: 'Draw',
    examples: ['draw circle'],
    flags,
    run: (all) => Promise.resolve(void (got.flags = all)),
  });
  const below = command({
    name: `${name} again`,
    summary: 'Draw again',
    examples: ['draw again'],
    flags: { times: flag.option('N', 'Times', toCount, { must: true }) },
    shared: { title: flags.title },
    run: (all) => Promise.resolve((got.flags = all) && 7),
  });
  const program = new Command('test').exitOverride().configureOutput({ writeErr: () => undefined });
  const parts = { shell: {} as Shell, onExit: (exit: number) => void (got.exit = exit) };
  const ci = command({ name: 'ci', summary: 'CI', examples: [], flags: {}, run: async () => {} });
  for (const each of [ci, draw, below] as readonly AnyCommand[])
    register(program, 'Test:', each, parts);
  await program.parseAsync([...line], { from: 'user' });
  return got;
}

describe('a declared command', () => {
  it('gets its arguments and flags by their names, parsed, and what is absent not at all', async () => {
    expect(await given(['draw', 'circle'])).toEqual({
      flags: { shape: 'circle', corners: 4, wait: 120_000 },
      exit: 0,
    });
    const line = ['draw', 'square', 'here', '--corners', '5', '--keep-lines', '--wait', '1h'];
    expect((await given([...line, '--title', 'x'])).flags).toEqual({
      shape: 'square',
      place: 'here',
      title: 'x',
      corners: 5,
      keepLines: true,
      wait: 3_600_000,
    });
  });

  it('gets the flags of the command above that it shares, and its exit code counts', async () => {
    const { flags, exit } = await given(['draw', 'again', '--times', '2', '--title', 'x']);
    expect(flags).toMatchObject({ times: 2, title: 'x' });
    expect(exit).toBe(7);
  });

  it.each([
    [['draw'], 'missing required argument'],
    [['draw', 'oval'], 'Write one of circle, square.'],
    [['draw', 'circle', '--corners', 'x'], 'Write a whole number.'],
    [['draw', 'circle', '--title', ''], 'Write a value, or leave the flag out.'],
    [['draw', 'again'], '--times'],
  ])('%j is refused', async (line, message) => {
    await expect(given(line)).rejects.toThrow(message);
  });

  it('takes the empty input of a workflow for a text', async () => {
    const { flags } = await given(['ci', 'draw', 'circle', '--title', ''], 'ci draw');
    expect(flags).toMatchObject({ title: '' });
  });
});
