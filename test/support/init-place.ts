import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { init } from '../../src/cli/commands/init.ts';
import type { FlagsOf } from '../../src/cli/program/command.ts';
import { loadFleet } from '../../src/config/load.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import { createTwin } from '../../src/twin/twin.ts';
import { outputDouble } from './cli-output.ts';
import { scratchFolder } from './scratch.ts';
import { START, USERS } from './twin-rig.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { overFetch } from '../../src/model/http.ts';

/** A folder, a repository if it names a branch. */
export function createPlace(branch?: string): string {
  const place = scratchFolder('init');
  if (branch !== undefined) execFileSync('git', ['init', '-q', '-b', branch], { cwd: place });
  return place;
}

/** A twin whose sites bear names that YAML could read as something else. */
export function createShell(cwd: string, env: Shell['env'] = {}): Shell & { said(): string } {
  const clock = createVirtualClock(START);
  const out = outputDouble();
  const twin = createTwin({ clock, devices: 20, sites: 4, users: USERS });
  const names = ['HQ: Berlin', 'yes', '- {a: b} # c', 'Büro "Süd"\u202e'];
  const transport = async (request: Request): Promise<Response> => {
    const answer = await twin.handle(request);
    if (!new URL(request.url).pathname.endsWith('/sites')) return answer;
    const body = (await answer.json()) as { readonly data?: object[] } & Record<string, unknown>;
    const [key = '', rows = []] = Object.entries(body).find(([, each]) => Array.isArray(each)) as [
      string,
      object[],
    ];
    const renamed = rows.map((row, index) => ({ ...row, name: names[index] }));
    return Response.json({ ...body, [key]: renamed });
  };
  return {
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    cwd,
    out,
    err: outputDouble(),
    ask: undefined,
    clock,
    random: () => 0.5,
    stop: createStopSignal(),
    identity: { host: 'h', pid: 1, startedAt: '', label: 'x', isAlive: () => false },
    openTransport: async () => ({ transport: overFetch(transport), close: async () => undefined }),
    said: () => out.text(),
  };
}

export type InitFlags = FlagsOf<typeof init.flags>;

export const FLAGS: InitFlags = {
  fleet: 'fleet',
  format: 'json',
  approval: 'commit',
  ci: 'github',
};

/** The findings of its documents beside placeholders, which a person has to replace. */
export async function findings(place: string, fleet = 'fleet'): Promise<readonly unknown[]> {
  const loaded = await loadFleet(join(place, fleet));
  if (!loaded.documents) return ['no documents'];
  return loaded.diagnostics.filter(({ code }) => code !== 'fillIn');
}
