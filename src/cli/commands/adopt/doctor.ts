import type { ConnectFlags } from '../../../operations/connect.ts';
import type { DoctorOptions } from '../../../operations/adopt/doctor.ts';
import { findSettings, loadedDocuments } from '../../../operations/adopt/settings.ts';
import type { Checkup } from '../../../model/report/checkup.ts';
import { EXIT, type ExitCode } from '../../../shell/exit.ts';
import { printMessages } from '../../../shell/messages.ts';
import { print, printJson, textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

interface DoctorFlags extends ConnectFlags, DoctorOptions {
  readonly all?: boolean;
  readonly format: 'text' | 'json';
}

const EXIT_OF_RESULT: Readonly<Record<Checkup['result'], ExitCode>> = {
  fits: EXIT.done,
  differs: EXIT.changes,
  unusable: EXIT.unfit,
};

/**
 * `fleetform doctor`: checks the service against the dialect table by reads alone. It needs no more
 * than an entry `service`, and other invalid documents are no obstacle.
 */
export async function doctorCommand(flags: DoctorFlags, shell: Shell): Promise<number> {
  const loaded = await loadedDocuments(flags, shell);
  const settings = await findSettings(flags, shell, loaded);
  const [{ examineService }, { checkHeads }, { doctorText }, { announceWords }, { MOST_REQUESTS }] =
    await Promise.all([
      import('../../../operations/adopt/doctor.ts'),
      import('../../../operations/ground/see-heads.ts'),
      import('../../../render/text/doctor/doctor-text.ts'),
      import('../../../render/words/doctor/doctor-words.ts'),
      import('../../../doctor/examine.ts'),
    ]);
  if (!shell.isQuiet)
    printMessages(shell, [announceWords(MOST_REQUESTS, settings.pace.requestsPerSecond)]);
  const { checkup: ofService, target: service } = await examineService(shell, settings, flags);
  const { ledger } = (loaded?.documents?.service ?? loaded?.service)?.value ?? {};
  const ofLedger = await checkHeads(shell, ledger, flags);
  const checkup = { ...ofService, checks: [...ofService.checks, ...ofLedger] };
  if (flags.format === 'json') {
    const { doctorJson } = await import('../../../render/data/doctor-json.ts');
    await printJson(shell.out, doctorJson({ checkup, service }));
  } else
    print(
      shell.out,
      doctorText({ checkup, service, all: flags.all === true }, textStyle(shell.out, shell.env)),
    );
  return EXIT_OF_RESULT[checkup.result];
}
