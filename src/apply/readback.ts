import { KINDS } from '../kinds/index.ts';
import type { Observation } from '../kinds/kind.ts';
import type { Device } from '../model/device.ts';
import type { IntentState } from '../model/memory.ts';
import type { Instant } from '../model/time.ts';
import { cheapestRead } from '../verify/verify.ts';
import { readNow } from './facts.ts';
import { dateOf, serviceNow, type Run } from './run.ts';

interface Sighting {
  readonly device?: Device;
  readonly readAt: Instant;
}

/**
 * Reads the devices of intents back, with the per-device reads that prove them. Devices come by id,
 * or by list pages where that costs fewer requests; one that a list does not show gives no
 * observation, for that proves nothing (I19).
 * @returns what was seen, by intent id
 */
export async function readBack(
  run: Run,
  intents: readonly IntentState[],
): Promise<ReadonlyMap<string, Observation>> {
  const ids = new Set(intents.map(({ device }) => device));
  const sightings =
    cheapestRead(ids.size, fleetOf(run)) === 'list'
      ? await fromList(run, ids)
      : await byId(run, ids);
  const seen = new Map<string, Observation>();
  for (const intent of intents) {
    const sighting = sightings.get(intent.device);
    if (!sighting) continue;
    const facts = await readNow(run.service, intent.device, KINDS[intent.task].proofReads);
    seen.set(intent.id, { ...sighting, facts });
    await run.journal.renew();
  }
  return seen;
}

/** How many devices the service shows, as far as this run or the ledger knows. */
function fleetOf({ survey, journal }: Run): number {
  const read = survey?.snapshot.devices.length ?? 0;
  return read > 0 ? read : (journal.memory.lastVisible ?? Infinity);
}

async function byId(run: Run, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Sighting>> {
  const sightings = new Map<string, Sighting>();
  for (const id of ids) {
    const answer = await run.service.device(id);
    const device = answer.value;
    if (device) run.reads.set(id, device);
    sightings.set(id, { ...(device && { device }), readAt: dateOf(run, answer) });
    await run.journal.renew();
  }
  return sightings;
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
      run.reads.set(device.id, device);
      sightings.set(device.id, { device, readAt });
    }
    await run.journal.renew();
  }
  return sightings;
}
