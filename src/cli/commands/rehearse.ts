import { print, printJson, printBlocks } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { toCount, toHorizon, toInstant } from '../program/flags.ts';

export const rehearse = command({
  name: 'rehearse',
  summary: 'Try the documents on a copy',
  more:
    'Runs apply on a simulated copy of the fleet in virtual time and shows when waves finish, which windows are too short, and ' +
    'how many devices are down at once. Only reads from the service.',
  examples: ['rehearse --horizon 2d --runs 1', 'rehearse --snapshot fleet.snapshot --runs 3'],
  flags: {
    ...flag.CONNECTION,
    ...flag.reading(),
    from: flag.option('TIME', 'Start of the rehearsal (default: now)', toInstant),
    until: flag.until('End of the rehearsal (default: 14 days after its start)'),
    horizon: flag.option('DURATION', 'Length of the rehearsal, in place of --until', toHorizon),
    runs: flag.option('N', 'Number of simulations (default: up to 5)', toCount),
    seed: flag.option('N', 'Seed of the first simulation', toCount, { default: 1 }),
    faults: flag.text('FILE', 'Script of faults (JSON), compared with a run without'),
    snapshot: flag.snapshot(),
    saveSnapshot: flag.saveSnapshot,
    format: flag.formats('text', 'json', 'html'),
  },
  async run(flags, shell) {
    const { rehearseDocuments } = await import('../../operations/rehearse/rehearse-documents.ts');
    const { showProgress } = await import('../../shell/show-progress.ts');
    const onProgress = showProgress(shell);
    const report = await rehearseDocuments(shell, flags, (done, all) =>
      onProgress({ type: 'phase', name: 'rehearsing', done, of: all }),
    );
    if (flags.format === 'json') {
      const { rehearsalJson } = await import('../../render/data/output-json.ts');
      return printJson(shell.out, rehearsalJson(report));
    }
    if (flags.format === 'html') {
      const { rehearsalHtml } = await import('../../render/html/pages.ts');
      return print(shell.out, rehearsalHtml(report));
    }
    const { rehearsalBlocks } = await import('../../render/outputs/rehearsal.ts');
    await printBlocks(shell, rehearsalBlocks(report));
  },
});
