import { expect, it } from 'vitest';
import { COMMANDS } from '../../../../src/cli/table.ts';
import { placed } from '../../../../src/render/tree.ts';

/** Those that run by themselves. */
const RUNNING = COMMANDS.flatMap(([, commands]) => commands).filter(
  ({ examples }) => examples.length > 0,
);

it.each(RUNNING.map((command) => [command.name, command] as const))(
  'a next step with %s names the folder of the documents if the command takes one',
  (name, { flags, shared }) => {
    const takesFolder = 'fleet' in { ...shared, ...flags };
    const line = `fleetform ${name}`;
    expect(placed(line, 'fleet/acme')).toBe(takesFolder ? `${line} --fleet fleet/acme` : line);
  },
);
