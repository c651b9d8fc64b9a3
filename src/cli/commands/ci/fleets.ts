import { resolve } from 'node:path';
import { nearest } from '../../../lib/nearest-name.ts';
import { print } from '../../../shell/output.ts';
import { addStepOutputs } from '../../process/step.ts';
import { usage } from '../../../model/error.ts';
import type { Fleet, Folder } from '../../../operations/find-fleets.ts';
import type { ForgeKind } from '../../../model/ports.ts';
import type { Shell } from '../../../shell/shell.ts';
import { command } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';

/**
 * The command before all others where a repository has several fleets: lists them as JSON, and as the
 * output `fleets` of the step, for the matrix of the jobs after it. Outside a pull request and
 * a merge queue `--changed` changes nothing, and says so on stderr. With `--work` it says on stderr of each fleet why it has work, or until when
 * it is left out (semantics N88), and how many may run at once. Throws `usage` for a name that no fleet has.
 */
export const ciFleets = command({
  name: 'ci fleets',
  summary: 'List the fleets of a repository of several organizations',
  more: 'Each folder below DIR that has documents is one fleet.',
  examples: ['ci fleets', 'ci fleets --work'],
  flags: {
    fleet: flag.text('DIR', 'Folder whose folders are the fleets', { default: 'fleet' }),
    changed: flag.on('Only those that the pull request changes'),
    name: flag.text('NAME', 'Only the one with this name'),
    work: flag.on('Only those with work, by documents, ledgers and the clock'),
    pipeline: flag.text('FILE', 'Save a child pipeline of GitLab that applies them'),
    setup: flag.oneOf('FORGE', 'Print the commands that set them up', ['github', 'gitlab']),
  },
  async run(flags, shell) {
    const { changedFleets, findFleets, foldersBelow, removedFleets } =
      await import('../../../operations/find-fleets.ts');
    const { baseOfJob, findForge } = await import('../../../operations/job.ts');
    const all = findFleets(shell, flags.fleet);
    const base = flags.changed ? baseOfJob(shell.env, findForge(shell.env)) : undefined;
    const beside = all[0]?.folder === flags.fleet ? [] : foldersBelow(shell, flags.fleet);
    const removed = base === undefined ? [] : await removedFleets(shell, beside, base);
    await say(shell, flags.changed === true && base === undefined, [...beside, ...removed]);
    const changed = base === undefined ? all : await changedFleets(shell, all, base);
    const named = flags.name === undefined ? changed : [findNamed(flags.name, changed)];
    const { fleets, parallel } = flags.work
      ? await withWork(shell, named)
      : { fleets: named, parallel: OF_ONE_REPOSITORY };
    if (flags.pipeline !== undefined) {
      const { applyPipeline } = await import('../../../init/gitlab-files.ts');
      const { replaceFile } = await import('../../../store/local-file.ts');
      const text = applyPipeline(fleets, parallel);
      await replaceFile(resolve(shell.cwd, flags.pipeline), text);
    }
    if (flags.setup !== undefined) return printSetup(shell, flags.setup, fleets);
    const shown = JSON.stringify(fleets);
    addStepOutputs(shell, { fleets: shown, parallel: String(parallel) });
    print(shell.out, [shown]);
  },
});

async function say(shell: Shell, isUncompared: boolean, beside: readonly Folder[]): Promise<void> {
  const { printMessages } = await import('../../../shell/messages.ts');
  const { JOB_WORDS, notCoveredLine } = await import('../../../render/words/job-words.ts');
  const lines = beside.flatMap(({ folder, why }) =>
    why === 'unusable' || why === 'removed' ? notCoveredLine(folder, why) : [],
  );
  printMessages(shell, isUncompared ? [...lines, JOB_WORDS.noBase] : lines);
}

/** How many runs write at once. A repository takes few pushes a minute, and a run makes several. */
const OF_ONE_REPOSITORY = 2;
const AT_MOST = 4;

async function withWork(shell: Shell, fleets: readonly Fleet[]) {
  const { findFleetWork } = await import('../../../operations/fleets-with-work.ts');
  const { printMessages } = await import('../../../shell/messages.ts');
  const { workLine } = await import('../../../render/words/job-words.ts');
  const now = shell.clock.now();
  const found = await findFleetWork(shell, fleets, now);
  printMessages(
    shell,
    found.map((each) => workLine(each.fleet.name, each, now)),
  );
  const handed = found.filter(({ from }) => from <= now);
  const remotes = handed.flatMap(({ remote }) => remote ?? []);
  const isShared = new Set(remotes).size < remotes.length;
  return {
    fleets: handed.map(({ fleet }) => fleet),
    parallel: isShared ? OF_ONE_REPOSITORY : AT_MOST,
  };
}

/** Documents name the branches to protect, so all must be valid. */
async function printSetup(shell: Shell, forge: ForgeKind, fleets: readonly Fleet[]): Promise<void> {
  const { setupCommands } = await import('../../../init/setup-commands.ts');
  const { loadDocuments } = await import('../../../operations/documents.ts');
  const { branchesOf } = await import('../../../store/store.ts');
  const all = fleets.map(async ({ name, folder }) => {
    const { service } = (await loadDocuments(shell, folder)).documents;
    return { name, ...branchesOf(service.value.ledger) };
  });
  print(shell.out, [setupCommands(forge, await Promise.all(all)).trimEnd()]);
}

function findNamed<T extends { readonly name: string }>(wanted: string, fleets: readonly T[]): T {
  const found = fleets.find(({ name }) => name === wanted);
  if (found) return found;
  const names = fleets.map(({ name }) => name);
  const near = nearest(wanted, names);
  const next = near === undefined ? '' : `; did you mean ${near}?`;
  throw usage(`--name: there is no fleet with this name${next}`);
}
