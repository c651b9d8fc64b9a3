import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Device, DiscoveredDevice } from '../../model/fleet/device.ts';
import { asRefused, isPassing, WorldError } from '../../model/error.ts';
import type { PageRows, ServiceFilter } from '../../model/ports.ts';
import { PAGE_ROWS } from '../../model/ledger/run-requests.ts';
import type { DeviceRead, Facts, ReadDevice, ReadProblem } from '../../model/fleet/snapshot.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import { trialFilter, tryFilter, type FilterProblem } from '../../model/fleet/filter-trial.ts';
import {
  DOWN_READS,
  READ_AGE,
  readsBefore,
  readsOnce,
  readsWhole,
  timeFor,
  type DownRead,
  type ReadCost,
} from '../../plan/admit/batch.ts';
import { findManagedId, type Basis, type Seen } from '../../plan/decide/decision-input.ts';
import { SHOWS_UP } from '../../rollout/budgets/down.ts';
import type { Candidate, Looking } from './candidate.ts';
import { toReadProblem, readAllFacts } from '../../model/fleet/device-read.ts';
import { readDiscovered, readList, type WholePass } from '../reading.ts';
import { eachAtOnce } from '../../lib/at-once.ts';
import { numberTuples } from '../../lib/pair-numbers.ts';
import { basisNow, toCase } from './recheck.ts';

/**
 * The reads for a batch just before its POST, and when the first of them began, which is the age of
 * the oldest read.
 */
export interface LastLook {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly since: { readonly wall: Instant; readonly monotonic: Milliseconds };
}

/**
 * Makes the reads that the decision to send depends on (protocol X6): the down devices of the
 * fleet, and each device of the batch, with the reads of its kind. They come from one pass over all
 * devices where that is fewer requests (protocol N31), else from lists and by ID. Throws `listTorn`.
 */
export async function lastLook(run: Looking, batch: readonly Candidate[]): Promise<LastLook> {
  await run.service.holdToken(TOKEN_MS);
  const [pass, early] = await Promise.all([wholePass(run, batch), readEarly(run, batch)]);
  const read = pass ? await readByPass(run, batch, { pass, early }) : await readById(run, batch);
  run.health.refuseSkew();
  return read;
}

async function readById(run: Looking, batch: readonly Candidate[]): Promise<LastLook> {
  await tryFilters(run);
  const since = recentDown(run, batch) ?? (await readDown(run));
  const discovered = batch.some(({ change }) => change.task === TASK_OF.onboarding)
    ? await readDiscovered(run)
    : new Map<string, DiscoveredDevice>();
  const basis = basisNow(run);
  const seen = new Map<string, Seen>();
  await eachAtOnce(batch, async (candidate) => {
    const { id } = candidate.change.device;
    seen.set(id, await readDevice(run, candidate, { basis, discovered: discovered.get(id) }));
  });
  return { seen, since };
}

/** A device that the pass does not show is read by its ID, since absence proves nothing (I19). */
async function readByPass(
  run: Looking,
  batch: readonly Candidate[],
  { pass, early }: { readonly pass: WholePass; readonly early: ReadonlyMap<string, EarlyRead> },
): Promise<LastLook> {
  const basis = basisNow(run);
  const seen = new Map<string, Seen>();
  for (const candidate of batch) {
    const { id } = candidate.change.device;
    const row = pass.rowOf(id);
    if (row && (run.reading.reads.get(id)?.readAt ?? 0) < row.readAt)
      run.reading.keep(row.device, row.readAt);
    const device = row && (run.reading.reads.get(id)?.device ?? row.device);
    seen.set(
      id,
      device
        ? await withFacts(run, candidate, {
            basis,
            seen: { facts: {}, device },
            early: early.get(id),
          })
        : await readDevice(run, candidate, { basis }),
    );
  }
  return { seen, since: pass.since };
}

/** What was seen of a device, with the reads of its kind: made now, whatever earlier runs know of it (semantics N12). */
async function withFacts(
  run: Looking,
  candidate: Candidate,
  { basis, seen, early }: { basis: Basis; seen: Seen; early?: EarlyRead | undefined },
): Promise<Seen> {
  const theCase = toCase(basis, candidate, seen);
  if (!theCase) return seen;
  const { reads: made = [], facts = {} } = early ?? {};
  const reads = KINDS[candidate.change.task].reads(theCase);
  const missing = reads.filter((read) => !made.includes(read));
  const more = await readAllFacts(run.service, candidate.change.device.id, missing);
  return { ...seen, facts: { ...facts, ...more } };
}

/** The reads of its kind that were made for a device beside a pass. */
interface EarlyRead {
  readonly reads: readonly DeviceRead[];
  readonly facts: Facts;
}

/**
 * The reads of the kinds in a batch, which have a family of their own at the service and need not
 * wait for the pages. What they are is decided by the rows that are known so far.
 */
async function readEarly(
  run: Looking,
  batch: readonly Candidate[],
): Promise<ReadonlyMap<string, EarlyRead>> {
  const early = new Map<string, EarlyRead>();
  if (!mayReadOnce(run, batch)) return early;
  const basis = basisNow(run);
  await eachAtOnce(batch, async (candidate) => {
    const { id } = candidate.change.device;
    const device = run.reading.deviceOf(id);
    const theCase = device && toCase(basis, candidate, { device, facts: {} });
    const reads = theCase ? KINDS[candidate.change.task].reads(theCase) : [];
    early.set(id, { reads, facts: await readAllFacts(run.service, id, reads) });
  });
  return early;
}

/**
 * How long a token must be valid before a batch is read: two minutes, plus the maximum age of the
 * reads at the POST.
 */
const TOKEN_MS: Milliseconds = 150_000;

async function readDevice(
  run: Looking,
  candidate: Candidate,
  { basis, discovered }: { basis: Basis; discovered?: DiscoveredDevice | undefined },
): Promise<Seen> {
  const { id } = candidate.change.device;
  const answer = await readRow(run, id);
  if (typeof answer === 'string') return { facts: {}, problem: answer };
  run.health.dateOf(answer);
  const device = answer.value;
  if (device) run.reading.keep(device);
  const seen: Seen = {
    facts: {},
    ...(device ? { device } : discovered && (await asDiscovered(run, discovered))),
  };
  return withFacts(run, candidate, { basis, seen });
}

/** A discovered device, and whether the managed device that an earlier onboarding made is shown. */
async function asDiscovered(
  { service, journal }: Looking,
  discovered: DiscoveredDevice,
): Promise<Pick<Seen, 'discovered' | 'stillManaged'>> {
  const managedId = findManagedId(discovered.id, journal.memory);
  if (managedId === undefined || managedId === discovered.id) return { discovered };
  const { value } = await service.device(managedId);
  return value ? { discovered, stillManaged: true } : { discovered };
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
 * Reads the down devices of the fleet with the service's filters, or from all rows if the filters
 * do not work. A device that an earlier read by ID showed as down, and that none of these lists
 * contains now, is no longer down. A device that could not be parsed is in no list, so it stays
 * down.
 */
async function readDown(run: Looking): Promise<LastLook['since']> {
  const since = { wall: run.clock.now(), monotonic: run.clock.monotonic() };
  const down = (await readFiltered(run)) ?? (await readWhole(run));
  keepDown(run, down, down.size > PAGE_ROWS ? since : undefined);
  return since;
}

/**
 * When the lists of down devices were requested, where they are longer than a page and still recent:
 * they serve every batch that is read within the first half of their age (protocol N31).
 */
function recentDown(run: Looking, { length }: readonly Candidate[]): LastLook['since'] | undefined {
  const since = run.reading.downSince;
  return since && isRecent(run, since, { size: length, age: READ_AGE / 2 }) ? since : undefined;
}

function keepDown({ reading }: Looking, down: Down, since?: LastLook['since']): void {
  const isBack = (device: Device): boolean => isDown(device) && !isUnreadable(device, ...SHOWS_UP);
  reading.keepDown(down, isBack, since);
}

/** The inputs that decide how the lists of down devices are read. */
function filterSupport({ dialect, health }: Looking): Parameters<typeof readsWhole>[0] {
  return { dialect, unfiltered: health.unfiltered };
}

type Down = ReadonlyMap<string, ReadDevice>;

/**
 * Reads the filtered lists and checks each row (protocol Y6). Returns undefined if the service has
 * no such filter, ignores or refuses it, or omits a row that must match. The rest of the run then
 * uses no filters.
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

/** Reads all rows and checks each one. */
async function readWhole(run: Looking): Promise<Down> {
  const readAt = run.clock.now();
  const rows = await readList(run, 'devices');
  return new Map(rows.filter(isDown).map((device) => [device.id, { device, readAt }]));
}

function doWithout(run: Looking, filter: ServiceFilter, why: FilterProblem): undefined {
  const query = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  run.health.unfiltered = true;
  run.progress({
    type: 'warning',
    code: 'unfiltered',
    parameters: { filter: query.join('&'), why },
  });
}

/**
 * A filter that does not work looks like a healthy fleet. Once per run, before an empty answer is
 * trusted, fleetform queries the filters for rows that must match. These reads are not evidence, so
 * their age does not count.
 */
async function tryFilters(run: Looking): Promise<void> {
  if (run.health.areFiltersTried || readsWhole(filterSupport(run)) || !run.reading.survey) return;
  const filter = trialFilter(run.reading.snapshot.devices);
  const why = await tryFilter(run.service, filter);
  if (why) doWithout(run, filter ?? { maintenanceMode: true }, why);
}

/**
 * A filter may work for one value and not for another. Once per run, a device that an earlier read
 * showed as down, and that no list contains, is read again for each filter.
 */
async function hiddenFrom(run: Looking, down: Down): Promise<ServiceFilter | undefined> {
  if (run.health.areFiltersTried || !run.reading.survey) return undefined;
  run.health.areFiltersTried = true;
  const { devices } = run.reading.snapshot;
  const missing = new Map<DownRead, string>();
  const looked = new Set<number>();
  const codes = DOWN_FIELDS.map((field) => devices.codesOf(field));
  const alike = numberTuples(
    devices.length,
    codes.map((column) => (row) => column[row] ?? 0),
  );
  for (const [row, kind] of alike.entries()) {
    if (looked.has(kind) || down.has(devices.idAt(row))) continue;
    looked.add(kind);
    const device = devices.at(row);
    for (const read of DOWN_READS)
      if (!missing.has(read) && isSo(device, read)) missing.set(read, device.id);
  }
  for (const [read, id] of missing) {
    const { value } = await run.service.device(id);
    if (value && isSo(value, read)) return read.filter;
  }
  return undefined;
}

/**
 * Whether the device was parsed and matches the filter. A device that could not be parsed may be in
 * no list.
 */
function isSo(device: Device, { filter, includes }: DownRead): boolean {
  return includes(device) && !isUnreadable(device, ...Object.keys(filter));
}

function isDown(device: Device): boolean {
  return DOWN_READS.some(({ includes }) => includes(device));
}

/** All that `DOWN_READS` look at: one device of those that are alike in it says for all whether they are down. */
const DOWN_FIELDS = ['status', 'maintenanceMode', 'unreadable'] as const;

/** The cost of the reads before a POST in this run. */
export function readCost({ dialect, health, reading }: Looking): ReadCost {
  const { unfiltered } = health;
  return readsBefore({ dialect, devices: reading.snapshot.devices.length, unfiltered });
}

/**
 * The rows of all devices for the last look of a batch, where one pass is fewer requests than the
 * lists of what is down and a read by id each (protocol N31). A pass serves every batch whose POST
 * comes while its first page is recent. Undefined where lists and ids are cheaper, for devices that
 * are in no list yet, and after a pass that was torn or not understood.
 */
async function wholePass(
  run: Looking,
  batch: readonly Candidate[],
): Promise<WholePass | undefined> {
  if (!mayReadOnce(run, batch)) return undefined;
  return recentPass(run, batch) ?? readPass(run);
}

/** Whether a batch is read by one pass, one of before or a new one. */
function mayReadOnce(run: Looking, batch: readonly Candidate[]): boolean {
  const isListed = batch.every(({ change }) => change.task !== TASK_OF.onboarding);
  if (!isListed || batch.length === 0 || !run.reading.survey) return false;
  const { pace } = run.documents.service.value;
  return recentPass(run, batch) !== undefined || readsOnce(batch.length, readCost(run), pace);
}

function recentPass(run: Looking, { length }: readonly Candidate[]): WholePass | undefined {
  const { pass } = run.reading;
  const isStill = pass && isRecent(run, pass.since, { size: length, age: READ_AGE });
  return isStill ? pass : undefined;
}

/** Whether a read is younger than `age` once the other reads for a batch are made, by both clocks. */
function isRecent(
  { clock, documents }: Looking,
  since: LastLook['since'],
  { size, age: most }: { readonly size: number; readonly age: Milliseconds },
): boolean {
  const takes = timeFor(size + 1, documents.service.value.pace);
  const age = Math.max(clock.now() - since.wall, clock.monotonic() - since.monotonic);
  return age >= 0 && age + takes < most;
}

/** Failures after which lists and reads by ID decide: a list that moved, or an unreadable row. */
const BY_ID_INSTEAD = ['listTorn', 'unexpectedShape'];

/** Its rows stay in the columns of their pages: most devices are in no batch that it serves. */
async function readPass(run: Looking): Promise<WholePass | undefined> {
  const { clock, health, reading } = run;
  const since = { wall: clock.now(), monotonic: clock.monotonic() };
  const down = new Map<string, ReadDevice>();
  const places = new Map<string, readonly [page: PageRows<Device>, row: number, readAt: Instant]>();
  const enter = (page: PageRows<Device>, readAt: Instant): void => {
    let row = 0;
    for (const device of page) {
      places.set(device.id, [page, row, readAt]);
      if (isDown(device)) down.set(device.id, { device, readAt });
      row += 1;
    }
  };
  try {
    const pages = run.service.list('devices');
    let readAt = clock.now();
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) {
      enter(page.value, readAt);
      readAt = clock.now();
    }
    const { torn, date } = page.value;
    if (torn !== undefined) return undefined;
    health.dateOf({ value: undefined, ...(date !== undefined && { date }) });
  } catch (error) {
    if (error instanceof WorldError && BY_ID_INSTEAD.includes(error.code)) return undefined;
    throw error;
  }
  keepDown(run, down);
  const rowOf: WholePass['rowOf'] = (deviceId) => {
    const [page, row = 0, readAt = 0] = places.get(deviceId) ?? [];
    const device = page?.at(row);
    return device && { device, readAt };
  };
  return (reading.pass = { rowOf, since });
}
