import { describe, expect, it } from 'vitest';
import { run } from '../../../../../src/cli/program/run-command-line.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { createStopSignal } from '../../../../../src/shell/stop-signal.ts';
import { createTwin } from '../../../../../src/twin/twin.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import { CLIENT_SECRETS } from '../../../../support/canary.ts';
import { START, USERS } from '../../../../support/twin-rig.ts';
import { createVirtualClock } from '../../../../support/virtual-clock.ts';
import { overFetch } from '../../../../../src/model/http.ts';

/** As the process does it: a write that nobody reads is noted, and the command is to wind up. */
function shellWithReaderOf(lines: number) {
  const clock = createVirtualClock(START);
  const twin = createTwin({ clock, devices: 4_000, sites: 3, users: USERS });
  const stop = createStopSignal();
  const out = outputDouble();
  const state = { isUnread: false, pages: 0 };
  const shell: Shell & { readonly err: ReturnType<typeof outputDouble> } = {
    env: {
      FLEETFORM_BASE_URL: 'http://127.0.0.1',
      FLEETFORM_ORGANIZATION: twin.organization,
      FLEETFORM_CLIENT_ID: 'a',
      FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin,
    },
    cwd: process.cwd(),
    out: {
      ...out,
      get isUnread() {
        return state.isUnread;
      },
      write: (text) => {
        out.write(text);
        if (out.text().split('\n').length <= lines || state.isUnread) return;
        state.isUnread = true;
        stop.request();
      },
    },
    err: outputDouble(),
    ask: undefined,
    clock,
    random: () => 0.5,
    stop,
    identity: { host: 'h', pid: 1, startedAt: '', label: 'x', isAlive: () => false },
    openTransport: async () => ({
      transport: overFetch((request) => {
        if (request.url.includes('/devices?')) state.pages += 1;
        return twin.handle(request);
      }),
      close: async () => undefined,
    }),
  };
  return { shell, state };
}

describe('get whose reader goes away, as head does', () => {
  it.each(['ndjson', 'csv', 'json'])(
    'as %s reads no further page and says nothing',
    async (format) => {
      const { shell, state } = shellWithReaderOf(10);
      expect(await run(['get', 'devices', '-o', format], shell)).toBe(0);
      expect(shell.err.text()).toBe('');
      expect(state.pages).toBeLessThan(4);
    },
  );
});
