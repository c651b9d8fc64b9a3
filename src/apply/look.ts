import { KINDS } from '../kinds/index.ts';
import type { Device, DiscoveredDevice } from '../model/device.ts';
import { WorldError } from '../model/error.ts';
import type { Collection, Collections, Filter, Pass } from '../model/ports.ts';
import type { ReadDevice } from '../model/snapshot.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import { isUnreadable } from '../model/unreadable.ts';
import { DOWN_READS } from '../plan/batch.ts';
import { SHOWS_UP } from '../rollout/down.ts';
import type { Candidate } from './candidate.ts';
import { readNow } from './facts.ts';
import { caseOf, type Seen } from './recheck.ts';
import { dateOf, keepRead, type Run } from './run.ts';

/**
 * Everything read for a batch just before its POST, and when the reading began: the age of its
 * oldest read.
 */
export interface LastLook {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly since: { readonly wall: Instant; readonly monotonic: Milliseconds };
}

/** A list that changes while it is read is read again, so often. */
const PASSES = 3;

/**
 * Reads what the decision to send rests on (apply protocol 3.7): the devices of the fleet that are
 * down, and each device of the batch by its own id, with the per-device reads of its kind. Throws
 * `filterNotHonoured` and `listTorn`.
 */
export async function lastLook(run: Run, batch: readonly Candidate[]): Promise<LastLook> {
  const since = { wall: run.clock.now(), monotonic: run.clock.monotonic() };
  await run.service.holdToken(TOKEN_MS);
  await readDown(run);
  const discovered = batch.some(({ change }) => change.task === 'onboardDevice')
    ? await readDiscovered(run)
    : new Map<string, DiscoveredDevice>();
  const seen = new Map<string, Seen>();
  for (const candidate of batch) {
    const { id } = candidate.change.device;
    seen.set(id, await readDevice(run, candidate, discovered.get(id)));
  }
  refuseSkew(run);
  return { seen, since };
}

/**
 * Life that a token must have at the POST: two minutes, and the age that reads may reach until
 * then.
 */
const TOKEN_MS: Milliseconds = 150_000;

/**
 * How far the service's clock may be from ours: evidence goes by the one, `sendBy` by the other.
 */
const SKEW_MS: Milliseconds = 60_000;

function refuseSkew({ ahead }: Run): void {
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  if (Math.abs(ahead) > SKEW_MS) throw new WorldError('clockSkew', { seconds });
}

async function readDevice(
  run: Run,
  candidate: Candidate,
  discovered: DiscoveredDevice | undefined,
): Promise<Seen> {
  const { id } = candidate.change.device;
  const answer = await run.service.device(id);
  dateOf(run, answer);
  const device = answer.value;
  if (device) keepRead(run, device);
  else if (discovered) run.sought.set(id, discovered);
  const seen: Seen = { facts: {}, ...(device ? { device } : discovered && { discovered }) };
  const theCase = caseOf(run, candidate, seen);
  if (!theCase) return seen;
  const reads = KINDS[candidate.change.task].reads(theCase);
  return { ...seen, facts: await readNow(run.service, id, reads) };
}

/**
 * The down set of the fleet, by the service's filters; each row is checked, since a filter may be
 * ignored. A device read down by id before, and in none of these lists now, is not believed to be
 * down any longer; one that was not understood is in no list, and stays down.
 */
async function readDown(run: Run): Promise<void> {
  const down = new Map<string, ReadDevice>();
  for (const { filter, includes } of DOWN_READS) {
    const readAt = run.clock.now();
    for (const device of await readList(run, 'devices', filter)) {
      if (!includes(device)) throw notHonoured(filter, device);
      down.set(device.id, { device, readAt });
    }
  }
  for (const [id, { device }] of run.reads)
    if (isDown(device) && !isUnreadable(device, ...SHOWS_UP) && !down.has(id)) run.reads.delete(id);
  run.down = down;
}

/** All discovered devices, by id; a list that changes while it is read is read again. */
export async function readDiscovered(run: Run): Promise<ReadonlyMap<string, DiscoveredDevice>> {
  const rows = await readList(run, 'discoveredDevices');
  return new Map(rows.map((device) => [device.id, device]));
}

async function readList<C extends Collection>(
  run: Run,
  collection: C,
  filter?: Filter,
): Promise<readonly Collections[C][]> {
  let torn: Pass['torn'];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const rows: Collections[C][] = [];
    const pages = run.service.list(collection, filter);
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) rows.push(...page.value);
    ({ torn } = page.value);
    if (torn === undefined) return rows;
  }
  throw new WorldError('listTorn', { collection, why: torn ?? '' }, { retry: 'safe' });
}

function isDown(device: Device): boolean {
  return DOWN_READS.some(({ includes }) => includes(device));
}

function notHonoured(filter: Filter, device: Device): WorldError {
  const [[name, value] = ['', '']] = Object.entries(filter);
  const found = name === 'status' ? device.status : device.maintenanceMode;
  const params = { filter: `${name}=${value}`, id: device.id, found: String(found ?? '') };
  return new WorldError('filterNotHonoured', params);
}
