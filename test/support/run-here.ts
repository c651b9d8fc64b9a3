import { readFileSync } from 'node:fs';
import { openTransport } from '../../src/api/transport/transport.ts';
import { run } from '../../src/cli/program/run-command-line.ts';
import { systemClock } from '../../src/shell/clock.ts';
import { identifyProcess } from '../../src/shell/identity.ts';
import type { Output, Shell } from '../../src/shell/shell.ts';
import { userStateFolder } from '../../src/shell/state-folder.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import type { Done, Env } from './blackbox.ts';

/**
 * Runs a command line of the present sources in this process: on real files, sockets and git, in real time. A process
 * of its own would load all of the program for each command, which takes several times as long as most of them.
 */
export async function runHere(cwd: string, args: readonly string[], env: Env): Promise<Done> {
  const [out, err] = [outputDouble(), outputDouble()];
  const stop = createStopSignal();
  const stateFolder = userStateFolder(env);
  const authority = env['NODE_EXTRA_CA_CERTS'] || undefined;
  const ca = authority === undefined ? {} : { ca: [readFileSync(authority, 'utf8')] };
  const shell: Shell = {
    env,
    cwd,
    out,
    err,
    ask: undefined,
    clock: systemClock,
    random: Math.random,
    stop,
    identity: identifyProcess(process.pid, env),
    ...(stateFolder !== undefined && { stateFolder }),
    openTransport: () => Promise.resolve(openTransport({ env, ...ca })),
  };
  const code = await run(args, shell);
  // Ends every wait, as the end of a process does.
  while (stop.requested !== 'now') stop.request();
  return { code, out: out.text(), err: err.text() };
}

function outputDouble(): Output & { text(): string } {
  const written: string[] = [];
  return {
    write: (text) => void written.push(text),
    isTerminal: false,
    columns: 80,
    text: () => written.join(''),
  };
}
