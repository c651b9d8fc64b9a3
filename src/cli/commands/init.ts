import { textStyle, print, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import { fleet, format, on, oneOf, service, SERVICE_VARIABLES, text } from '../program/flags.ts';

/**
 * Writes a first fleet and its workflows without any question. It takes values from git, the environment
 * and the service, and marks the rest in the files.
 */
export const init = command({
  name: 'init',
  summary: 'Create a first fleet/ directory and CI workflows',
  more: 'Keeps existing files unless --force is given. Reads the names of sites if credentials are set.',
  examples: [
    'init --service https://api.example.com --organization acme',
    'init --organization acme --time-zone Europe/Berlin',
    'init --ci gitlab --approval plan',
  ],
  environment: [...SERVICE_VARIABLES, 'FLEETFORM_ORGANIZATION'],
  acts: true,
  flags: {
    fleet,
    service: service('Service URL (default: FLEETFORM_BASE_URL)'),
    organization: text('NAME', 'Organization (default: FLEETFORM_ORGANIZATION)'),
    timeZone: text('ZONE', 'Time zone of every site of the service'),
    ci: oneOf('FORGE', 'CI to write jobs for (default: from the remote)', ['github', 'gitlab']),
    branch: text('NAME', 'Branch that apply runs on (default: from Git)'),
    approval: oneOf('KIND', 'Approval of changes', ['commit', 'plan'], { default: 'commit' }),
    force: on('Replace existing files'),
    format,
  },
  async run(flags, shell) {
    const { initFleet } = await import('../../operations/adopt/init.ts');
    const summary = await initFleet(shell, flags);
    if (flags.format === 'json') return printJson(shell.out, summary);
    const { initWords } = await import('../../render/words/documents/init-words.ts');
    print(shell.out, initWords(summary, textStyle(shell.out, shell.env)));
  },
});
