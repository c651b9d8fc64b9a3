import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import { asRefused, isPassing } from '../../model/error.ts';
import type { ServiceFilter } from '../../model/ports.ts';
import type { ReadDevice, ReadProblem } from '../../model/fleet/snapshot.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import { trialFilter, tryFilter, type FilterProblem } from '../../model/fleet/filter-trial.ts';
import { DOWN_READS, readsWhole, type DownRead } from '../../plan/admit/batch.ts';
import type { Seen } from '../../plan/decide/decision-input.ts';
import { SHOWS_UP } from '../../rollout/budgets/down.ts';
import type { Candidate, Looking } from './candidate.ts';
import { problemOf, readAllFacts } from '../../model/fleet/device-read.ts';
import { readDiscovered, readList } from '../reading.ts';
import { caseOf } from './recheck.ts';

/**
 * Everything read for a batch just before its POST, and when the reading began: the age of its
 * oldest read.
 */
export interface LastLook {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly since: { readonly wall: Instant; readonly monotonic: Milliseconds };
}

/**
 * Reads what the decision to send rests on (protocol X6): the devices of the fleet that are
 * down, and each device of the batch by its own id, with the per-device reads of its kind. Throws
 * `listTorn`.
 */
export async function lastLook(run: Looking, batch: readonly Candidate[]): Promise<LastLook> {
  await tryFilters(run);
  const since = { wall: run.clock.now(), monotonic: run.clock.monotonic() };
  await run.service.holdToken(TOKEN_MS);
  await readDown(run);
  const discovered = batch.some(({ change }) => change.task === TASK_OF.onboarding)
    ? await readDiscovered(run)
    : new Map<string, DiscoveredDevice>();
  const seen = new Map<string, Seen>();
  for (const candidate of batch) {
    const { id } = candidate.change.device;
    seen.set(id, await readDevice(run, candidate, discovered.get(id)));
  }
  run.health.refuseSkew();
  return { seen, since };
}

/**
 * Life that a token must have at the POST: two minutes, and the age that reads may reach until
 * then.
 */
const TOKEN_MS: Milliseconds = 150_000;

async function readDevice(
  run: Looking,
  candidate: Candidate,
  discovered: DiscoveredDevice | undefined,
): Promise<Seen> {
  const { id } = candidate.change.device;
  const answer = await readRow(run, id);
  if (typeof answer === 'string') return { facts: {}, problem: answer };
  run.health.dateOf(answer);
  const device = answer.value;
  if (device) run.reading.keep(device);
  const seen: Seen = { facts: {}, ...(device ? { device } : discovered && { discovered }) };
  const theCase = caseOf(run, candidate, seen);
  if (!theCase) return seen;
  const reads = KINDS[candidate.change.task].reads(theCase);
  return { ...seen, facts: await readAllFacts(run.service, id, reads) };
}

/**
 * The row of a device, or what is wrong with it alone: it holds up no other device (protocol X19). A status
 * that may pass is asked about once more, after a pause; that the service is well the lists have shown.
 */
async function readRow({ service, reading }: Looking, id: string): Promise<Answer | ReadProblem> {
  try {
    const answer = await service.device(id);
    reading.failing.delete(id);
    return answer;
  } catch (error) {
    const problem = problemOf(error);
    const isFirst = isPassing(error) && !reading.failing.has(id);
    reading.failing.add(id);
    if (problem === undefined || isFirst) throw error;
    return problem;
  }
}

type Answer = Awaited<ReturnType<Looking['service']['device']>>;

/**
 * The down set of the fleet: by the service's filters, or by all its rows where these are no help. A
 * device read down by id before, and in none of these lists now, is not believed to be down any
 * longer; one that was not understood is in no list, and stays down.
 */
async function readDown(run: Looking): Promise<void> {
  const down = (await readFiltered(run)) ?? (await readWhole(run));
  run.reading.keepDown(down, (device) => isDown(device) && !isUnreadable(device, ...SHOWS_UP));
}

/** What the lists of the down set go by. */
function askedOf({ dialect, health }: Looking): Parameters<typeof readsWhole>[0] {
  return { dialect, unfiltered: health.unfiltered };
}

type Down = ReadonlyMap<string, ReadDevice>;

/**
 * What the filters show, each row checked (protocol Y6). Undefined where the service has no such filter, ignores
 * or refuses one, or leaves out what it should show: nothing rests on them then, in all of this run.
 */
async function readFiltered(run: Looking): Promise<Down | undefined> {
  if (readsWhole(askedOf(run))) return undefined;
  const down = new Map<string, ReadDevice>();
  for (const { filter, includes } of DOWN_READS) {
    const readAt = run.clock.now();
    const rows = await readList(run, 'devices', filter).catch(asRefused);
    if (!rows?.every(includes)) return doWithout(run, filter, rows ? 'ignored' : 'refused');
    for (const device of rows) down.set(device.id, { device, readAt });
  }
  const hidden = await hiddenFrom(run, down);
  return hidden ? doWithout(run, hidden, 'ignored') : down;
}

/** All rows, looked at one by one. */
async function readWhole(run: Looking): Promise<Down> {
  const readAt = run.clock.now();
  const rows = await readList(run, 'devices');
  return new Map(rows.filter(isDown).map((device) => [device.id, { device, readAt }]));
}

function doWithout(run: Looking, filter: ServiceFilter, why: FilterProblem): undefined {
  const asked = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  run.health.doWithoutFilters();
  run.progress({ kind: 'unfiltered', filter: asked.join('&'), why });
}

/**
 * A filter that matches nothing looks like a fleet that is all well. Once in a run, before anything
 * rests on an empty answer, the filters are asked for what is there; this read is no evidence, so
 * that its age does not count.
 */
async function tryFilters(run: Looking): Promise<void> {
  if (run.health.areFiltersTried || readsWhole(askedOf(run)) || !run.reading.survey) return;
  const filter = trialFilter(run.reading.snapshot.devices);
  const why = await tryFilter(run.service, filter);
  if (why) doWithout(run, filter ?? { maintenanceMode: true }, why);
}

/**
 * One value may match nothing where another one does. Once in a run, a device that was down when it
 * was read, and that no list shows, is read again for each filter.
 */
async function hiddenFrom(run: Looking, down: Down): Promise<ServiceFilter | undefined> {
  if (run.health.areFiltersTried || !run.reading.survey) return undefined;
  run.health.noteFiltersTried();
  const { devices } = run.reading.snapshot;
  const missing = new Map<DownRead, string>();
  for (let row = 0; row < devices.length; row += 1) {
    const device = devices.at(row);
    if (down.has(device.id)) continue;
    for (const read of DOWN_READS)
      if (!missing.has(read) && isSo(device, read)) missing.set(read, device.id);
  }
  for (const [read, id] of missing) {
    const { value } = await run.service.device(id);
    if (value && isSo(value, read)) return read.filter;
  }
  return undefined;
}

/** Understood, and what the filter asks for; what is not understood may be in no list. */
function isSo(device: Device, { filter, includes }: DownRead): boolean {
  return includes(device) && !isUnreadable(device, ...Object.keys(filter));
}

function isDown(device: Device): boolean {
  return DOWN_READS.some(({ includes }) => includes(device));
}
