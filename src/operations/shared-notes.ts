import type { RequiredHead } from '../store/head-pin.ts';
import { documentsFolder, type Here, type PlacedDocuments } from './here.ts';
import { LEDGER_DEFAULTS } from '../model/ledger/ground.ts';
import type { ServiceTarget } from './target.ts';
import { fetchNotes } from '../git/write-note.ts';
import { remoteGit } from '../git/git.ts';
import { FETCHED, NOTES, notedHead } from '../git/notes.ts';

/** The remote that shares notes: that of the ledger, or none. */
export function notesRemote(documents: PlacedDocuments): string | undefined {
  const { ledger } = documents.service.value;
  return ledger?.store === 'git' ? (ledger.remote ?? LEDGER_DEFAULTS.remote) : undefined;
}

/** Fetches the notes of the remote if it shares them; a failed fetch is ignored. */
export async function shareNotes(here: Here<PlacedDocuments>): Promise<void> {
  const remote = notesRemote(here.documents);
  if (remote === undefined || /^-|^[\w+.-]*::/.test(remote)) return;
  const git = remoteGit(documentsFolder(here), here.shell.env, { silence: 30_000 });
  await fetchNotes(git, remote);
}

/**
 * The heads that the newest notes name, of this clone and of the remote. Where the remote keeps no heads beside
 * the ledger, they are the only evidence on a fresh runner that it was not restored from an old copy
 * (protocol J6, M12).
 */
export async function vouchedByNotes(
  here: Here<PlacedDocuments>,
  { fingerprint }: ServiceTarget,
): Promise<readonly RequiredHead[]> {
  await shareNotes(here);
  const { env } = here.shell;
  const folder = documentsFolder(here);
  const heads = [NOTES, FETCHED].map((ref) => notedHead(folder, env, fingerprint, ref));
  return (await Promise.all(heads)).flatMap((head) => (head ? [{ ...head, from: 'note' }] : []));
}
