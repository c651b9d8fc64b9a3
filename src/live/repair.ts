import type { Device } from '../model/fleet/device.ts';
import { readValue } from '../model/fleet/device-read.ts';
import { WorldError } from '../model/error.ts';
import type { Clock, Service } from '../model/ports.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import type { Repair } from '../model/fleet/snapshot.ts';

/** Devices known from a source other than the list. */
export interface KnownDevices {
  /** IDs from the documents or the ledger. */
  readonly ids: Iterable<string>;
  /** IDs that must exist, because a change of ours is open on them. */
  readonly open: ReadonlySet<string>;
}

export interface RepairInput {
  readonly service: Service;
  readonly clock: Clock;
  readonly known: KnownDevices;
  /**
   * Whether there is time to read twice, `READ_DELAY_MS` apart. A single 404 may come from a stale
   * cache, so without that time a missing device is unknown.
   */
  readonly patient: boolean;
}

/** The passes of a list that changed during each of them. */
export interface TornPasses {
  /** Whether any pass showed the ID. */
  has(id: string): boolean;
  readonly size: number;
  rows(): Iterable<Device>;
  /** IDs that at least one pass did not show. */
  readonly unsure: ReadonlySet<string>;
}

export interface Repaired {
  /** The devices that exist now. Rows read by ID replace older ones. */
  readonly devices: Iterable<Device>;
  readonly repair: Repair;
}

/** This many missing known devices are tolerated; more indicate a loss of permissions. */
const MISSING_TOLERATED = 3;
const MISSING_SHARE = 0.01;

/**
 * Reads each uncertain device by its ID (protocol Y4): those that only some passes showed, and
 * known devices that none did. Throws `permissionsChanged` if more than three devices, or more than
 * 1% of the fleet, are missing although a pass showed them or a change of ours is open on them.
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

/** A device that cannot be read is neither present nor missing. */
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
