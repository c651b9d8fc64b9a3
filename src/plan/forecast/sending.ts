import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import {
  joinBatch,
  READ_AGE,
  readsBefore,
  readsOnce,
  requestsFor,
  type Batch,
  type ReadCost,
} from '../admit/batch.ts';
import type { Tracked } from '../decide/decision-input.ts';
import type { Job } from './job.ts';

/** The reads of a batch that a pass of before serves: those of its devices. */
const AT_HAND: ReadCost = { lists: 0, pages: 1 };

/**
 * How long the requests of each start take at the pace of the documents, in the order of starts: the reads before its
 * POST as `apply` makes them for a batch (protocol N31), and the polls of each task: one,
 * and a second where it takes longer (protocol X20).
 */
export function openSending({
  dialect,
  documents,
  memory,
  snapshot,
}: Tracked): (job: Job, from: Instant) => Milliseconds {
  const { pace } = documents.service.value;
  const { devices, unfiltered } = snapshot;
  const listed = readsBefore({ dialect, devices: devices.length, unfiltered });
  const accepted = new Set<TaskType>(memory.accepted);
  const known = { accepted, dialect, pace, reads: listed };
  let batch: Batch | undefined;
  let [began, sentAt, passAt] = [-Infinity, -Infinity, -Infinity];
  let reads = listed;
  return ({ request: { task, policy, rollout }, takes }, from) => {
    const joins = { change: { task, policy: policy.address }, rollout };
    // After a pause the batch is on its way.
    batch = joinBatch(from > sentAt ? undefined : batch, joins, known);
    const { size } = batch;
    if (size === 1) {
      began = from;
      reads = from < passAt + READ_AGE ? AT_HAND : listed;
    }
    if (readsOnce(size, reads, pace)) passAt = began;
    accepted.add(task);
    const polls = takes > pace.pollEvery ? 2 : 1;
    const before = size === 1 ? -polls : requestsFor(size - 1, reads, pace);
    const requests = requestsFor(size, reads, pace) - before;
    sentAt = from + (requests * 1_000) / pace.requestsPerSecond;
    return sentAt - from;
  };
}
