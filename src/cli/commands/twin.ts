import { usage } from '../../model/error.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { toCount, toMilliseconds } from '../program/flags.ts';

export const twin = command({
  name: 'twin',
  summary: 'Simulate a service',
  more: 'Listens on loopback only. Prints its URL and the credentials of its users, and keeps them and its world below .fleetform for the commands of this directory, unless --world names a file.',
  examples: [
    'twin',
    'twin --devices 4000 --seed 1 --world world.json --write-env .env',
    'twin --demo',
  ],
  acts: true,
  flags: {
    port: flag.option(
      'PORT',
      'Port, 0 for any free one (default: the first from 8080 on)',
      toCount,
    ),
    format: flag.format,
    ...flag.under('Fleet:', {
      devices: flag.option('N', 'Number of devices (default: 1000)', toCount),
      sites: flag.option('N', 'Number of sites (default: 12)', toCount),
      seed: flag.option('N', 'Seed of the fleet and its credentials', toCount),
      world: flag.text('FILE', 'Load the world from FILE and save it on exit'),
    }),
    ...flag.under('Behavior:', {
      faults: flag.text('FILE', 'Script of faults (JSON)'),
      dialect: flag.text('FILE', 'Dialect of the service (JSON, keys of docs/dialect.md)'),
      unknownFilters: flag.oneOf('BEHAVIOR', 'How to answer an unknown filter', [
        'ignore',
        'refuse',
        'empty',
      ]),
      latency: flag.option('DURATION', 'Delay of every response', toMilliseconds),
      rateLimit: flag.option('N', 'Requests per second and endpoint before 429', Number),
      maxDevicesPerTask: flag.option('N', 'Maximum devices per task (default: 100)', toCount),
      timeScale: flag.option('N', 'Divide durations of tasks and reboots by N', Number, {
        default: 1,
      }),
      keepRunning: flag.on('Do not stop when the shell that started it ends'),
      writeEnv: flag.text('FILE', 'Write URL and admin credentials to FILE'),
    }),
    ...flag.under('Demo:', {
      demo: flag.on('Run the whole workflow in less than a minute'),
      keep: flag.text('DIR', 'Keep documents, plan and ledger of the demo in DIR'),
    }),
  },
  async run(flags, shell) {
    const { demo, keep, format, timeScale, ...others } = flags;
    if (demo) {
      if (format !== 'text' || timeScale !== 1 || Object.keys(others).length > 0)
        throw usage('`twin --demo` has a fleet of its own and takes only --keep DIR');
      const { runDemo } = await import('./demo.ts');
      return runDemo(shell, keep);
    }
    if (keep !== undefined) throw usage('--keep belongs to `twin --demo`');
    const { runTwin } = await import('../../operations/serve-twin.ts');
    const { printMessages } = await import('../../shell/messages.ts');
    return runTwin(flags, {
      cwd: shell.cwd,
      out: (piece) => shell.out.write(piece),
      err: (piece) => printMessages(shell, [piece]),
      signal: shell.stop.draining,
    });
  },
});
