import { createInterface } from 'node:readline/promises';
import { systemClock } from './clock.ts';
import { identityOf } from './identity.ts';
import type { Output, Shell } from './shell.ts';
import { createStop } from './stop.ts';

const SECRET_NAMES = ['FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET'];

/**
 * The shell of a real process. `dispose` lets go of its signal handlers, so that nothing keeps it
 * alive.
 */
export function processShell(process: NodeJS.Process): Shell & { dispose(): void } {
  const stop = createStop();
  const onSignal = (): void => stop.request();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // A reader that went away (`| head`) is a wish to stop at once, not a failure.
  process.stdout.on('error', () => {
    stop.request();
    stop.request();
  });
  process.stderr.on('error', () => undefined);
  const env = takeEnvironment(process);
  return {
    env,
    cwd: process.cwd(),
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    ask:
      process.stdin.isTTY && process.stderr.isTTY
        ? (question) => ask(process, question)
        : undefined,
    clock: systemClock,
    random: Math.random,
    stop,
    identity: identityOf(process.pid, process.env),
    openTransport: async () => (await import('../api/transport.ts')).openTransport({ env }),
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/**
 * A copy of the environment; the credentials are then taken out of the real one, where child
 * processes would see them.
 */
function takeEnvironment(process: NodeJS.Process): Shell['env'] {
  const env = { ...process.env };
  for (const name of SECRET_NAMES) delete process.env[name];
  return env;
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

async function ask(process: NodeJS.Process, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } catch {
    return '';
  } finally {
    lines.close();
  }
}
