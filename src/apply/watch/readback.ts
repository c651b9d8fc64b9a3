import { KINDS } from '../../kinds/index.ts';
import type { Observation } from '../../kinds/kind.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import { canonical } from '../../lib/canonical.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { cheapestRead } from '../../kinds/verify.ts';
import { endIfAway, orMissed, readEach } from '../run/service-absence.ts';
import { readNow } from '../send/facts.ts';
import { flightOf } from './flight.ts';
import { keepLease } from '../run/heartbeat.ts';
import { readDiscovered } from '../send/last-look.ts';
import { dateOf, keepRead, serviceNow, type Run } from '../run/run.ts';

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
  run: Run,
  intents: readonly IntentState[],
): Promise<ReadonlyMap<string, Observation>> {
  const idOf = (intent: IntentState): string => flightOf(run, intent).onboardedId ?? intent.device;
  const ids = new Set(intents.map(idOf));
  const sightings =
    cheapestRead(ids.size, fleetOf(run)) === 'list'
      ? await fromListOrById(run, ids)
      : await byId(run, ids);
  const discovered = await stillDiscovered(run, intents, sightings);
  const sighted = intents.filter((intent) => sightings.has(idOf(intent)));
  const proofs = await readEach(sighted, async (intent) => {
    const { proofReads } = KINDS[intent.task];
    const facts = await readNow(run.service, idOf(intent), proofReads);
    await keepLease(run);
    return facts;
  });
  const seen = new Map<string, Observation>();
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
 * For how long reads in a row have shown the same since the task was seen to have ended, on the
 * monotonic clock of this process.
 */
function steadyFor(
  run: Run,
  intent: IntentState,
  { device }: Sighting,
): Pick<Observation, 'steadyFor'> {
  const flight = flightOf(run, intent);
  if (flight.completedAt === undefined) return {};
  const shows = canonical([device?.status ?? null, device?.firmwareVersion ?? null]);
  const now = run.clock.monotonic();
  const isSteady = flight.steady?.shows === shows;
  const since = isSteady ? (flight.steady?.since ?? now) : now;
  flight.steady = { shows, since };
  return { steadyFor: now - since };
}

/**
 * The list of discovered devices, where it may settle something: an onboarding in doubt whose device
 * cannot be read, and a dialect that lets it be not done.
 */
async function stillDiscovered(
  run: Run,
  intents: readonly IntentState[],
  sightings: ReadonlyMap<string, Sighting>,
): Promise<ReadonlyMap<string, DiscoveredDevice>> {
  const isWanted = intents.some(
    ({ task, phase, device }) =>
      task === 'onboardDevice' && phase === 'inDoubt' && !sightings.get(device)?.device,
  );
  const mayMatter = isWanted && run.dialect.autoSettleNegative === 'afterQuarantine';
  return mayMatter ? readDiscovered(run) : new Map();
}

/** What there is to see of a device that is not managed under the id it was discovered by. */
function unmanaged(
  { survey, sought }: Run,
  { task, device }: IntentState,
  discovered: ReadonlyMap<string, DiscoveredDevice>,
): Pick<Observation, 'discovered' | 'namesake'> {
  if (task !== 'onboardDevice') return {};
  const listed = discovered.get(device);
  const known = listed ?? sought.get(device);
  const namesake = survey && known && namesakeOf(survey.snapshot, known);
  return { ...(listed && { discovered: listed }), ...(namesake && { namesake }) };
}

/** A managed device with the name and the source of a discovered one. */
function namesakeOf(
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

/** How many devices the service shows, as far as this run or the ledger knows. */
function fleetOf({ survey, journal }: Run): number {
  const read = survey?.snapshot.devices.length ?? 0;
  return read > 0 ? read : (journal.memory.lastVisible ?? Infinity);
}

async function byId(run: Run, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Sighting>> {
  return readEach(ids, async (id) => {
    const answer = await run.service.device(id);
    const device = answer.value;
    if (device) keepRead(run, device);
    await keepLease(run);
    return { ...(device && { device }), readAt: dateOf(run, answer) };
  });
}

/** What a list leaves out, and everything where its answer is not understood, is read by id. */
async function fromListOrById(
  run: Run,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  const answer = await orMissed(fromList(run, ids));
  if (answer instanceof WorldError) endIfAway(answer);
  const listed = answer instanceof WorldError ? new Map<string, Sighting>() : answer;
  const unlisted = new Set([...ids].filter((id) => !listed.has(id)));
  return new Map([...listed, ...(await byId(run, unlisted))]);
}

/**
 * The time of a row is that of the asking for its page, so that it is never believed to be newer
 * than it is.
 */
async function fromList(
  run: Run,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sighting>> {
  const sightings = new Map<string, Sighting>();
  const pages = run.service.list('devices');
  for (let readAt = serviceNow(run); sightings.size < ids.size; readAt = serviceNow(run)) {
    const page = await pages.next();
    if (page.done) break;
    for (const device of page.value) {
      if (!ids.has(device.id)) continue;
      keepRead(run, device);
      sightings.set(device.id, { device, readAt });
    }
    await keepLease(run);
  }
  return sightings;
}
