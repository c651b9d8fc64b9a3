import { readDeviceFacts } from '../model/fleet/device-read.ts';
import { DAY, type Instant } from '../lib/time.ts';
import { addTo } from '../lib/maps.ts';
import { eachAtOnce } from '../lib/at-once.ts';
import type { Clock, Service } from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Facts, Need, Snapshot, ApprovedFirmware } from '../model/fleet/snapshot.ts';
import type { ReadingChoice } from '../facts/read-choice.ts';
import { WorldError } from '../model/error.ts';
import { firmwareKey, isFirmwareKey } from '../model/fleet/need.ts';

export interface FactsInput {
  readonly service: Service;
  readonly needs: readonly Need[];
  readonly clock: Clock;
  readonly onProgress?: OnProgress;
  /** The pace of single reads, to say beforehand how long they take. */
  readonly perSecond?: number;
  /** Which of the needs to read, and what is known of the others; absent: all of them are read. */
  readonly choose?: (answered: ReadonlySet<string>) => ReadingChoice;
}

/**
 * Performs the needed reads, one request per key, and returns the facts by device ID. A failed read
 * is a value and applies to its own device only: up to three devices of a key are tried. Throws a
 * `WorldError` if the service cannot be reached or refuses our credentials.
 */
export async function readFleetFacts(input: FactsInput): Promise<(deviceId: string) => Facts> {
  const unknown = input.choose?.(NONE).open ?? input.needs;
  const answers = new Map<string, Facts>(
    await approvedByPath(input.service, unknown, input.onProgress),
  );
  const choice = input.choose?.(new Set(answers.keys()));
  const needs = byKey(choice?.read ?? input.needs);
  const report = reporter(input, needs.size, choice?.due);
  const failed = new Map<string, Facts>();
  let done = 0;
  if ([...needs.keys()].some((key) => !answers.has(key))) report(done);
  await eachAtOnce(needs, async ([key, sharing]) => {
    if (!answers.has(key)) answers.set(key, await readShared(input, sharing, failed));
    done += 1;
    report(done);
  });
  const read = factReader(input.needs, answers, failed);
  return choice ? remembered(choice.facts, read) : read;
}

/** The facts of a device are asked for by each decision about it; most devices of a fleet have none. */
function remembered(
  facts: ReadingChoice['facts'],
  read: (deviceId: string) => Facts,
): (deviceId: string) => Facts {
  const known = new Map<string, Facts>();
  return (deviceId) => {
    const before = known.get(deviceId);
    if (before) return before;
    const found = facts(deviceId, read(deviceId));
    if (found !== NOTHING_READ && Object.keys(found).length > 0) known.set(deviceId, found);
    return found;
  };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The facts that several devices share: those of the first device whose read succeeds, else the
 * failure of the last one tried.
 * @param failed collects failures that apply to their own device only, by need
 */
async function readShared(
  { service, clock }: Pick<FactsInput, 'service' | 'clock'>,
  sharing: readonly Need[],
  failed: Map<string, Facts>,
): Promise<Facts> {
  let answer = NOTHING_READ;
  const turn = rotateNeeds(sharing, clock.now());
  for (const need of turn) {
    answer = await readDeviceFacts(service, need.deviceId, need.read);
    const value = answer[need.read];
    if (typeof value !== 'string' || value === 'none') return answer;
    failed.set(ownKey(need), answer);
  }
  return { ...answer, sampled: { requests: turn.length, devices: sharing.length } };
}

/**
 * Chooses the devices to read: the first, then others that change from day to day, so that three
 * devices that cannot answer never hide the answer of the rest.
 */
function rotateNeeds([first, ...others]: readonly Need[], now: Instant): readonly Need[] {
  if (!first) return [];
  const from =
    others.length === 0 ? 0 : (Math.floor(now / DAY) * (MAX_REQUESTS - 1)) % others.length;
  return [first, ...[...others.slice(from), ...others.slice(0, from)].slice(0, MAX_REQUESTS - 1)];
}

/** The key of a need whose answer no other device shares. */
function ownKey({ read, deviceId }: Need): string {
  return `${read} of ${deviceId}`;
}

export function withFacts(snapshot: Snapshot, facts: (deviceId: string) => Facts): Snapshot {
  return { ...snapshot, facts };
}

/** The most devices that are tried for a shared answer. */
const MAX_REQUESTS = 3;

function byKey(needs: readonly Need[]): ReadonlyMap<string, readonly Need[]> {
  const sharing = new Map<string, Map<string, Need>>();
  for (const need of needs) {
    const devices = sharing.get(need.key) ?? new Map<string, Need>();
    if (!devices.has(need.deviceId)) devices.set(need.deviceId, need);
    sharing.set(need.key, devices);
  }
  return new Map([...sharing].map(([key, devices]) => [key, [...devices.values()]]));
}

const REPORT_EVERY_MS = 200;

/** Reports progress at most once per `REPORT_EVERY_MS`. */
function reporter(
  { clock, onProgress, perSecond }: FactsInput,
  total: number,
  due = 0,
): (done: number) => void {
  let last = -Infinity;
  return (done) => {
    const now = clock.monotonic();
    if (total === 0 || (now - last < REPORT_EVERY_MS && done < total)) return;
    last = now;
    const said = { ...(perSecond !== undefined && { perSecond }), ...(due > 0 && { due }) };
    onProgress?.({ type: 'phase', name: 'details', done, total, ...said });
  };
}

const NOTHING_READ: Facts = {};

function factReader(
  needs: readonly Need[],
  answers: ReadonlyMap<string, Facts>,
  failed: ReadonlyMap<string, Facts>,
): (deviceId: string) => Facts {
  const byDevice = new Map<string, Facts>();
  for (const need of needs) {
    const { deviceId, key } = need;
    const answer = (failed.size > 0 && failed.get(ownKey(need))) || answers.get(key);
    if (!answer) continue;
    const before = byDevice.get(deviceId);
    byDevice.set(deviceId, before ? { ...before, ...answer } : answer);
  }
  return (deviceId) => byDevice.get(deviceId) ?? NOTHING_READ;
}

/** The list of all paths pays off only from this many different firmware reads on. */
const WORTH_IT = 3;

/**
 * Approved firmware by need key, from the list of all paths. Empty if the user may not read the
 * list, if it is unusable, if answers differ per device, or if few reads are needed. A key that the
 * list does not contain needs a read of its own.
 */
async function approvedByPath(
  service: Service,
  needs: readonly Need[],
  onProgress?: OnProgress,
): Promise<ReadonlyMap<string, Facts>> {
  const wanted = new Set(needs.map(({ key }) => key).filter(isFirmwareKey));
  if (wanted.size < WORTH_IT) return new Map();
  const paths = await tryReadPaths(service, onProgress);
  if (paths === 'forbidden') return new Map();
  const approved = new Map<string, ApprovedFirmware[]>();
  for (const path of paths) {
    const key = firmwareKey(path.vendor, path.model, path.from);
    if (!wanted.has(key)) continue;
    // The target comes last, whether or not the service repeats it there.
    const hops = path.path.at(-1) === path.to ? path.path : [...path.path, path.to];
    addTo(approved, key, { version: path.to, hops });
  }
  return new Map([...approved].map(([key, list]) => [key, { targetFirmware: list }]));
}

/** Services whose list was unusable. It is not read again, and this is reported once. */
const NO_HELP = new WeakSet<Service>();

/**
 * The list only saves requests: if it fails or is not understood, single reads give the same
 * answers. If the service refuses our credentials, single reads fail too.
 */
async function tryReadPaths(
  service: Service,
  onProgress: OnProgress | undefined,
): ReturnType<Service['firmwarePaths']> {
  if (NO_HELP.has(service)) return 'forbidden';
  try {
    return await service.firmwarePaths();
  } catch (error) {
    if (!(error instanceof WorldError) || error.code === 'credentialsRefused') throw error;
    NO_HELP.add(service);
    const { code, params } = error;
    onProgress?.({ type: 'warning', code: 'pathsUnread', parameters: { code, params } });
    return 'forbidden';
  }
}
