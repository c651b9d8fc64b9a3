import { expect, it } from 'vitest';
import { printJson, printWrapped } from '../../../src/shell/output.ts';

it('wraps sentences at 80 columns in a log, and a next step below its colon', async () => {
  let text = '';
  const out = { write: (more: string) => void (text += more), isTerminal: false, columns: 200 };
  const digest = 'd'.repeat(64);
  await printWrapped({ out, env: {} }, [
    `Saved for the gate: fleetform-shown.json, digest ${digest}.`,
    'next: approve this run at its gate (environment fleet-approve); the gate approves only what is shown here.',
    'By \u001b[31mevil\u202e.',
  ]);
  expect(text.split('\n')).toEqual([
    'Saved for the gate: fleetform-shown.json, digest',
    `  ${digest}.`,
    'next: approve this run at its gate (environment fleet-approve); the gate',
    '      approves only what is shown here.',
    'By \\u{1b}[31mevil\\u{202e}.',
    '',
  ]);
});

it('prints a large number as it is: whether it is an instant, its name says', async () => {
  let text = '';
  const out = { write: (more: string) => void (text += more), isTerminal: false, columns: 80 };
  await printJson(out, { seed: 200_000_000_000 });
  expect(JSON.parse(text)).toEqual({ version: 1, seed: 200_000_000_000 });
});
