import { WorldError } from '../../../model/error.ts';
import { nearest } from '../../../lib/nearest-name.ts';
import { changedFleets, findFleets, type Fleet } from '../../../operations/find-fleets.ts';
import { findForge } from '../../../operations/job.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { baseIn } from './plan.ts';
import { addStepOutputs } from '../../process/step-outputs.ts';

interface CiFleetsFlags {
  /** The folder whose folders are the fleets. */
  readonly fleet: string;
  /** Only those that the pull request changes. */
  readonly changed?: boolean;
  readonly name?: string;
}

/**
 * `fleetform ci fleets`: lists the fleets of a repository of several organizations as JSON, and as
 * the output `fleets` of the step, for the matrix of the jobs after it. Outside a pull request
 * `--changed` changes nothing. Throws `usage` for a name that no fleet has.
 */
export async function ciFleetsCommand(flags: CiFleetsFlags, shell: Shell): Promise<number> {
  const all = findFleets(shell, flags.fleet);
  const base = flags.changed === true ? baseIn(shell.env, findForge(shell.env)) : undefined;
  const changed = base === undefined ? all : await changedFleets(shell, all, base);
  const fleets = flags.name === undefined ? changed : [findNamed(flags.name, changed)];
  const text = JSON.stringify(fleets);
  addStepOutputs(shell, { fleets: text });
  print(shell.out, [text]);
  return EXIT.done;
}

function findNamed(wanted: string, fleets: readonly Fleet[]): Fleet {
  const found = fleets.find(({ name }) => name === wanted);
  if (found) return found;
  const names = fleets.map(({ name }) => name);
  const near = nearest(wanted, names);
  const next = near === undefined ? '' : `; did you mean ${near}?`;
  throw new WorldError('usage', { message: `--name: there is no fleet with this name${next}` });
}
