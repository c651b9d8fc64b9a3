import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isUsageError, WorldError, type WorldCode } from '../../model/error.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import { exitOfThrown } from '../../shell/exit.ts';
import { printMessages } from '../../shell/messages.ts';
import { withOwnNames } from '../../shell/credentials.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { readCommit } from '../repository.ts';
import { resolveTarget, type ServiceTarget } from '../target.ts';
import { notifyUnstarted } from './notify-run.ts';
import { folderHere } from '../here.ts';

export interface UnstartedRun {
  readonly fleet: string;
  /** File for its outcome, for the issue and the comment; absent: none. */
  readonly outcome?: string;
  readonly error: unknown;
}

/** A stop was asked for; the run of the newest commit tells of itself (protocol M8). */
const QUIET: ReadonlySet<WorldCode> = new Set(['stopped', 'documentsNotNewest']);

/**
 * Tells of a run that could not start: invalid documents, missing credentials, a service that is
 * away. It leaves an outcome without policies, by which the last job opens the issue, and tells the
 * webhook, unless the run has done so. Without a readable entry `service` the receiver is unknown.
 * A failure here is printed and does not hide the error of the run. Never throws.
 */
export async function reportUnstarted(shell: Shell, run: UnstartedRun): Promise<void> {
  // A command line is the matter of whoever wrote it.
  if (isUsageError(run.error)) return;
  if (run.error instanceof WorldError && QUIET.has(run.error.code)) return;
  try {
    const { loadFleet } = await import('../../config/load.ts');
    const { documents, service } = await loadFleet(fleetFolder(shell, run.fleet));
    const settings = (documents?.service ?? service)?.value;
    if (!settings) return;
    const target = resolveTarget(settings, undefined, shell.env);
    const commit = await readCommit(folderHere(shell, run.fleet));
    if (run.outcome !== undefined && commit)
      await leave(shell, run.outcome, { error: run.error, target, commit: commit.commit });
    const folder = fleetFolder(shell, run.fleet);
    const known = { folder, service: { value: settings } };
    const parts = { shell, documents: known, target, commit, command: 'ci apply' };
    await notifyUnstarted(parts, run.error);
  } catch (error) {
    const { untoldWords } = await import('../../render/words/last-words.ts');
    printMessages(shell, [untoldWords(error, exitOfThrown(run.error))]);
  }
}

async function leave(
  shell: Shell,
  file: string,
  {
    error,
    target,
    commit,
  }: { readonly error: unknown; readonly target: ServiceTarget; readonly commit: string },
): Promise<void> {
  const [{ unstartedJson }, { unstartedStep }] = await Promise.all([
    import('../../render/outputs/outcome.ts'),
    import('../../render/words/review/outcome.ts'),
  ]);
  const own = withOwnNames(error, shell.fleet);
  const failure = own instanceof WorldError ? own : undefined;
  const invalid = error instanceof InvalidDocuments ? error.diagnostics.length : undefined;
  const left = unstartedJson({
    commit,
    service: target.fingerprint,
    now: shell.clock.now(),
    exit: exitOfThrown(error),
    next: unstartedStep(failure, invalid),
  });
  writeFileSync(resolve(shell.cwd, file), `${JSON.stringify(left)}\n`);
}
