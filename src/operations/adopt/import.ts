import { countPlanColumns } from '../../model/plan/actor.ts';
import { type AdoptedFleet, adoptFleet } from '../../adopt/adopt-fleet.ts';
import { compareEntries } from '../../adopt/compare-entries.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { quotableEntry } from '../../model/documents/quoted.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import {
  ADOPTED_SECTIONS,
  type AdoptDifference,
  type AdoptNotice,
  type Adoption,
} from '../../model/report/adoption.ts';
import { IMPORT_MARK } from '../../render/words/documents/import-words.ts';
import { leaveSchema } from './editor-schema.ts';
import { entryYaml } from '../../render/data/yaml.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import { withConnection, type Settings } from '../connect.ts';
import { requireValid } from '../documents.ts';
import { decidePlan } from '../plan.ts';
import { readSnapshotFile, writeSnapshot } from '../snapshot-file.ts';
import { composeFiles, sliceEntry, writeFiles } from './import-files.ts';
import {
  findImportSettings,
  loadAll,
  type ImportFlags,
  type ImportPlace,
  type TextFile,
} from './import-place.ts';
import { readLiveFleet } from '../../live/read-fleet.ts';
import { EMPTY_MEMORY } from '../../ledger/fold.ts';
import { usage } from '../../model/error.ts';
import { checkTimeZone } from './settings.ts';

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
