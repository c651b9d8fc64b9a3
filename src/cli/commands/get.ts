import type { Loaded } from '../../config/load.ts';
import { EXIT } from '../../shell/exit.ts';
import { cellWidth } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { collect, splitNames, toOutput } from '../program/flags.ts';

const RESOURCES = [
  'devices',
  'device',
  'sites',
  'sources',
  'discovered',
  'task',
  'vulnerabilities',
  'passwords',
  'certificates',
  'target-firmware',
  'firmware-paths',
];

const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
const output = { ...flag.formats(...FORMATS), short: '-o', parse: toOutput(FORMATS) };

/**
 * Reads anything from the service, or lists from a saved snapshot. The transport of this command allows
 * reads only. It needs no documents, and invalid ones are no obstacle.
 */
export const get = command({
  name: 'get',
  summary: 'Read devices, sites, tasks',
  more: 'Reads all pages at the pace of the service. Works without documents.',
  examples: [
    'get devices --filter status=offline',
    "get devices --select 'vendor: Axis' --count-by model,firmware",
    'get task 42 --steps',
  ],
  flags: {
    ...flag.CONNECTION,
    resource: flag.argument('RESOURCE', RESOURCES.join(', '), RESOURCES),
    id: flag.optionalArgument('ID', 'ID to read; for passwords and the like, the ID of the device'),
    ...flag.under('Rows:', {
      filter: flag.option('KEY=VALUE', 'Filter that the service applies (repeatable)', collect, {
        default: [],
      }),
      select: flag.text('SELECTOR', 'Only rows that this selector matches'),
      columns: flag.option('NAMES', 'Columns to print: headings or dotted fields', splitNames),
      countBy: flag.option('NAMES', 'Count rows by these columns', splitNames),
    }),
    snapshot: flag.snapshot(),
    ...flag.under('Rows:', {
      steps: flag.on('With task: print the steps of each device task'),
      status: flag.text('STATUS', 'With task: only device tasks with this status'),
      result: flag.text('RESULT', 'With task: only device tasks with this result'),
    }),
    output,
    format: flag.oneOf('FORMAT', 'Same as --output', FORMATS, { group: flag.OUTPUT }),
  },
  async run(flags, shell) {
    const { withConnection } = await import('../../operations/connect.ts');
    const { findSettings, loadedDocuments } = await import('../../operations/adopt/settings.ts');
    const { printRows } = await import('../../operations/rows/print-rows.ts');
    const loaded = await loadedDocuments(flags, shell);
    const selection = await loadSelection(flags.select, loaded);
    const written = flags.format ?? flags.output;
    const request = {
      ...flags,
      output: written,
      filters: flags.filter,
      ...(selection && { selection }),
    };
    const { printMessages } = await import('../../shell/messages.ts');
    const { out, env } = shell;
    const to = {
      out: (piece: string): void => void out.write(piece),
      err: (piece: string): void => {
        if (shell.isQuiet !== true) printMessages(shell, [piece]);
      },
      width: cellWidth(out, env),
    };
    if (flags.snapshot !== undefined) {
      const { snapshotSource } = await import('../../operations/rows/row-source.ts');
      const { readSnapshotFile } = await import('../../operations/snapshot-file.ts');
      const { snapshot: read } = await readSnapshotFile(shell, flags.snapshot);
      return printRows(request, { ...to, source: snapshotSource(read) });
    }
    const settings = await findSettings(flags, shell, loaded);
    const options = { ...flags, readOnly: true, isLedgerless: true };
    return withConnection(shell, settings, options, async ({ client }) => {
      try {
        return await printRows(request, { ...to, source: client });
      } catch (error) {
        if (shell.out.isUnread === true) return EXIT.done;
        throw error;
      }
    });
  },
});

async function loadSelection(select: string | undefined, loaded: Loaded | undefined) {
  if (select === undefined) return undefined;
  const { loadSelector } = await import('../../config/selector-flag.ts');
  return loadSelector(select, loaded?.files ?? []);
}
