import { TASK_OF } from '../../model/fleet/task.ts';
import { WorldError } from '../../model/error.ts';
import type { ReadDevice } from '../../model/fleet/snapshot.ts';
import {
  READ_AGE,
  readsBefore,
  readsOnce,
  timeFor,
  type ReadCost,
} from '../../plan/admit/batch.ts';
import type { WholePass } from '../reading.ts';
import type { Candidate, Looking } from './candidate.ts';

/** What the reads before a POST cost this run. */
export function readCostOf({ dialect, health, reading }: Looking): ReadCost {
  const { unfiltered } = health;
  return readsBefore({ dialect, devices: reading.snapshot.devices.length, unfiltered });
}

/**
 * The rows of all devices for the last look of a batch, where one pass is fewer requests than the
 * lists of what is down and a read by id each (protocol N31). A pass serves every batch whose POST
 * comes while its first page is recent. Undefined where lists and ids are cheaper, for devices that
 * are in no list yet, and after a pass that was torn or not understood.
 */
export async function wholePass(
  run: Looking,
  batch: readonly Candidate[],
): Promise<WholePass | undefined> {
  if (!mayReadOnce(run, batch)) return undefined;
  return recentPass(run, batch) ?? readPass(run);
}

/** Whether a batch is read by one pass, one of before or a new one. */
export function mayReadOnce(run: Looking, batch: readonly Candidate[]): boolean {
  const isListed = batch.every(({ change }) => change.task !== TASK_OF.onboarding);
  if (!isListed || batch.length === 0 || !run.reading.survey) return false;
  const { pace } = run.documents.service.value;
  return recentPass(run, batch) !== undefined || readsOnce(batch.length, readCostOf(run), pace);
}

function recentPass(run: Looking, { length }: readonly Candidate[]): WholePass | undefined {
  const { pass } = run.reading;
  return pass && isRecent(run, pass, length) ? pass : undefined;
}

/** Whether a pass is still recent once the other reads for a batch are made, by both clocks. */
function isRecent({ clock, documents }: Looking, { since }: WholePass, size: number): boolean {
  const takes = timeFor(size + 1, documents.service.value.pace);
  const age = Math.max(clock.now() - since.wall, clock.monotonic() - since.monotonic);
  return age >= 0 && age + takes < READ_AGE;
}

/** What leaves the question to lists and ids: a list that moved, or a row that is not understood. */
const BY_ID_INSTEAD = ['listTorn', 'unexpectedShape'];

async function readPass(run: Looking): Promise<WholePass | undefined> {
  const { clock, health, reading } = run;
  const since = { wall: clock.now(), monotonic: clock.monotonic() };
  const rows = new Map<string, ReadDevice>();
  try {
    const pages = run.service.list('devices');
    let readAt = clock.now();
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) {
      for (const device of page.value) rows.set(device.id, { device, readAt });
      readAt = clock.now();
    }
    const { torn, date } = page.value;
    if (torn !== undefined) return undefined;
    health.dateOf({ value: undefined, ...(date !== undefined && { date }) });
  } catch (error) {
    if (error instanceof WorldError && BY_ID_INSTEAD.includes(error.code)) return undefined;
    throw error;
  }
  const pass = { rows, since };
  reading.keepPass(pass);
  return pass;
}
