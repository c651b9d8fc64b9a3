import { describe, expect, it } from 'vitest';
import { userStateFolder } from '../../../src/shell/state-folder.ts';

describe('userStateFolder', () => {
  it.each([
    ['XDG_STATE_HOME', { XDG_STATE_HOME: '/state', HOME: '/home/a' }, '/state/fleetform'],
    ['HOME', { HOME: '/home/a' }, '/home/a/.local/state/fleetform'],
    ['HOME for a relative one', { XDG_STATE_HOME: 's', HOME: '/h' }, '/h/.local/state/fleetform'],
    ['nothing', { PATH: '/bin' }, undefined],
    ['nothing but empty values', { XDG_STATE_HOME: '', HOME: '' }, undefined],
  ])('takes %s', (_, env, expected) => {
    expect(userStateFolder(env, 'linux')).toBe(expected);
  });

  it('takes the local data of the user on Windows, and no HOME', () => {
    expect(userStateFolder({ LOCALAPPDATA: '/data', HOME: '/h' }, 'win32')).toBe(
      '/data/fleetform/state',
    );
    expect(userStateFolder({ HOME: '/h' }, 'win32')).toBe(undefined);
  });
});
