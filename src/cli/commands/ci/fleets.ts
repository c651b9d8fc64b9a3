import { nearest } from '../../../lib/nearest-name.ts';
import { print } from '../../../shell/output.ts';
import { addStepOutputs } from '../../process/step.ts';
import { usage } from '../../../model/error.ts';
import { command } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';

/**
 * The command before all others where a repository has several fleets: lists them as JSON, and as the
 * output `fleets` of the step, for the matrix of the jobs after it. Outside a pull request and
 * a merge queue `--changed` changes nothing. Throws `usage` for a name that no fleet has.
 */
export const ciFleets = command({
  name: 'ci fleets',
  summary: 'List the fleets of a repository of several organizations',
  more: 'Each folder below DIR that has documents is one fleet.',
  examples: ['ci fleets'],
  flags: {
    fleet: flag.text('DIR', 'Folder whose folders are the fleets', { default: 'fleet' }),
    changed: flag.on('Only those that the pull request changes'),
    name: flag.text('NAME', 'Only the one with this name'),
  },
  async run(flags, shell) {
    const { changedFleets, findFleets } = await import('../../../operations/find-fleets.ts');
    const { baseOfJob, findForge } = await import('../../../operations/job.ts');
    const all = findFleets(shell, flags.fleet);
    const base = flags.changed ? baseOfJob(shell.env, findForge(shell.env)) : undefined;
    const changed = base === undefined ? all : await changedFleets(shell, all, base);
    const fleets = flags.name === undefined ? changed : [findNamed(flags.name, changed)];
    const shown = JSON.stringify(fleets);
    addStepOutputs(shell, { fleets: shown });
    print(shell.out, [shown]);
  },
});

function findNamed<T extends { readonly name: string }>(wanted: string, fleets: readonly T[]): T {
  const found = fleets.find(({ name }) => name === wanted);
  if (found) return found;
  const names = fleets.map(({ name }) => name);
  const near = nearest(wanted, names);
  const next = near === undefined ? '' : `; did you mean ${near}?`;
  throw usage(`--name: there is no fleet with this name${next}`);
}
