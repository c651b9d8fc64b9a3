import { describe, expect, it } from 'vitest';
import { terminal } from '../../../../src/render/sinks/sinks.ts';
import { wrap, wrapMessage } from '../../../../src/render/sinks/wrap.ts';

const wrapped = (text: string, columns: number, hang = 0) => wrap(terminal(text), columns, hang);

describe('a command in a text', () => {
  it('moves to the next line rather than break', () => {
    expect(wrapped('next: look first, then run `fleetform resume fleet`', 40, 6)).toEqual([
      'next: look first, then run',
      '      `fleetform resume fleet`',
    ]);
  });

  it('is below the text, without backticks, where it is longer than a line', () => {
    const command = 'fleetform apply plan.json --approved abcdef:0123456789 --site "Campus Munich"';
    expect(wrapped(`next: run \`${command}\`, then look`, 50, 6)).toEqual([
      'next: run',
      '        fleetform apply plan.json \\',
      '          --approved abcdef:0123456789 \\',
      '          --site "Campus Munich"',
      '      then look',
    ]);
  });

  it('is one line of its own as a statement of SQL, whatever the width', () => {
    const sql = `INSERT INTO fleetform.grants VALUES ('00a6e114a4c8', 'fleet_job');`;
    for (const columns of [40, 80, 300])
      expect(wrapMessage(`next: Run: \`${sql}\``, columns).split('\n')).toEqual([
        'next: Run:',
        `      ${sql}`,
      ]);
  });

  it('keeps an argument whole that is longer than a line', () => {
    const digest = 'a'.repeat(90);
    expect(wrapped(`\`fleetform apply --approved ${digest}\``, 80)).toEqual([
      '  fleetform apply --approved \\',
      `    ${digest}`,
    ]);
  });

  it('is no command where a backtick has no other', () => {
    expect(wrapped('the name `of a device', 12)).toEqual(['the name `of', 'a device']);
  });
});

describe('a message', () => {
  it('hangs a next step below its text, and any other line by two', () => {
    const text = 'Locked by run 12 of CI.\n  next: Wait with `--lock-wait 10m`, or stop the run.';
    expect(wrapMessage(text, 30).split('\n')).toEqual([
      'Locked by run 12 of CI.',
      '  next: Wait with',
      '        `--lock-wait 10m`, or',
      '        stop the run.',
    ]);
  });

  it('leaves what fits, data and commands of a runner as they are', () => {
    const json = '{"unrecorded":{"attemptId":"n1-2","taskId":"task 1"}}';
    const command = '::warning title=fleetform::Cannot notify the host: it answered 500.';
    for (const line of [json, command, '  | a table   row'])
      expect(wrapMessage(line, 40)).toBe(line);
  });
});
