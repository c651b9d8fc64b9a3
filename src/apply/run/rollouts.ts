import { policyOfScope } from '../../model/ledger/scopes.ts';
import { stopKey, type ActiveStop } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import { cellOf } from '../../lib/columns.ts';
import { formatInstant, type Milliseconds } from '../../lib/time.ts';
import { policiesByAddress } from '../../model/documents/policies.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { sampleGate } from '../../rollout/progress/gate-sample.ts';
import { dueRecords } from '../../rollout/progress/rollout-records.ts';
import { rolloutKey } from '../../rollout/progress/tally.ts';
import { record } from '../outbox/outbox.ts';
import type { Rollouts } from '../reading.ts';
import type { Run } from './run.ts';

/** A device that is not online this long after its task is down, whatever the soak. */
const DOWN_MS: Milliseconds = 30 * 60_000;

/**
 * Records the stop rules that have tripped since the last call, and stops that a commit has ended,
 * before anything else is sent (semantics H3).
 * @returns the current state of every rollout
 */
export async function recordStops(run: Run): Promise<Rollouts> {
  const rollouts = run.reading.followNow();
  const found = [...rollouts.values()].map((one) => dueRecords(one, run.clock.now()));
  const outdated = [...found.flatMap((each) => each.outdated), ...left(run)];
  const lifts = outdated.map((stop) => liftRecord(run, stop));
  const bodies = distinct([...lifts, ...found.flatMap(({ stops }) => stops)]);
  if (bodies.length === 0) return rollouts;
  await record(run, bodies, (body, { stops }) => {
    if (body.type === 'LIFT') return stops.has(stopKey(body));
    return body.type !== 'STOP' || !stops.has(stopKey(body));
  });
  return run.reading.followNow();
}

/** Stops of policies without a rollout: the commit that removed it has ended them. */
function left({ documents, journal }: Run): readonly ActiveStop[] {
  const policies = policiesByAddress(documents);
  return [...journal.memory.stops.values()].filter(({ scope }) => {
    const policy = policies.get(policyOfScope(scope));
    return policy !== undefined && policy.rollout === undefined;
  });
}

/** Each rollout reports a stop of the whole fleet; it is recorded once. */
function distinct(bodies: readonly RecordBody[]): readonly RecordBody[] {
  const byKey = new Map(
    bodies.map((body) => ['scope' in body ? `${body.type} ${stopKey(body)}` : body.type, body]),
  );
  return [...byKey.values()];
}

/** A change of the documents has its commit as the ticket. */
function liftRecord({ journal, reading, documents }: Run, { scope, wish }: ActiveStop): RecordBody {
  const ticket = reading.survey?.plan.inputs.commit ?? documents.digest;
  const who = journal.memory.lease?.label ?? 'fleetform';
  return {
    type: 'LIFT',
    scope,
    who,
    why: 'documentsChanged',
    ticket,
    ...(wish !== undefined && { wish }),
  };
}

/**
 * Records the facts about rollouts that no later reading can show: closed waves, one sample of each
 * gate per reading, devices that went down, and who takes whose place in a canary.
 */
export async function recordProgress(run: Run): Promise<void> {
  const rollouts = await recordStops(run);
  const bodies: RecordBody[] = [];
  for (const one of rollouts.values()) {
    const { passed, samples, replaced } = dueRecords(one, run.clock.now());
    bodies.push(...replaced, ...passed, ...downRecords(run, one));
    const last = one.input.spec.waves.length - 1;
    for (const { wave, subject, devices } of samples) {
      if (wave === last || run.sampled.has(subject)) continue;
      run.sampled.add(subject);
      const { spec, sample } = one.input;
      const checks = devices.map((id) => sample(id, run.journal.memory));
      const value = sampleGate(spec.gate.checks, checks);
      const seenAt = formatInstant(run.clock.now());
      bodies.push({ type: 'SEEN', what: 'gateSample', subject, value, seenAt });
    }
  }
  await record(run, bodies);
}

/**
 * Returns SEEN `deviceDown` of a rollout (semantics H6) for each device that it attempted and that
 * reads offline at the end of its soak, or for half an hour; `up` when it reads online again. An
 * unknown or unparsed status changes nothing.
 */
export function downRecords(
  { reading, journal, clock }: Run,
  { input, started, progress, states }: Followed,
): readonly RecordBody[] {
  if (!started || !reading.survey) return [];
  const { devices, takenAt } = reading.snapshot;
  const now = clock.now();
  return progress.tallies.flatMap(({ device, wave, isRunning, lastAttemptAt }): RecordBody[] => {
    const row = devices.rowOf(device);
    if (row === undefined || isRunning) return [];
    const status = cellOf(devices.text.status, row);
    const subject = memberSubject(rolloutKey(input, started), device);
    const isKnown = findSighting(journal.memory, 'deviceDown', subject)?.value === 'down';
    const seen = { type: 'SEEN', what: 'deviceDown', subject, seenAt: formatInstant(now) } as const;
    if (status === 'online') return isKnown ? [{ ...seen, value: 'up' }] : [];
    if (isKnown || status !== 'offline') return [];
    const since = Math.max(devices.at(row).lastSeen ?? takenAt, lastAttemptAt);
    const state = states[wave]?.is;
    const isOver = state === 'passed' || state === 'gated';
    return isOver || takenAt - since >= DOWN_MS ? [{ ...seen, value: 'down' }] : [];
  });
}
