import { textStyle, print, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/**
 * Writes a first fleet without any question, and its workflows where a forge is known. It takes values from git, the environment
 * and the service, and marks the rest in the files.
 */
export const init = command({
  name: 'init',
  summary: 'Create first documents; --ci adds workflows',
  more: 'Keeps existing files; --force replaces those of an earlier init that nobody edited. Reads the names of sites if credentials are set.',
  examples: [
    'init --service https://api.example.com --organization acme',
    'init --organization acme --time-zone Europe/Berlin',
    'init --ci gitlab --approval plan',
  ],
  environment: [...flag.SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  acts: true,
  flags: {
    fleet: flag.fleet,
    service: flag.service('Service URL (default: FLEETFORM_BASE_URL)'),
    organization: flag.text('NAME', 'Organization (default: FLEETFORM_ORGANIZATION)'),
    timeZone: flag.text('ZONE', 'Time zone of sites without a city in their name'),
    ci: flag.oneOf('FORGE', 'CI to write jobs for (default: from the remote)', [
      'github',
      'gitlab',
    ]),
    owners: flag.text('TEAM', 'Owner of all that CODEOWNERS lists, such as @acme/fleet'),
    branch: flag.text('NAME', 'Branch that apply runs on (default: from Git)'),
    approval: flag.oneOf('KIND', 'Approval of changes', ['commit', 'plan'], { default: 'commit' }),
    force: flag.on('Replace files of an earlier init that nobody edited'),
    format: flag.format,
  },
  async run(flags, shell) {
    const { initFleet } = await import('../../operations/adopt/init.ts');
    const summary = await initFleet(shell, flags);
    if (flags.format === 'json') return printJson(shell.out, summary);
    const { initWords } = await import('../../render/words/documents/init-words.ts');
    print(shell.out, initWords(summary, textStyle(shell.out, shell.env)));
  },
});
