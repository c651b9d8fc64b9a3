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
import { toReadProblem, readAllFacts } from '../../model/fleet/device-read.ts';
import { readDiscovered, readList } from '../reading.ts';
import { caseOf } from './recheck.ts';

/**
 * All reads for a batch just before its POST, and when the first began: the age of the oldest read.
 */
export interface LastLook {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly since: { readonly wall: Instant; readonly monotonic: Milliseconds };
}

/**
 * Makes the reads that the decision to send relies on (protocol X6): the down devices of the fleet,
 * and each device of the batch by its ID, with the per-device reads of its kind. Throws `listTorn`.
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
 * How long a token must be valid at the POST: two minutes, and the maximum age of the reads until
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
 * The row of a device, or its problem, which does not block other devices (protocol X19). A
 * temporary status is read once more after a pause, because the lists have shown that the service
 * works.
 */
async function readRow({ service, reading }: Looking, id: string): Promise<Answer | ReadProblem> {
  try {
    const answer = await service.device(id);
    reading.failing.delete(id);
    return answer;
  } catch (error) {
    const problem = toReadProblem(error);
    const isFirst = isPassing(error) && !reading.failing.has(id);
    reading.failing.add(id);
    if (problem === undefined || isFirst) throw error;
    return problem;
  }
}

type Answer = Awaited<ReturnType<Looking['service']['device']>>;

/**
 * The down devices of the fleet: by the service's filters, or from all rows where these do not
 * work. A device that was down at an earlier read by ID, and is in none of these lists now, is no
 * longer down; one that could not be parsed is in no list, so it stays down.
 */
async function readDown(run: Looking): Promise<void> {
  const down = (await readFiltered(run)) ?? (await readWhole(run));
  run.reading.keepDown(down, (device) => isDown(device) && !isUnreadable(device, ...SHOWS_UP));
}

/** What the lists of the down set go by. */
function filterSupport({ dialect, health }: Looking): Parameters<typeof readsWhole>[0] {
  return { dialect, unfiltered: health.unfiltered };
}

type Down = ReadonlyMap<string, ReadDevice>;

/**
 * The filtered lists, with each row checked (protocol Y6). Undefined where the service does not
 * have such a filter, ignores or refuses it, or omits a row that must match; the rest of the run
 * does not use filters then.
 */
async function readFiltered(run: Looking): Promise<Down | undefined> {
  if (readsWhole(filterSupport(run))) return undefined;
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

/** All rows, each checked. */
async function readWhole(run: Looking): Promise<Down> {
  const readAt = run.clock.now();
  const rows = await readList(run, 'devices');
  return new Map(rows.filter(isDown).map((device) => [device.id, { device, readAt }]));
}

function doWithout(run: Looking, filter: ServiceFilter, why: FilterProblem): undefined {
  const query = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  run.health.doWithoutFilters();
  run.progress({ kind: 'unfiltered', filter: query.join('&'), why });
}

/**
 * A filter that does not work looks like a healthy fleet. Once in a run, before an empty answer is
 * trusted, this asks the filters for rows that must match. It is not evidence, so its age does not
 * count.
 */
async function tryFilters(run: Looking): Promise<void> {
  if (run.health.areFiltersTried || readsWhole(filterSupport(run)) || !run.reading.survey) return;
  const filter = trialFilter(run.reading.snapshot.devices);
  const why = await tryFilter(run.service, filter);
  if (why) doWithout(run, filter ?? { maintenanceMode: true }, why);
}

/**
 * A filter may work for one value and not for another. Once in a run, a device that was down when
 * it was read, and that is in no list, is read again for each filter.
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

/** Parsed and matching the filter; a device that could not be parsed may be in no list. */
function isSo(device: Device, { filter, includes }: DownRead): boolean {
  return includes(device) && !isUnreadable(device, ...Object.keys(filter));
}

function isDown(device: Device): boolean {
  return DOWN_READS.some(({ includes }) => includes(device));
}
