import { describe, expect, test } from 'vitest';
import { complaint, pushAnswer, withoutUser } from '../../../src/git/push-answer.ts';

const REF = 'abc:refs/heads/fleetform-ledger';
const line = (flag: string, summary: string) => `To origin\n${flag}\t${REF}\t${summary}\n`;

describe('what a push says', () => {
  test.each([
    ['a new branch', 0, line('*', '[new branch]'), '', { kind: 'moved' }],
    ['moved on', 0, line(' ', '1..2'), '', { kind: 'moved' }],
    ['there already', 0, line('=', '[up to date]'), '', { kind: 'moved' }],
    ['elsewhere', 1, line('!', '[rejected] (stale info)'), '', { kind: 'behind' }],
    ['moved, and then it broke', 128, line(' ', '1..2'), '', { kind: 'unclear' }],
    [
      'a lock of another push',
      1,
      line('!', "[remote rejected] (cannot lock ref 'x': is at 1 but expected 2)"),
      '',
      { kind: 'unclear' },
    ],
    [
      'a race lost there',
      1,
      line('!', '[remote rejected] (failed to update ref)'),
      '',
      { kind: 'unclear' },
    ],
    [
      'a rule',
      1,
      line('!', '[remote rejected] (protected branch hook declined)'),
      '',
      { kind: 'refused', why: 'protected branch hook declined' },
    ],
    [
      'no report',
      1,
      line('!', '[remote failure] (remote failed to report status)'),
      '',
      { kind: 'unclear' },
    ],
    [
      'a connection that broke',
      128,
      '',
      'fatal: the remote end hung up unexpectedly',
      { kind: 'unclear' },
    ],
    ['a killed git', -1, '', 'Permission to x denied', { kind: 'unclear' }],
    ['nothing at all', 0, '', '', { kind: 'unclear' }],
    [
      'a missing right',
      128,
      '',
      'remote: Permission to acme/fleet.git denied to bot.\nfatal: unable to access: 403',
      { kind: 'refused', why: 'unable to access: 403' },
    ],
  ])('%s', (_, exit, out, err, answer) => {
    expect(pushAnswer({ exit, out, err })).toEqual(answer);
  });
});

test('a complaint is one line, without what may be a password', () => {
  const err =
    "warning: x\nfatal: unable to access 'https://ada:hush@git.example.com/x.git/': no\nmore";
  expect(complaint(err)).toBe("unable to access 'https://git.example.com/x.git/': no");
  expect(complaint('')).toBe('');
  expect(withoutUser('ssh://git@host/x and https://a@b/c')).toBe('ssh://host/x and https://b/c');
});
