import type { Loaded } from '../config/load.ts';
import { hasError, type Diagnostic } from '../model/documents/diagnostic.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Clock } from '../model/ports.ts';
import { InvalidDocuments } from '../model/documents/quoted.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import type { Here, LedgerHere } from './here.ts';

/**
 * Loads and checks all documents, for commands about their service. Throws `InvalidDocuments` if there are errors
 * among the problems, and `simulatorAway` or `simulatorInCi` where the service is a simulator of this folder.
 */
export async function loadDocuments(shell: Shell, fleet: string): Promise<Here> {
  return checkDocuments(shell, await loadBeside(shell, fleet));
}

/** Loads the documents of a fleet; an error among their problems is that another one has its devices (protocol M14). */
export async function loadBeside(shell: Shell, fleet: string): Promise<Loaded> {
  const { loadFleet } = await import('../config/load.ts');
  const { findSharedService } = await import('./shared-service.ts');
  const loaded = await loadFleet(fleetFolder(shell, fleet));
  const shared = await findSharedService(shell, fleet, loaded);
  return { ...loaded, diagnostics: [...loaded.diagnostics, ...shared] };
}

async function checkDocuments(shell: Shell, loaded: Loaded): Promise<Here> {
  const { documents, files, diagnostics } = loaded;
  if (documents && !hasError(diagnostics)) {
    const { withCommits } = await import('./origins.ts');
    const { withOwnLedger } = await import('./simulator.ts');
    const { withPinnedApproval } = await import('./ground/pins.ts');
    const placed = await withOwnLedger(shell, withPinnedApproval(shell.env, documents));
    return { shell, documents: await withCommits({ shell, documents: placed }) };
  }
  throw new InvalidDocuments(await withProofs(loaded, shell), files);
}

/**
 * The documents, and the service whose ledger a command uses, whatever folders are beside them: a pause is never refused
 * for these. Throws as `loadDocuments`, and `baseUrlUnsafe`.
 */
export async function loadWithTarget(
  shell: Shell,
  { fleet, service }: { readonly fleet: string; readonly service?: string },
): Promise<LedgerHere> {
  const { loadFleet } = await import('../config/load.ts');
  const here = await checkDocuments(shell, await loadFleet(fleetFolder(shell, fleet)));
  const { resolveTarget } = await import('./target.ts');
  return { ...here, target: resolveTarget(here.documents.service.value, service, shell.env) };
}

/**
 * Adds the problems that the documents prove on their own. If some documents are invalid, the valid
 * ones are checked.
 */
export async function withProofs(
  { documents, provable, diagnostics }: Loaded,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): Promise<readonly Diagnostic[]> {
  const { lintDocuments } = await import('../lint/lint.ts');
  const sound = documents ?? provable;
  if (!sound) return diagnostics;
  return [...diagnostics, ...lintDocuments({ documents: sound, now: clock.now() })];
}

/** Throws `InvalidDocuments` where the problems of a plan include an error. */
export function requireValid(
  { diagnostics }: { readonly diagnostics: readonly Diagnostic[] },
  { files }: Pick<Documents, 'files'>,
): void {
  if (hasError(diagnostics)) throw new InvalidDocuments(diagnostics, files);
}
