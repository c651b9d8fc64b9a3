import type { Checkup } from '../../model/report/checkup.ts';
import { EXIT, type ExitCode } from '../../shell/exit.ts';
import { printBlocks, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

const EXIT_OF_RESULT: Readonly<Record<Checkup['result'], ExitCode>> = {
  fits: EXIT.done,
  differs: EXIT.changes,
  unusable: EXIT.unfit,
};

/**
 * Checks the service against the dialect table by reads alone. It needs no more than an entry
 * `service`, and other invalid documents are no obstacle.
 */
export const doctor = command({
  name: 'doctor',
  summary: 'Check the service',
  more: 'Compares it with what fleetform assumes. Sends reads and the token request only. Exits with 2 if something differs.',
  examples: [
    'doctor',
    'doctor --all # every assumption, with what was observed',
    'doctor --task 42 --format json',
  ],
  environment: [...flag.SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  flags: {
    ...flag.CONNECTION,
    task: flag.text('ID', 'ID of a finished task, to check its steps too'),
    all: flag.on('Show every assumption, confirmed ones too'),
    format: flag.format,
  },
  async run(flags, shell) {
    const { findSettings, loadedDocuments } = await import('../../operations/adopt/settings.ts');
    const loaded = await loadedDocuments(flags, shell);
    const settings = await findSettings(flags, shell, loaded);
    const { checkHeads, examineService } = await import('../../operations/adopt/doctor.ts');
    if (!shell.isQuiet) {
      const { MOST_REQUESTS } = await import('../../doctor/examine.ts');
      const { announceWords } = await import('../../render/words/doctor/doctor-words.ts');
      const { printMessages } = await import('../../shell/messages.ts');
      printMessages(shell, [announceWords(MOST_REQUESTS, settings.pace.requestsPerSecond)]);
    }
    const { checkup: ofService, target: service } = await examineService(shell, settings, flags);
    const { ledger } = (loaded?.documents?.service ?? loaded?.service)?.value ?? {};
    const ofLedger = await checkHeads(shell, ledger, {
      ...flags,
      service: service.baseUrl,
    });
    const checkup = { ...ofService, checks: [...ofService.checks, ...ofLedger] };
    const { doctorBlocks, doctorJson } = await import('../../render/outputs/doctor.ts');
    const all = flags.all === true;
    if (flags.format === 'json') await printJson(shell.out, doctorJson({ checkup, service }));
    else {
      const { listPolicies } = await import('../../model/documents/policies.ts');
      const isBare = loaded?.documents !== undefined && listPolicies(loaded.documents).length === 0;
      const step = isBare ? 'import' : 'plan';
      await printBlocks(shell, doctorBlocks({ checkup, service }, { all, step }));
    }
    return EXIT_OF_RESULT[checkup.result];
  },
});
