import { command } from '../program/command.ts';

/** Prints its help, which has what the help of the program leaves out. */
export const advanced = command({
  name: 'advanced',
  summary: 'List the other commands, variables and exit codes',
  examples: ['advanced'],
  flags: {},
  async run(_, _shell, registered) {
    registered?.outputHelp();
  },
});
