import { describe, expect, test } from 'vitest';
import {
  complaint,
  pushAnswer,
  withoutUser,
  type PushAnswer,
} from '../../../src/git/push-answer.ts';

const REF = 'abc:refs/heads/fleetform-ledger';
const line = (flag: string, summary: string) => `To origin\n${flag}\t${REF}\t${summary}\n`;

interface Said {
  readonly exit?: number;
  readonly out?: string;
  readonly err?: string;
}

const DENIED = 'remote: Permission to acme/fleet.git denied to bot.\nfatal: no access: 403';

describe('what a push says', () => {
  test.each<[string, Said, PushAnswer]>([
    ['a new branch', { exit: 0, out: line('*', '[new branch]') }, { kind: 'moved' }],
    ['moved on', { exit: 0, out: line(' ', '1..2') }, { kind: 'moved' }],
    ['there already', { exit: 0, out: line('=', '[up to date]') }, { kind: 'moved' }],
    ['elsewhere', { out: line('!', '[rejected] (stale info)') }, { kind: 'behind' }],
    ['moved, and then it broke', { exit: 128, out: line(' ', '1..2') }, { kind: 'unclear' }],
    [
      'a lock of another push',
      { out: line('!', "[remote rejected] (cannot lock ref 'x': is at 1 but expected 2)") },
      { kind: 'unclear' },
    ],
    [
      'a race lost over there',
      { out: line('!', '[remote rejected] (failed to update ref)') },
      { kind: 'unclear' },
    ],
    [
      'a rule',
      { out: line('!', '[remote rejected] (protected branch hook declined)') },
      { kind: 'refused', why: 'protected branch hook declined' },
    ],
    ['no report', { out: line('!', '[remote failure] (no status)') }, { kind: 'unclear' }],
    ['a connection that broke', { exit: 128, err: 'fatal: hung up' }, { kind: 'unclear' }],
    ['a killed git', { exit: -1, err: DENIED }, { kind: 'unclear' }],
    ['nothing at all', { exit: 0 }, { kind: 'unclear' }],
    ['a missing right', { exit: 128, err: DENIED }, { kind: 'refused', why: 'no access: 403' }],
  ])('%s', (_, { exit = 1, out = '', err = '' }, answer) => {
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
