import { describe, expect, it } from 'vitest';
import { namesInSeveralFolders } from '../measure/shape.ts';
import { sources } from './sources.ts';

/** File names that stand in several folders because they mean one thing there; any other name is given once. */
const SHARED: Readonly<Record<string, string>> = {
  'a command, its use case, and what they tell':
    'apply approval approve audit checkup completion doctor drift explain import outcome pause plan snapshot status twin ' +
    'validate who why withdraw',
  'a section or a value of the documents: where it is read and checked, and where it counts':
    'approvals budgets cron entries freezes gates incidents policies renewals rollouts stops values windows',
  'a subject: its types or words, and the room that works with it':
    'blocked calendar counting facts field findings hint hours ledger-remote membership merge outcomes outlook ' +
    'part ports post progress review waves',
  'a task type: its rules, and its effect in the twin':
    'firmware onboard-device restart-device rotate-password rotate-ssl-certificate upgrade-firmware',
  'client and twin speak of the same, and share no code':
    'device dialect filters pages reads tokens wire',
  'an entry or a table of a folder': 'index main',
};

const listed = Object.values(SHARED).flatMap((names) => names.split(' '));
const found = [...namesInSeveralFolders(sources('src')).keys()].map((name) =>
  name.replace(/\.ts$/, ''),
);

describe('names of files', () => {
  it('stand in several folders only where they mean one thing', () => {
    expect(found.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('are not listed where they stand once', () => {
    expect(listed.filter((name) => !found.includes(name))).toEqual([]);
  });
});
