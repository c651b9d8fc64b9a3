import type { RequiredHead } from '../store/head-pin.ts';
import { documentsFolder, type PlacedDocuments } from './documents.ts';
import { LEDGER_DEFAULTS } from '../model/ledger/ground.ts';
import type { Shell } from '../shell/shell.ts';
import type { ServiceTarget } from './target.ts';

/** The remote that shares notes: that of the ledger, or none. */
export function notesRemote(documents: PlacedDocuments): string | undefined {
  const { ledger } = documents.service.value;
  return ledger?.store === 'git' ? (ledger.remote ?? LEDGER_DEFAULTS.remote) : undefined;
}

/** Fetches the notes of the remote if it shares them; a failed fetch is ignored. */
export async function shareNotes(shell: Shell, documents: PlacedDocuments): Promise<void> {
  const remote = notesRemote(documents);
  if (remote === undefined || /^-|^[\w+.-]*::/.test(remote)) return;
  const [{ fetchNotes }, { remoteGit }] = await Promise.all([
    import('../git/write-note.ts'),
    import('../git/git.ts'),
  ]);
  const git = remoteGit(documentsFolder(shell, documents), shell.env, { silence: 30_000 });
  await fetchNotes(git, remote);
}

/**
 * The heads that the newest notes name, of this clone and of the remote. Where the remote keeps no heads beside
 * the ledger, they are the only evidence on a fresh runner that it was not restored from an old copy
 * (protocol J6, M12).
 */
export async function vouchedByNotes(
  shell: Shell,
  documents: PlacedDocuments,
  { fingerprint }: ServiceTarget,
): Promise<readonly RequiredHead[]> {
  const { FETCHED, NOTES, notedHead } = await import('../git/notes.ts');
  await shareNotes(shell, documents);
  const folder = documentsFolder(shell, documents);
  const heads = [NOTES, FETCHED].map((ref) => notedHead(folder, shell.env, fingerprint, ref));
  return (await Promise.all(heads)).flatMap((head) => (head ? [{ ...head, from: 'note' }] : []));
}
