import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Readback } from '../../kinds/kind.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import { canonical } from '../../lib/canonical.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { cheapestRead } from '../../kinds/verify.ts';
import { endIfAway, orMissed, readEach } from '../service-absence.ts';
import { readAllFacts } from '../../model/fleet/device-read.ts';
import type { Health } from '../health.ts';
import type { InFlight } from '../in-flight.ts';
import type { Ports } from '../ports.ts';
import { readDiscovered, type Reading } from '../reading.ts';

/** The part of a run that reading devices back needs. */
export interface ReadingBack extends Ports {
  readonly inFlight: InFlight;
  readonly reading: Reading;
  readonly health: Health;
}

interface Sighting {
  readonly device?: Device;
  readonly readAt: Instant;
}

/**
 * Reads the devices of intents back, with the per-device reads that prove them. Devices come by id,
 * or by list pages where that costs fewer requests; what a list does not show is read by its id, for
 * a list that moves may leave it out (I19). One whose read got a bad answer gives no observation.
 * @returns what was seen, by intent id
 */
export async function readBack(
  run: ReadingBack,
  intents: readonly IntentState[],
): Promise<ReadonlyMap<string, Readback>> {
  const idOf = (intent: IntentState): string =>
    run.inFlight.of(intent).onboardedId ?? intent.device;
  const ids = new Set(intents.map(idOf));
  const sightings =
    cheapestRead(ids.size, fleetSize(run)) === 'list'
      ? await fromListOrById(run, ids)
      : await byId(run, ids);
  const discovered = await stillDiscovered(run, intents, sightings);
  const sighted = intents.filter((intent) => sightings.has(idOf(intent)));
  const proofs = await readEach(sighted, async (intent) => {
    const { proofReads } = KINDS[intent.task];
    const facts = await readAllFacts(run.service, idOf(intent), proofReads);
    await run.keepLease();
    return facts;
  });
  const seen = new Map<string, Readback>();
  for (const [intent, facts] of proofs) {
    const sighting = sightings.get(idOf(intent));
    if (!sighting) continue;
    const steady = steadyFor(run, intent, sighting);
    const others = sighting.device ? {} : unmanaged(run, intent, discovered);
    seen.set(intent.id, { ...sighting, ...others, ...steady, facts });
  }
  return seen;
}

/**
 * How long reads in a row have had the same result since the task was seen to have ended, on the
 * monotonic clock of this process.
 */
function steadyFor(
  run: ReadingBack,
  intent: IntentState,
  { device }: Sighting,
): Pick<Readback, 'steadyFor'> {
  const flight = run.inFlight.of(intent);
  if (!flight.completion) return {};
  const shows = canonical([device?.status ?? null, device?.firmwareVersion ?? null]);
  return { steadyFor: flight.steadyFor(shows, run.clock.monotonic()) };
}

/**
 * The list of discovered devices, where it may close an intent: an onboarding in doubt whose device
 * cannot be read, with a dialect that lets it count as not done.
 */
async function stillDiscovered(
  run: ReadingBack,
  intents: readonly IntentState[],
  sightings: ReadonlyMap<string, Sighting>,
): Promise<ReadonlyMap<string, DiscoveredDevice>> {
  const isWanted = intents.some(
    ({ task, phase, device }) =>
      task === TASK_OF.onboarding && phase === 'inDoubt' && !sightings.get(device)?.device,
  );
  const isNeeded = isWanted && run.dialect.autoSettleNegative === 'afterQuarantine';
  return isNeeded ? readDiscovered(run) : new Map();
}

/** The observation of a device that is not managed under the ID of its discovery. */
function unmanaged(
  { reading, inFlight }: ReadingBack,
  { task, device }: IntentState,
  discovered: ReadonlyMap<string, DiscoveredDevice>,
): Pick<Readback, 'discovered' | 'namesake'> {
  if (task !== TASK_OF.onboarding) return {};
  const listed = discovered.get(device);
  const known = listed ?? inFlight.soughtDevice(device);
  const namesake = reading.survey && known && findNamesake(reading.snapshot, known);
  return { ...(listed && { discovered: listed }), ...(namesake && { namesake }) };
}

/** A managed device with the name and the source of a discovered one. */
function findNamesake(
  { devices }: Snapshot,
  { name, sources: from = [] }: Pick<DiscoveredDevice, 'name' | 'sources'>,
): Pick<Device, 'id'> | undefined {
  const { values, codes } = devices.text.name;
  const wanted = name === undefined ? -1 : values.indexOf(name);
  if (wanted < 1) return undefined;
  for (let row = 0; row < devices.length; row += 1) {
    if (codes[row] !== wanted) continue;
    const { id, sources } = devices.at(row);
    if (sources.some((one) => from.some((source) => one.id === source.id))) return { id };
  }
  return undefined;
}

/** The number of devices in the service, by this run or the ledger. */
function fleetSize({ reading, journal }: ReadingBack): number {
  const read = reading.survey?.snapshot.devices.length ?? 0;
  return read > 0 ? read : (journal.memory.lastVisible ?? Infinity);
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

/**
 * The time of a row is that of the request for its page, so it is never later than the true one.
 */
async function fromList(
  run: ReadingBack,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  const sightings = new Map<string, Sighting>();
  const pages = run.service.list('devices');
  const { health } = run;
  for (let at = health.serviceNow(); sightings.size < ids.size; at = health.serviceNow()) {
    const page = await pages.next();
    if (page.done) break;
    for (const device of page.value) {
      if (!ids.has(device.id)) continue;
      run.reading.keep(device);
      sightings.set(device.id, { device, readAt: at });
    }
    await run.keepLease();
  }
  return sightings;
}
