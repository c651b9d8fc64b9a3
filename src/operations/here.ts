import type { Documents, LedgerSettings } from '../model/documents/policy.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import type { ServiceTarget } from './target.ts';

/** The documents of a command, and where it runs. */
export interface Here<D = Documents> {
  readonly shell: Shell;
  readonly documents: D;
}

/** The same, and the service whose ledger it uses. */
export interface LedgerHere extends Here {
  readonly target: ServiceTarget;
}

/** What of documents says where they are, and which remote has their ledger. */
export interface PlacedDocuments extends Pick<Documents, 'folder'> {
  readonly service: { readonly value: { readonly ledger?: LedgerSettings | undefined } };
}

/** Documents, or their folder before they are loaded, in a clone. */
export type Cloned = Here<Pick<Documents, 'folder' | 'folders'>>;

/** A folder of documents, before they are loaded. */
export function folderHere(shell: Shell, fleet: string): Cloned {
  return { shell, documents: { folder: fleetFolder(shell, fleet) } };
}

/** The folder whose clone and remotes apply: the one of the documents. */
export function documentsFolder({ shell, documents }: Cloned): string {
  return documents.folder ?? shell.cwd;
}
