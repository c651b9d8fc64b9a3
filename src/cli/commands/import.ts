import { EXIT } from '../../shell/exit.ts';
import { print, printBlocks, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/**
 * Writes documents that describe the fleet, or prints them with `--dry-run`: then the documents are the
 * data, and the rest is a message. Returns 2 where documents differ from the fleet, else 0. It has flags of a first
 * run, as `init` does: a service that no document names yet.
 */
export const importDocuments = command({
  name: 'import',
  summary: 'Describe the live fleet',
  more:
    'Writes documents with which a plan has no changes. Replaces no file: a second run shows how the fleet differs ' +
    'and exits with 2. Only reads from the service.',
  examples: [
    'import --time-zone Europe/Berlin',
    'import --snapshot fleet.snapshot --dry-run',
    'import --out fleet/imported --format json',
  ],
  environment: [...flag.SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  acts: true,
  flags: {
    ...flag.CONNECTION,
    organization: flag.text('NAME', 'Organization, if no document names it'),
    timeZone: flag.text('ZONE', 'Time zone of sites without a city in their name'),
    ...flag.under(flag.OUTPUT, {
      out: flag.text('DIR', 'Directory to write to (default: that of --fleet)'),
      onboarding: flag.on('List discovered devices, too'),
      dryRun: flag.on('Print the documents and write none'),
      all: flag.on('List every difference instead of the first ones'),
    }),
    snapshot: flag.snapshot(),
    saveSnapshot: flag.saveSnapshot,
    format: flag.format,
  },
  async run(flags, shell) {
    const { importFleet } = await import('../../operations/adopt/import.ts');
    const adoption = await importFleet(shell, flags);
    const folder = flags.out ?? flags.fleet;
    const { importBlocks, importJson } = await import('../../render/outputs/import.ts');
    if (flags.format === 'json') await printJson(shell.out, importJson(adoption, folder));
    else {
      if (flags.dryRun)
        for (const { path, text } of adoption.files) print(shell.out, [`# ${path}`, text]);
      const to = flags.dryRun ? shell.err : shell.out;
      const all = flags.all === true;
      await printBlocks({ out: to, env: shell.env }, importBlocks(adoption, folder, { all }));
    }
    return adoption.differences.length > 0 ? EXIT.changes : EXIT.done;
  },
});
