import { importFleet } from '../../../operations/adopt/import.ts';
import type { ImportFlags } from '../../../operations/adopt/import-place.ts';
import type { Adoption } from '../../../model/report/adoption.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printJson, textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

interface ImportCommandFlags extends ImportFlags {
  readonly all?: boolean;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform import`: writes documents that describe the fleet, or prints them with `--dry-run`.
 * Returns 2 where documents differ from the fleet, else 0.
 */
export async function importCommand(flags: ImportCommandFlags, shell: Shell): Promise<number> {
  const adoption = await importFleet(shell, flags);
  const folder = flags.out ?? flags.fleet;
  if (flags.format === 'json') {
    const { importJson } = await import('../../../render/data/import-json.ts');
    await printJson(shell.out, importJson(adoption, folder));
  } else
    await printText(
      adoption,
      { folder, isDry: flags.dryRun === true, all: flags.all === true },
      shell,
    );
  return adoption.differences.length > 0 ? EXIT.changes : EXIT.done;
}

/** With `--dry-run` the documents are the data, and the rest is a message. */
async function printText(
  adoption: Adoption,
  {
    folder,
    isDry,
    all,
  }: { readonly folder: string; readonly isDry: boolean; readonly all: boolean },
  shell: Shell,
): Promise<void> {
  const { importText } = await import('../../../render/text/adopt/import-text.ts');
  if (isDry) for (const { path, text } of adoption.files) print(shell.out, [`# ${path}`, text]);
  const to = isDry ? shell.err : shell.out;
  print(to, importText(adoption, folder, { ...textStyle(to, shell.env), all }));
}
