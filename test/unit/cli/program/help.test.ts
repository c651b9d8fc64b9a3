import { expect, it } from 'vitest';
import { commandTree } from '../../../support/command-tree.ts';

/** 18 commands in four groups, at 80 columns, and where the rest is. */
const PAGE = `Infrastructure as code for camera fleets: plan, review, apply and verify.

Usage: fleetform COMMAND [flags]

Start:
  init       Create first documents; --ci adds workflows
  import     Describe the live fleet
  doctor     Check the service
  twin       Simulate a service
Every day:
  status     Show what is done, later and needs you
  plan       Show what apply would change and why
  apply      Apply, and verify every device
  why        Explain a device or a line (FILE:LINE)
  pause      Stop a policy, a site or the fleet
  unpause    Let it go on
Write:
  validate   Check the documents offline
  explain    Describe a field
  show       Show a saved plan
  get        Read devices, sites, tasks
Watch:
  drift      Show devices that others changed
  report     Report availability and compliance
  rehearse   Try the documents on a copy
  audit      Show and prove what was done

More: \`fleetform advanced\`; flags: \`fleetform COMMAND --help\`
`;

it('the help of the program is one page', () => {
  expect(commandTree().helpInformation()).toBe(PAGE);
});

it('`advanced` has the other commands, the flags of all, the variables and the exit codes', () => {
  const page = commandTree()
    .commands.find((each) => each.name() === 'advanced')
    ?.helpInformation();
  const names = [...(page ?? '').matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const commands = ['ci', 'ledger', 'recover', 'resolve', 'unlock', 'withdraw', 'completion'];
  expect(names).toEqual([...commands, 'fleetform']);
  for (const text of ['--version', 'FLEETFORM_CLIENT_ID ', 'HTTPS_PROXY', 'Exit codes: 0'])
    expect(page).toContain(text);
});
