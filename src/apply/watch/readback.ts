import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Readback } from '../../kinds/kind.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { readEach } from '../service-absence.ts';
import { readAllFacts } from '../../model/fleet/device-read.ts';
import { readDiscovered } from '../reading.ts';
import { toAttempted } from './settle.ts';
import { readId, sight, steadyFor, type ReadingBack } from './sighting.ts';

/**
 * Reads the devices of intents back: first what proves their tasks by a read of its own, then, where that alone does
 * not prove a task that has ended, the row of the device (protocol V1). One whose read got a bad answer gives no
 * observation.
 * @returns what was seen, by intent id
 */
export async function readBack(
  run: ReadingBack,
  intents: readonly IntentState[],
): Promise<ReadonlyMap<string, Readback>> {
  const details = await readEach(intents, async (intent) => {
    const { proofReads } = KINDS[intent.task];
    const readAt = run.health.serviceNow();
    const facts = await readAllFacts(run.service, readId(run, intent), proofReads);
    await run.keepLease();
    return { readAt, facts };
  });
  const proved = [...details].filter(([intent, one]) => isProved(run, intent, one));
  const seen = new Map<string, Readback>(proved.map(([{ id }, one]) => [id, one]));
  const rest = [...details.keys()].filter(({ id }) => !seen.has(id));
  const sightings = await sight(run, rest);
  // The list of discovered devices, where it may close an intent: an onboarding in doubt whose
  // device cannot be read, with a dialect that lets it count as not done.
  const isWanted = rest.some(
    ({ task, phase, device }) =>
      task === TASK_OF.onboarding && phase === 'inDoubt' && !sightings.get(device)?.device,
  );
  const isNeeded = isWanted && run.dialect.autoSettleNegative === 'afterQuarantine';
  const discovered = isNeeded ? await readDiscovered(run) : new Map<string, DiscoveredDevice>();
  for (const intent of rest) {
    const sighting = sightings.get(readId(run, intent));
    const { facts = {} } = details.get(intent) ?? {};
    if (!sighting) continue;
    const steady = steadyFor(run, intent, sighting);
    const others = sighting.device ? {} : unmanaged(run, intent, discovered);
    seen.set(intent.id, { ...sighting, ...others, ...steady, facts });
  }
  return seen;
}

/** Whether the task has ended, and its own reads alone prove its effect. */
function isProved(run: ReadingBack, intent: IntentState, seen: Readback): boolean {
  const { completion } = run.inFlight.of(intent);
  const attempted = { ...toAttempted(intent), ...completion };
  return completion !== undefined && KINDS[intent.task].prove(attempted, seen).is === 'shown';
}

/** The observation of a device that is not managed under the ID of its discovery. */
function unmanaged(
  { reading, inFlight }: ReadingBack,
  { task, device }: IntentState,
  discovered: ReadonlyMap<string, DiscoveredDevice>,
): Pick<Readback, 'discovered' | 'namesake'> {
  if (task !== TASK_OF.onboarding) return {};
  const listed = discovered.get(device);
  const known = listed ?? inFlight.sought.get(device);
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
