import type { Device } from '../model/fleet/device.ts';
import { readValue } from '../model/fleet/device-read.ts';
import { WorldError } from '../model/error.ts';
import type { Clock, Service } from '../model/ports.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import type { Repair } from '../model/fleet/snapshot.ts';

/** Devices that are known from elsewhere than the list. */
export interface KnownDevices {
  /** By the documents, which name them by id, or by the ledger. */
  readonly ids: Iterable<string>;
  /** Of those, what must be there: something of ours is open on it. */
  readonly open: ReadonlySet<string>;
}

export interface RepairInput {
  readonly service: Service;
  readonly clock: Clock;
  readonly known: KnownDevices;
  /**
   * Whether there is time to ask twice, V apart. One 404 may be an old copy: without the time what is
   * not there is unknown.
   */
  readonly patient: boolean;
}

/** The passes of a list that never held still. */
export interface TornPasses {
  /** Every id seen in any of them, the newest row of each. */
  has(id: string): boolean;
  readonly size: number;
  rows(): Iterable<Device>;
  /** Ids that some of them did not show. */
  readonly unsure: ReadonlySet<string>;
}

export interface Repaired {
  /** Rows of what is there now, those read by id in the place of older ones. */
  readonly devices: Iterable<Device>;
  readonly repair: Repair;
}

/** As many known devices that are not there may have left; more look like a loss of permissions. */
const MISSING_TOLERATED = 3;
const MISSING_SHARE = 0.01;

/**
 * Reads by its id each device that a torn reading leaves open (protocol Y4): seen in some
 * passes only, or known from elsewhere and seen in none. Throws `permissionsChanged` where more than
 * three of those that were seen, or that have something of ours open, or more than one in a hundred of
 * the fleet are not there any more.
 */
export async function repair(input: RepairInput, passes: TornPasses): Promise<Repaired> {
  const { known } = input;
  const others = [...known.ids, ...known.open].filter((id) => !passes.has(id));
  const doubtful = new Set([...passes.unsure, ...others]);
  const first = await readEach(input, doubtful);
  const again = input.patient ? await readAgain(input, first.missing) : NOTHING;
  const absent = again.missing;
  const missingCount = absent.filter((id) => passes.has(id) || known.open.has(id)).length;
  if (missingCount > MISSING_TOLERATED || missingCount > passes.size * MISSING_SHARE)
    throw new WorldError('permissionsChanged', { gone: missingCount });
  const present = new Map([...first.present, ...again.present]);
  const isOut = new Set([...absent, ...present.keys()]);
  const rest = [...passes.rows()].filter(({ id }) => !isOut.has(id));
  const unknown = [...doubtful].filter((id) => !isOut.has(id));
  return {
    devices: [...present.values(), ...rest],
    repair: { present: present.size, absent: absent.toSorted(), unknown: unknown.toSorted() },
  };
}

interface ById {
  readonly present: ReadonlyMap<string, Device>;
  readonly missing: readonly string[];
}

const NOTHING: ById = { present: new Map(), missing: [] };

async function readAgain(input: RepairInput, missing: readonly string[]): Promise<ById> {
  if (missing.length === 0) return NOTHING;
  await input.clock.sleep(READ_DELAY_MS);
  return readEach(input, missing);
}

/** What cannot be read is neither there nor missing. */
async function readEach({ service }: RepairInput, ids: Iterable<string>): Promise<ById> {
  const present = new Map<string, Device>();
  const missing: string[] = [];
  for (const id of ids) {
    const answer = await readValue(service.device(id));
    if (typeof answer === 'string') continue;
    if (answer.value) present.set(id, answer.value);
    else missing.push(id);
  }
  return { present, missing };
}
