import { canonical } from '../../lib/canonical.ts';
import type { Instant } from '../../lib/time.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Readback } from '../../kinds/kind.ts';
import { WorldError } from '../../model/error.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { PAGE_ROWS } from '../../model/ledger/run-requests.ts';
import { countDevices } from '../../model/plan/coverage.ts';
import type { Health } from '../health.ts';
import type { Completion, InFlight } from '../in-flight.ts';
import type { Ports } from '../ports.ts';
import type { Reading } from '../reading.ts';
import { endIfAway, orMissed, readEach } from '../service-absence.ts';
import { toAttempted } from './settle.ts';
import { verifyLimit } from './timeouts.ts';

/** The part of a run that reading devices back needs. */
export interface ReadingBack extends Ports {
  readonly inFlight: InFlight;
  readonly reading: Reading;
  readonly health: Health;
}

/** The row of a device, and when it was read; no device if the service has none with this ID. */
export interface Sighting {
  readonly device?: Device;
  readonly readAt: Instant;
  /** The row is from a list, not from a read of the device. */
  readonly isListed?: boolean;
}

/** The ID of the device to read, which onboarding may have changed. */
export function readId(run: ReadingBack, intent: IntentState): string {
  return run.inFlight.of(intent).onboardedId ?? intent.device;
}

/**
 * The rows of the devices. They come by ID, or from list pages where these cost fewer requests; what
 * a list does not show is read by its ID, for a list that moves may leave it out (I19). Where the row
 * is the whole proof, a list that is behind the device, or ahead of it, decides nothing (V1): such a
 * device is read by its ID when its task has ended, or once a list of several pages shows the effect, and at the
 * deadline.
 */
export async function sight(
  run: ReadingBack,
  intents: readonly IntentState[],
): Promise<ReadonlyMap<string, Sighting>> {
  const pages = Math.ceil(fleetSize(run) / PAGE_ROWS);
  const isByList = pages > 1 && intents.length > pages;
  const firsts = new Set(isByList ? [] : intents.filter((each) => isFirstRead(run, each)));
  const idsOf = (some: Iterable<IntentState>): ReadonlySet<string> =>
    new Set([...some].map((each) => readId(run, each)));
  const rest = idsOf(intents.filter((each) => !firsts.has(each)));
  const isListed = rest.size > Math.max(1, pages);
  const sighted = await (isListed ? fromListOrById(run, rest) : byId(run, rest));
  const decisive = intents.filter((each) => !firsts.has(each) && isDecisive(run, each, sighted));
  const own = await byId(run, idsOf([...firsts, ...decisive]));
  for (const intent of firsts)
    if (own.has(readId(run, intent))) run.inFlight.of(intent).isReadById = true;
  const again = idsOf(decisive);
  return new Map([...sighted].filter(([id]) => !again.has(id)).concat([...own]));
}

/** Whether nothing but the row of the device proves the effect of the task. */
function isProvedByRow({ task }: IntentState): boolean {
  return KINDS[task].proofReads.length === 0;
}

function isFirstRead(run: ReadingBack, intent: IntentState): boolean {
  const { completion, isReadById } = run.inFlight.of(intent);
  return isProvedByRow(intent) && completion !== undefined && !isReadById;
}

/** Whether a row of the list would close the intent, or count towards that. */
function isDecisive(
  run: ReadingBack,
  intent: IntentState,
  sighted: ReadonlyMap<string, Sighting>,
): boolean {
  const sighting = sighted.get(readId(run, intent));
  if (!sighting?.isListed || !isProvedByRow(intent)) return false;
  const kind = KINDS[intent.task];
  const seen = { ...sighting, ...steadyFor(run, intent, sighting), facts: {} };
  if (intent.phase === 'inDoubt')
    return (
      run.dialect.autoSettleNegative === 'afterQuarantine' ||
      kind.settlesDoubt(toAttempted(intent), seen).length > 0
    );
  const { completion } = run.inFlight.of(intent);
  if (completion && isLate(run, intent, completion)) return true;
  const ended = completion ?? { completedAt: intent.settledAt ?? 0, undated: false };
  return kind.prove({ ...toAttempted(intent), ...ended }, seen).is === 'shown';
}

/** Whether the time to show the effect is over, so that no later read counts. */
function isLate(run: ReadingBack, intent: IntentState, { completedAt }: Completion): boolean {
  return run.health.serviceNow() >= completedAt + verifyLimit(run.documents, intent);
}

/**
 * How long reads in a row have had the same result since the task was seen to have ended, on the
 * monotonic clock of this process.
 */
export function steadyFor(
  run: ReadingBack,
  intent: IntentState,
  { device }: Sighting,
): Pick<Readback, 'steadyFor'> {
  const flight = run.inFlight.of(intent);
  if (!flight.completion) return {};
  const shows = canonical([device?.status ?? null, device?.firmwareVersion ?? null]);
  return { steadyFor: flight.steadyFor(shows, run.clock.monotonic()) };
}

/** The number of devices in the service, by this run or the ledger. */
function fleetSize({ reading, journal }: ReadingBack): number {
  const read = reading.survey?.snapshot.devices.length ?? 0;
  const last = journal.memory.coverage.at(-1);
  return read > 0 || !last ? read || Infinity : countDevices(last.seen);
}

async function byId(
  run: ReadingBack,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  return readEach(ids, async (id) => {
    const answer = await run.service.device(id);
    const device = answer.value;
    if (device) run.reading.keep(device);
    await run.keepLease();
    return { ...(device && { device }), readAt: run.health.dateOf(answer) };
  });
}

/** A device that the list omits, and every device if its answer cannot be parsed, is read by ID. */
async function fromListOrById(
  run: ReadingBack,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  const answer = await orMissed(fromList(run, ids));
  if (answer instanceof WorldError) endIfAway(answer);
  const listed = answer instanceof WorldError ? new Map<string, Sighting>() : answer;
  const unlisted = new Set([...ids].filter((id) => !listed.has(id)));
  return new Map([...listed, ...(await byId(run, unlisted))]);
}

/** The time of a row is that of the request for its page, so it is never later than the true one. */
async function fromList(
  run: ReadingBack,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  const sightings = new Map<string, Sighting>();
  const pages = run.service.list('devices', undefined, { only: ids });
  const { health } = run;
  for (let at = health.serviceNow(); sightings.size < ids.size; at = health.serviceNow()) {
    const page = await pages.next();
    if (page.done) break;
    for (const device of page.value) {
      if (!ids.has(device.id)) continue;
      run.reading.keep(device);
      sightings.set(device.id, { device, readAt: at, isListed: true });
    }
    await run.keepLease();
  }
  return sightings;
}
