import { WorldError, type Params } from '../../model/error.ts';
import type { ServiceSettings } from '../../model/documents/policy.ts';
import { isSamePlace, isShared, placeText, type GroundTerms } from '../../model/ledger/ground.ts';
import type { Memory, MemoryState } from '../../model/ledger/memory.ts';
import type { Shell } from '../../shell/shell.ts';
import { vouchedByNotes } from '../shared-notes.ts';
import { NO_LEDGER, openStore, readStore, type LedgerReading } from './open-store.ts';
import type { RequiredHead } from '../../store/head-pin.ts';
import { isCi } from '../../lib/ci.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { simulatorAt } from '../simulator.ts';
import { resolveTarget, type ServiceTarget } from '../target.ts';
import { checkLeft, type PlacesOfLine, isRenamed } from './left-ledgers.ts';
import { isLine, isMerged, linePlace, readLine, type Line } from './line.ts';
import {
  isExplicit,
  serviceOf,
  type ChosenService,
  type GroundParts,
  type NamedService,
} from './parts.ts';
import { checkPins } from './pins.ts';
import { placeFinder, recordedPlace, type FoundPlace, type PlaceFinder } from './places.ts';
import type { CommittedService, LinePlace } from './service-line.ts';
import { type LedgerHere, documentsFolder } from '../here.ts';

/** What a command stands on, once the rules of the ground let it. */
export interface StoodGround extends GroundParts {
  readonly git: LinePlace;
  /** Where the documents say that the ledger is. */
  readonly place: FoundPlace;
  /** The services of the default branch; absent for a person who works alone. */
  readonly line: Line | undefined;
  /** What a ledger without GROUND says of the one it stands on. */
  readonly planned: MemoryState['planned'];
  /** Heads that the newest notes name, as they were when the ground was judged (protocol J6, M12). */
  readonly noted: readonly RequiredHead[];
  /** Heads that the ledger must contain: those of ledgers that were closed when they moved here. */
  readonly vouched: readonly RequiredHead[];
  /** The ground that the ledger names, though it is found at another place: a repository with a new name. */
  readonly renamed: GroundTerms | undefined;
  /** The first reading is the one that the ground was judged by. Throws what reading the ledger throws. */
  readonly read: () => Promise<LedgerReading>;
  /** The ledger as far as there is one, whatever keeps a command from using it. */
  readonly readRest: () => Promise<LedgerReading>;
  /** The command is about to write: what was read is no longer all. */
  readonly forget: () => void;
}

/** The grounds of this process, by the settings that a command was given. */
const STOOD = new WeakMap<ChosenService, Map<string, Promise<StoodGround>>>();

/**
 * The only place that decides where credentials go and where records are (protocol M1, M3, M4, M13). Every
 * command that reads or writes the ledger or speaks to the service passes here before it does. It is decided
 * once for each command. Throws `groundPinned`, `groundChanged`, `historyCut`, `placeGone`, `serviceUnnamed`,
 * `ledgerElsewhere`, `commitForeign` and `ledgerForeign`.
 */
export async function standOn(parts: GroundParts): Promise<StoodGround> {
  const { shell, settings, target } = parts;
  const known = getOrAdd(STOOD, settings, () => new Map<string, Promise<StoodGround>>());
  const key = `${target.from} ${target.fingerprint} ${shell.cwd}`;
  return getOrAdd(known, key, () => decide(parts));
}

export function groundOf(here: LedgerHere): Promise<StoodGround> {
  const settings = here.documents.service.value;
  return standOn({ ...here, folder: documentsFolder(here), settings });
}

/** The ground of a command that has no other use for the ledger (protocol M3). Throws as `standOn` does. */
export async function checkReach(parts: GroundParts): Promise<void> {
  const { shell, folder, settings, target } = parts;
  if (settings.approval === undefined || (await simulatorAt(shell, target.baseUrl))) return;
  const { services, tip } = (await followLine(parts, await linePlace(shell, folder))) ?? NO_LINE;
  const isUniform = services.every((one) => differences(target, namedBy(one)).length === 0);
  if (isUniform && (services.length > 0 || tip === '' || !isCi(shell.env)))
    return checkPins(shell, settings);
  await standOn(parts);
}

async function decide(parts: GroundParts): Promise<StoodGround> {
  const { shell, folder, settings, target } = parts;
  const isSimulated = (await simulatorAt(shell, target.baseUrl)) !== undefined;
  if (!isSimulated) await checkPins(shell, settings);
  const git = await linePlace(shell, folder);
  const { fingerprint } = target;
  const find = placeFinder(git);
  const place = await find(settings.ledger, fingerprint);
  const line = isSimulated ? undefined : await followLine(parts, git);
  const places = line ? await placesOf(parts, find, line) : [];
  const closing: RequiredHead[] = [];
  const reading = readOnce(parts, closing);
  if (line)
    closing.push(...(await checkLeft(parts, [...places, { place, commit: '' }], reading.readRest)));
  const { memory } = await reading.readRest();
  const { ground } = memory;
  const isHere = !ground || isSamePlace(ground.ledger, await recordedPlace(place));
  const isMoved = !isHere && !(await isRenamed(parts, git, { ground, place }));
  if (isMoved) throw placedElsewhere(ground, await recordedPlace(place));
  if (line) {
    checkService(parts, { line, memory });
    await checkCommit(parts, git, { line, memory });
  }
  return {
    ...parts,
    git,
    place,
    line,
    planned: ground ? undefined : memory.planned,
    noted: await reading.noted(),
    renamed: isHere ? undefined : ground,
    vouched: memory.head.seq === 0 ? closing : [],
    read: reading.read,
    readRest: reading.readRest,
    forget: reading.forget,
  };
}

/** The places of a branch, oldest first, without those that belong to no run of this one. */
export async function placesOf(
  { shell, target }: GroundParts,
  find: PlaceFinder,
  { services }: Pick<Line, 'services'>,
): Promise<PlacesOfLine> {
  // Before the first commit, or without one, a person may have begun in a directory.
  const places: PlacesOfLine[number][] = [
    { place: await find(undefined, target.fingerprint), commit: '', isImplied: true },
  ];
  for (const { commit, settings } of services) {
    const fingerprint = fingerprintOf(settings, target, shell);
    // By default each service has a directory of its own, of the disk of one machine.
    const isOwn = !isShared(settings.ledger) && settings.ledger?.path === undefined;
    if (isOwn && (isCi(shell.env) || fingerprint !== target.fingerprint)) continue;
    // A service that no command could speak to has no key in a database.
    if (settings.ledger?.store === 'postgres' && fingerprint === '') continue;
    places.push({ place: await find(settings.ledger, fingerprint), commit });
  }
  return places;
}

/** Empty for a service that no command could speak to. */
export function fingerprintOf(
  settings: ServiceSettings,
  { from, baseUrl }: ServiceTarget,
  shell: Shell,
): string {
  try {
    return resolveTarget(settings, from === 'flag' ? baseUrl : undefined, shell.env).fingerprint;
  } catch (error) {
    if (error instanceof WorldError) return '';
    throw error;
  }
}

interface Reading extends Pick<StoodGround, 'read' | 'readRest' | 'forget'> {
  readonly noted: () => Promise<readonly RequiredHead[]>;
}

/** Failures of a ledger that has no records yet, or that is judged by the records that are left. */
const READ_AS_FAR = new Set(['ledgerNotChosen', 'ledgerRolledBack']);

/** Reads the ledger, and hands the first reading on to the command. */
function readOnce(parts: GroundParts, closing: readonly RequiredHead[]): Reading {
  const { shell, folder, settings, target } = parts;
  const place = { shell, folder, ledger: settings.ledger, target };
  const placed = { folder, service: { value: settings } };
  let notes: ReturnType<typeof vouchedByNotes> | undefined;
  const noted = () => (notes ??= vouchedByNotes({ shell, documents: placed }, target));
  const readNow = async (): Promise<LedgerReading> => {
    const { store } = await openStore(place, { vouched: await noted() });
    const reading = await readStore(store);
    // The heads of closed ledgers tell nothing of a ledger that a person adopted.
    if (reading.memory.head.seq > 0 || closing.length === 0) return reading;
    return readStore((await openStore(place, { vouched: closing })).store);
  };
  let first: Promise<LedgerReading> | undefined;
  const begun = (): Promise<LedgerReading> => (first ??= readNow());
  const forget = (): void => {
    first = undefined;
  };
  return {
    noted,
    forget,
    read: () => {
      const reading = begun();
      forget();
      return reading;
    },
    readRest: async () => {
      try {
        return await begun();
      } catch (error) {
        if (!(error instanceof WorldError)) throw error;
        if (error.params['why'] !== 'noRemote' && !READ_AS_FAR.has(error.code)) throw error;
        if (error.code !== 'ledgerRolledBack') return NO_LEDGER;
        return readStore((await openStore(place, { isUnchecked: true })).store);
      }
    },
  };
}

function namedBy({ settings }: CommittedService): NamedService {
  return serviceOf(settings);
}

/** How a service differs from the one that counts; a flag or a variable names the URL itself. */
function differences(target: ServiceTarget, named: NamedService): readonly Params[] {
  const { origin, organization } = serviceOf(target);
  const isElsewhere = origin !== named.origin && !isExplicit(target);
  return [
    ...(organization === named.organization
      ? []
      : [{ what: 'service.organization', from: named.organization, to: organization }]),
    ...(isElsewhere ? [{ what: 'service.baseUrl', from: named.origin, to: origin }] : []),
  ];
}

/**
 * The services that a run follows. Of a person who works alone nothing is recorded, and there are none; what the
 * default branch names counts all the same (protocol M3).
 */
async function followLine(
  { settings, target }: GroundParts,
  git: LinePlace,
): Promise<Line | undefined> {
  const found = await readLine(git, settings.ledger);
  const named = isLine(found) ? undefined : found.named;
  const [other] = named ? differences(target, namedBy(named)) : [];
  const changed = other ?? findStrange(target, found.elsewhere ?? []);
  if (changed) throw new WorldError('groundChanged', { ...changed, merge: 'the default branch' });
  return isLine(found) ? found : undefined;
}

/**
 * How the URL differs from those of all services of other folders: without a service of its own on the default branch, a
 * folder may be one that a request moved or linked. Undefined where one of them has it, and without any.
 */
function findStrange(
  target: ServiceTarget,
  elsewhere: readonly CommittedService[],
): Params | undefined {
  const { origin } = serviceOf(target);
  const [first, ...others] = elsewhere.map(namedBy);
  if (!first || [first, ...others].some((one) => one.origin === origin)) return undefined;
  return differences(target, first).find(({ what }) => what === 'service.baseUrl');
}

const NO_LINE: Pick<Line, 'services' | 'tip'> = { services: [], tip: '' };

interface Judged {
  readonly line: Line;
  readonly memory: Memory;
}

/**
 * Whether the service is the one of the last GROUND; before the first one the newest commit of the default branch
 * names it (protocol M3).
 */
function checkService({ shell, target }: GroundParts, { line, memory }: Judged): void {
  const { ground, head, fingerprint } = memory;
  const newest = line.services.at(-1);
  if (!ground && !newest && line.tip !== '' && isCi(shell.env))
    throw new WorldError('serviceUnnamed');
  const named = ground?.service ?? (newest && namedBy(newest));
  const [changed] = named ? differences(target, named) : [];
  if (changed) throw new WorldError('groundChanged', changed);
  const isOwn = head.seq === 0 || fingerprint === target.fingerprint;
  if (!isOwn && !isExplicit(target)) throw new WorldError('ledgerForeign');
}

/** Whether the commit of the last GROUND is in the history of the default branch (protocol M13). */
async function checkCommit(
  { settings }: GroundParts,
  git: LinePlace,
  { line, memory }: Judged,
): Promise<void> {
  const { commit = '' } = memory.ground ?? {};
  if (commit === '' || (await isMerged(git, settings.ledger, { commit, tip: line.tip }))) return;
  throw new WorldError('commitForeign', { commit: commit.slice(0, 12) });
}

/** The refusal of a ledger that its own records place elsewhere (protocol M13). */
export function placedElsewhere(ground: GroundTerms, found: GroundTerms['ledger']): WorldError {
  return new WorldError('ledgerElsewhere', {
    named: placeText(ground.ledger),
    found: placeText(found),
  });
}
