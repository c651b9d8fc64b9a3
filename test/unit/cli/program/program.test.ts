import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../../src/cli/program/program.ts';
import { usageWords } from '../../../../src/render/words/commands.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { LEASE_TTL } from '../../../../src/store/lease.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { allCommands, commandTree } from '../../../support/command-tree.ts';

/** What a wrong command line prints. */
async function answer(line: string | readonly string[]): Promise<string> {
  const err = outputDouble();
  const shell = { out: outputDouble(), err } as unknown as Shell;
  const program = createProgram(
    shell,
    () => undefined,
    (text) => err.write(usageWords(text)),
  );
  for (const command of allCommands(program)) command.exitOverride();
  const words = typeof line === 'string' ? line.split(' ') : [...line];
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow(/./);
  return err.text().replace(/\s+/g, ' ');
}

describe('a typo is answered by the nearest word', () => {
  it.each([
    ['pln', 'plan'],
    ['plan --fromat json', '--format'],
    ['plan --format jsn', 'json'],
    ['init --approval comit', 'commit'],
    ['audit verfy', 'verify'],
    ['init incidnt', 'incident'],
    ['ci plann', 'plan'],
    ['completion bsh', 'bash'],
    ['get devises', 'devices'],
    ['report complience', 'compliance'],
  ])('%s', async (line, word) => {
    expect(await answer(line)).toMatch(new RegExp(`Did you mean "${word}"\\?[^]*next: Run`));
  });

  it.each([
    ['init', '--organization', ''],
    ['plan', '--fleet', ''],
    ['pause', 'fleet', '--reason', ''],
  ])('an empty value is none: %s %s', async (...words) => {
    expect(await answer(words)).toContain('Write a value, or leave the flag out.');
  });

  it.each([
    ['unpause --tiket T-1', 'unpause'],
    ['ci look --onyl x', 'ci look'],
  ])('%s names the help of its command', async (line, command) => {
    expect(await answer(line)).toContain(`next: Run \`fleetform ${command} --help\`.`);
  });

  it.each([
    ['plan --expires tomorrow', 'tomorrow'],
    ['apply --yes --wait soon', 'soon'],
    ['why', 'DEVICE'],
  ])('%s says what it was', async (line, named) => {
    expect(await answer(line)).toContain(named);
  });

  it.each([
    ['pause fleet --reason one --reason two', '--reason'],
    ['audit --device dev-1 --device dev-2', '--device'],
    ['plan -o one.json --out two.json', '--out'],
  ])('a value that another would replace is not dropped unsaid: %s', async (line, flag) => {
    expect(await answer(line)).toMatch(new RegExp(`${flag} .*is given twice`));
  });

  it('in the closed list of every flag and argument', async () => {
    const lists = allCommands(commandTree()).flatMap((command) => [
      ...command.options.map(({ argChoices, parseArg }) => ({ argChoices, parseArg })),
      ...command.registeredArguments.map(({ argChoices, parseArg }) => ({ argChoices, parseArg })),
    ]);
    const closed = lists.filter(({ argChoices }) => argChoices !== undefined);
    expect(closed.length).toBeGreaterThan(20);
    for (const { argChoices = [], parseArg } of closed)
      expect(() => parseArg?.(`${argChoices[0] ?? ''}x`, undefined as never)).toThrow(
        /Did you mean /,
      );
  });
});

describe('a lost runner keeps its lease', () => {
  it('until the next run of a workflow has watched it for twice its life', () => {
    const shell = { out: outputDouble(), err: outputDouble() } as unknown as Shell;
    const program = createProgram(shell, () => undefined);
    const ci = program.commands.find((each) => each.name() === 'ci');
    const apply = ci?.commands.find((each) => each.name() === 'apply');
    expect(apply?.getOptionValue('lockWait')).toBeGreaterThan(2 * LEASE_TTL.git);
  });
});
