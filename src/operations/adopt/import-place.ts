import { join } from 'node:path';
import { placeOf } from '../../config/fleet-place.ts';
import type { Loaded } from '../../config/load.ts';
import type { DocumentFile, Documents } from '../../model/documents/policy.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { IMPORT_MARK } from '../../render/words/documents/import-words.ts';
import { jsonText } from '../../lib/json-text.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { ConnectFlags, Settings } from '../connect.ts';
import { resolveTarget, type ServiceTarget } from '../target.ts';
import { schemaLine } from './editor-schema.ts';
import { findHome } from './home-folder.ts';
import { DEFAULT_PACE, loadedDocuments } from './settings.ts';
import { parseBase } from '../../api/base-url.ts';
import { usage } from '../../model/error.ts';

export interface ImportFlags extends ConnectFlags {
  /** The organization, if no document names it; absent: `FLEETFORM_ORGANIZATION`, or that of the snapshot. */
  readonly organization?: string;
  /** Describes a saved snapshot, without the service. */
  readonly snapshot?: string;
  readonly saveSnapshot?: string;
  /** The zone of every site that has none, such as `Europe/Berlin`. */
  readonly timeZone?: string;
  /** The directory to write to; that of the documents if absent. */
  readonly out?: string;
  /** Writes nothing; the documents are in the result. */
  readonly dryRun?: boolean;
  /** Lists the discovered devices, too. */
  readonly onboarding?: boolean;
}

/** One document, with its path as diagnostics show it. */
export type TextFile = Pick<DocumentFile, 'path' | 'text'>;

/** A document to write; `file` is its name in the directory, `shown` its path for the user. */
export interface ImportFile extends TextFile {
  readonly file: string;
  readonly shown: string;
}

export interface ImportPlace {
  /** The folder that the tool runs in. */
  readonly home: string;
  /** The directory, as the user wrote it. */
  readonly out: string;
  /** The path of the directory from the root of its repository, with which paths of documents begin. */
  readonly name: string;
  /** The line that names the schema for editors. */
  readonly editorLine: string;
  readonly settings: Settings;
  readonly target: ServiceTarget;
  /** The documents there, or those of the service alone. */
  readonly existing: Documents;
  /** The section `service` as a document; new where `isNew`. */
  readonly serviceFile: ImportFile;
  readonly isNew: boolean;
  isOwn(entry: Sourced<unknown>): boolean;
}

/**
 * Finds the service, by the documents, the flags and the environment, and loads what is in the
 * directory. Throws `InvalidDocuments` for documents with errors, and `usage` if nothing names the
 * service or if a snapshot is of another organization.
 */
export async function findImportSettings(
  shell: Shell,
  flags: ImportFlags,
  recordedOf: string | undefined,
): Promise<ImportPlace> {
  const out = flags.out ?? flags.fleet;
  const there = await loadedDocuments({ fleet: out }, shell);
  const source = out === flags.fleet ? there : await loadedDocuments(flags, shell);
  const settings =
    pickService(there) ?? pickService(source) ?? (await namedSettings(shell, flags, recordedOf));
  const { organization } = settings;
  if (recordedOf !== undefined && recordedOf !== organization)
    throw usage(
      `the snapshot is of organization ${recordedOf}, the documents are of ${organization}`,
    );
  const target = resolveTarget(settings, flags.service, shell.env);
  const folder = fleetFolder(shell, out);
  const { name } = placeOf(folder);
  const { home } = findHome(shell);
  const editorLine = schemaLine(home, folder);
  const isNew = pickService(there) === undefined;
  const isTaken = there?.files.some(({ path }) => path === `${name}/service.yaml`) === true;
  const file = isTaken ? 'service-imported.yaml' : 'service.yaml';
  const text = `${editorLine}
# The service. Credentials come from FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, never from this file.
service:
  baseUrl: ${jsonText(settings.baseUrl, 0)}
  organization: ${jsonText(settings.organization, 0)}
`;
  const serviceFile = { file, path: `${name}/${file}`, shown: join(out, file), text };
  const existing =
    there?.documents ?? (await loadAll([...(there?.files ?? []), ...(isNew ? [serviceFile] : [])]));
  const own = new Set(
    existing.files.filter(({ text }) => text.includes(IMPORT_MARK)).map(({ path }) => path),
  );
  const isOwn = ({ at }: Sourced<unknown>): boolean => own.has(at.file);
  return { home, out, name, editorLine, settings, target, existing, serviceFile, isNew, isOwn };
}

function pickService(loaded: Loaded | undefined): Settings | undefined {
  return loaded?.documents?.service.value ?? loaded?.service?.value;
}

/** The service that flags, the environment and a snapshot name, where no document does. */
async function namedSettings(
  { env }: Shell,
  flags: ImportFlags,
  recordedOf: string | undefined,
): Promise<Settings> {
  const organization = flags.organization ?? env['FLEETFORM_ORGANIZATION'] ?? recordedOf;
  const baseUrl = flags.service ?? env['FLEETFORM_BASE_URL'];
  if (organization && baseUrl) {
    parseBase(baseUrl);
    return { baseUrl, organization, pace: DEFAULT_PACE, dialect: {} };
  }
  const lacking = [...(baseUrl ? [] : ['--service']), ...(organization ? [] : ['--organization'])];
  throw usage(
    `no document names the service: pass ${lacking.join(' and ')}, or run \`fleetform init\``,
  );
}

/** Throws `InvalidDocuments` where these texts are not valid together. */
export async function loadAll(texts: readonly TextFile[]): Promise<Documents> {
  const { loadTexts } = await import('../../config/load.ts');
  const { documents, files, diagnostics } = loadTexts(texts);
  if (!documents) throw new InvalidDocuments(diagnostics, files);
  return documents;
}
