import { readDevice } from '../model/device-read.ts';
import type { Clock, Service } from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Facts, Need, Snapshot } from '../model/snapshot.ts';
import { approvedByPath } from './paths.ts';

export interface FactsInput {
  readonly service: Service;
  readonly needs: readonly Need[];
  readonly clock: Clock;
  readonly onProgress?: OnProgress;
}

/**
 * Makes the wanted reads, one request for each key, and answers by device. What cannot be read is a
 * value and not the end of the plan; a service that cannot be reached or refuses our credentials is
 * the end: `WorldError`.
 */
export async function readFacts(input: FactsInput): Promise<(deviceId: string) => Facts> {
  const needs = byKey(input.needs);
  const answers = new Map<string, Facts>(
    await approvedByPath(input.service, input.needs, input.onProgress),
  );
  const report = reporter(input, needs.size);
  report(answers.size);
  for (const [key, need] of needs) {
    if (answers.has(key)) continue;
    answers.set(key, await readDevice(input.service, need.deviceId, need.read));
    report(answers.size);
  }
  return answerer(input.needs, answers);
}

/** The snapshot with these facts in the place of its own. */
export function withFacts(snapshot: Snapshot, facts: (deviceId: string) => Facts): Snapshot {
  return { ...snapshot, facts };
}

function byKey(needs: readonly Need[]): ReadonlyMap<string, Need> {
  const first = new Map<string, Need>();
  for (const need of needs) if (!first.has(need.key)) first.set(need.key, need);
  return first;
}

const REPORT_EVERY_MS = 200;

/** Tells how far it got, often enough to be seen and not for each of ten thousand reads. */
function reporter({ clock, onProgress }: FactsInput, total: number): (done: number) => void {
  let last = -Infinity;
  return (done) => {
    const now = clock.monotonic();
    if (total === 0 || (now - last < REPORT_EVERY_MS && done < total)) return;
    last = now;
    onProgress?.({ kind: 'facts', done, total });
  };
}

const NOTHING_READ: Facts = {};

function answerer(
  needs: readonly Need[],
  answers: ReadonlyMap<string, Facts>,
): (deviceId: string) => Facts {
  const byDevice = new Map<string, Facts>();
  for (const { deviceId, key } of needs) {
    const answer = answers.get(key) ?? NOTHING_READ;
    const before = byDevice.get(deviceId);
    byDevice.set(deviceId, before ? { ...before, ...answer } : answer);
  }
  return (deviceId) => byDevice.get(deviceId) ?? NOTHING_READ;
}
