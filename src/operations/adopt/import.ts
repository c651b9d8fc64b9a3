import { countPlanColumns } from '../../model/plan/actor.ts';
import { type AdoptedFleet, adoptFleet } from '../../adopt/adopt-fleet.ts';
import { compareEntries } from '../../adopt/compare-entries.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { quotableEntry, InvalidDocuments } from '../../model/documents/quoted.ts';
import type { Sourced, SourceLocation } from '../../model/documents/source.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import {
  ADOPTED_SECTIONS,
  type AdoptDifference,
  type AdoptNotice,
  type Adoption,
  type AdoptedEntry,
} from '../../model/report/adoption.ts';
import {
  IMPORT_MARK,
  originComment,
  SECTION_COMMENTS,
} from '../../render/words/documents/import-words.ts';
import { leaveSchema, schemaLine } from './editor-schema.ts';
import { entryYaml, documentYaml } from '../../render/data/yaml.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { withConnection, type Settings, type ConnectFlags } from '../connect.ts';
import { requireValid } from '../documents.ts';
import { decidePlan } from '../plan.ts';
import { readSnapshotFile, writeSnapshot } from '../snapshot-file.ts';
import { readLiveFleet } from '../../live/read-fleet.ts';
import { EMPTY_MEMORY } from '../../ledger/fold.ts';
import { usage } from '../../model/error.ts';
import { checkTimeZone, DEFAULT_PACE, loadedDocuments } from './settings.ts';
import { join } from 'node:path';
import { placeOf } from '../../config/fleet-place.ts';
import type { Loaded } from '../../config/load.ts';
import type { DocumentFile, Documents } from '../../model/documents/policy.ts';
import { jsonText } from '../../lib/json-text.ts';
import { resolveTarget, type ServiceTarget } from '../target.ts';
import { findHome } from './home-folder.ts';
import { parseBase } from '../../api/base-url.ts';
import { writeFileSync } from 'node:fs';
import { partsBySize } from '../../lib/group-by.ts';
import { requireFolder } from '../../store/files.ts';

/**
 * Describes a live fleet, or a snapshot, in documents that a plan starts nothing for. Writes new
 * files alone; where an earlier import wrote some, nothing, and returns what differs. Throws
 * `InvalidDocuments` where the existing documents have errors, `usage` for flags that do not fit,
 * and what reading throws.
 */
export async function importFleet(shell: Shell, flags: ImportFlags): Promise<Adoption> {
  await checkFlags(flags);
  const recorded =
    flags.snapshot === undefined
      ? undefined
      : (await readSnapshotFile(shell, flags.snapshot)).snapshot;
  const place = await findImportSettings(shell, flags, recorded?.organization);
  const snapshot = recorded ?? (await readLive(shell, place.settings, flags));
  const { existing, isOwn, settings } = place;
  const now = shell.clock.now();
  const { timeZone } = flags;
  const isImported = (section: string): boolean =>
    existing.files.some(
      ({ path, text }) => text.includes(IMPORT_MARK) && path.includes(`/${section}`),
    );
  const isFirst = !isImported('');
  // Lists of discovered devices may come later than the rest.
  const isFirstList = flags.onboarding === true && !isImported('onboarding');
  const onboards = flags.onboarding === true || isImported('onboarding');
  const adopted = adoptFleet({ snapshot, now, timeZone, existing, onboards, isOwn });
  const day = formatInstant(now).slice(0, 10);
  const origin = { day, organization: settings.organization };
  const differences = await findDifferences(adopted, place);
  const isNew = (section: string): boolean => isFirst || (isFirstList && section === 'onboarding');
  const missing = adopted.entries.filter(
    ({ section, name }) => isNew(section) && !existing[section].has(name),
  );
  const sections = composeFiles(missing, place, origin);
  const files = isFirst && place.isNew ? [place.serviceFile, ...sections] : sections;
  const { unreadable, ...planned } = await planNext(sections, place, { snapshot, now });
  const isWritten = flags.dryRun !== true && files.length > 0;
  if (isWritten) {
    await writeFiles(fleetFolder(shell, place.out), files);
    await leaveSchema(place.home);
  }
  return {
    organization: settings.organization,
    devices: snapshot.devices.length,
    sites: snapshot.sites.length,
    files: files.map(({ shown, text }) => ({ path: shown, text })),
    isWritten,
    differences: differences.filter(
      ({ section, before }) => before !== undefined || !isNew(section),
    ),
    notices: [
      ...(snapshot.confidence === 'torn' ? [{ code: 'torn' } as const] : []),
      ...unreadable.filter(({ field }) => !isLeftOut(field, adopted.notices)),
      ...adopted.notices,
    ],
    entries: countEntries(adopted),
    ...planned,
  };
}

async function checkFlags(flags: ImportFlags): Promise<void> {
  const { snapshot, saveSnapshot: saved, trace, timeZone } = flags;
  if (snapshot !== undefined && (saved !== undefined || trace !== undefined))
    throw usage(
      '--save-snapshot and --trace cannot be combined with --snapshot, which sends no request',
    );
  await checkTimeZone(timeZone);
}

/** Reads the lists of the service, and no single device. */
async function readLive(shell: Shell, settings: Settings, flags: ImportFlags): Promise<Snapshot> {
  const options = { ...flags, readOnly: true, isLedgerless: true };
  return withConnection(shell, settings, options, async ({ client: service, onProgress }) => {
    const { clock, random } = shell;
    const known = { ids: new Set<string>(), open: new Set<string>() };
    const input = { service, clock, random, onProgress, known, patient: false, onboards: true };
    const reading = await readLiveFleet({ ...input, needs: () => [] });
    const snapshot = { ...reading, organization: settings.organization };
    if (flags.saveSnapshot !== undefined) await writeSnapshot(shell, flags.saveSnapshot, snapshot);
    return snapshot;
  });
}

function countEntries({ entries }: AdoptedFleet): Adoption['entries'] {
  const counts = ADOPTED_SECTIONS.map((section) => {
    const own = entries.filter((each) => each.section === section && each.isProposal !== true);
    return [section, own.length] as const;
  });
  return Object.fromEntries(counts) as Record<(typeof ADOPTED_SECTIONS)[number], number>;
}

/** The width of an entry that a terminal shows behind its sign. */
const COLUMNS = 76;

/** The differences between the documents and the fleet, with the lines of both sides. */
async function findDifferences(
  { entries }: AdoptedFleet,
  place: ImportPlace,
): Promise<readonly AdoptDifference[]> {
  const { existing, isOwn } = place;
  const texts = composeFiles(entries, place, { day: '', organization: '' });
  const fresh = await loadAll([place.serviceFile, ...texts]);
  const quoteEntry = (entry: Sourced<unknown>): string => sliceEntry(existing.files, entry.at);
  return compareEntries(existing, { entries, fresh }, isOwn).map(
    ({ section, name, existing: old, fresh: entry }) => ({
      section,
      name,
      ...(old && { at: old.at, before: quotableEntry(section, quoteEntry(old)) }),
      ...(entry && { after: quotableEntry(section, `${entryYaml(entry, COLUMNS).join('\n')}\n`) }),
    }),
  );
}

/**
 * Plans the documents together with the new ones, before these are written. Throws
 * `InvalidDocuments` if they would contradict each other.
 */
async function planNext(
  files: readonly TextFile[],
  { existing, settings, target }: ImportPlace,
  { snapshot, now }: { readonly snapshot: Snapshot; readonly now: number },
): Promise<Pick<Adoption, 'next' | 'columns'> & { unreadable: readonly UnreadableNotice[] }> {
  const documents = await loadAll([...existing.files, ...files]);
  const dialect = resolveDialect(settings.dialect);
  const { plan, diagnostics } = await decidePlan(
    { documents, target, dialect, onProgress: () => undefined },
    EMPTY_MEMORY,
    { snapshot, digest: '' },
    now,
  );
  requireValid({ diagnostics }, documents);
  const { run, wait, skip, note } = plan.counts;
  return {
    next: { run, wait, skip, note },
    columns: countPlanColumns(plan),
    unreadable: diagnostics.filter(({ code }) => code === 'valueUnreadable').map(toNotice),
  };
}

type UnreadableNotice = Extract<AdoptNotice, { readonly code: 'unreadable' }>;

/** Whether a notice tells which devices are left out because this field was not understood. */
function isLeftOut(field: string, notices: readonly AdoptNotice[]): boolean {
  return notices.some((one) => one.code === 'fieldUnreadable' && one.field === field);
}

function toNotice({ params: { field = '', count = 0, key } }: Diagnostic): UnreadableNotice {
  const known = key === undefined ? {} : { key: String(key) };
  return { code: 'unreadable', field: String(field), devices: Number(count), ...known };
}

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
type TextFile = Pick<DocumentFile, 'path' | 'text'>;

/** A document to write; `file` is its name in the directory, `shown` its path for the user. */
interface ImportFile extends TextFile {
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
async function findImportSettings(
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
async function loadAll(texts: readonly TextFile[]): Promise<Documents> {
  const { loadTexts } = await import('../../config/load.ts');
  const { documents, files, diagnostics } = loadTexts(texts);
  if (!documents) throw new InvalidDocuments(diagnostics, files);
  return documents;
}

/** Characters of one file: a byte limit holds for each, and a character has up to four. */
const MOST_TEXT = 240_000;

/**
 * The documents of these entries: a file for each section, more where one would be too long. None
 * has the name of a file that exists.
 */
export function composeFiles(
  entries: readonly AdoptedEntry[],
  { name, out, editorLine, existing }: ImportPlace,
  { organization, day }: { readonly organization: string; readonly day: string },
): readonly ImportFile[] {
  const taken = new Set(existing.files.map(({ path }) => path));
  const place = (base: string, text: string): ImportFile => {
    const more = Array.from({ length: 99 }, (_, index) => `${base}-imported-${index + 2}`);
    const free = [base, `${base}-imported`, ...more].find(
      (each) => !taken.has(`${name}/${each}.yaml`),
    );
    const file = `${free ?? base}.yaml`;
    taken.add(`${name}/${file}`);
    return { file, path: `${name}/${file}`, shown: join(out, file), text };
  };
  return ADOPTED_SECTIONS.flatMap((section) => {
    const own = entries.filter((entry) => entry.section === section);
    return partsBySize(own, lengthOf, MOST_TEXT).map((part, index) => {
      const head = { section, about: SECTION_COMMENTS[section] };
      const text = `${editorLine}\n${documentYaml(originComment(organization, day), head, part)}`;
      return place(index === 0 ? section : `${section}-${index + 1}`, text);
    });
  });
}

/** The characters of an entry in its file. */
function lengthOf(entry: AdoptedEntry): number {
  return entryYaml(entry).reduce((sum, line) => sum + line.length + 1, 0);
}

/** Writes files that do not exist; one that appeared meanwhile is not replaced, and ends the import. */
async function writeFiles(folder: string, files: readonly ImportFile[]): Promise<void> {
  await requireFolder(folder);
  for (const { file, text } of files) writeFileSync(join(folder, file), text, { flag: 'wx' });
}

/** The lines of an entry in its document: from its key to the next one that is not below it. */
function sliceEntry(
  files: readonly DocumentFile[],
  { file, line, column }: SourceLocation,
): string {
  const text = files.find(({ path }) => path === file)?.text ?? '';
  const [first = '', ...rest] = text.split('\n').slice(line - 1);
  const end = rest.findIndex((each) => each.trim() !== '' && each.search(/\S/) < column);
  const body = end < 0 ? rest : rest.slice(0, end);
  while (body.at(-1)?.trim() === '') body.pop();
  return `${[first, ...body].join('\n')}\n`;
}
