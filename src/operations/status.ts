import type { Memory } from '../model/ledger/memory.ts';
import type { Outcome } from '../model/ledger/run-report.ts';
import type { RunStatus, StatusView } from '../model/report/status.ts';
import { countClasses } from '../model/ledger/run-sums.ts';
import { pick } from '../lib/objects.ts';
import { DAY, type Instant } from '../lib/time.ts';
import type { Shell } from '../shell/shell.ts';
import type { Here } from './here.ts';
import type { PlannedSurvey } from './plan.ts';
import { classOf } from '../apply/outcomes.ts';
import { findTimeouts } from '../apply/watch/timeouts.ts';
import { fleetStatus } from '../report/status.ts';
import { partMembership } from '../plan/part/membership.ts';

/** Reports the state of every policy. */
export async function readStatus(
  { documents, shell }: Here,
  planned: PlannedSurvey,
): Promise<StatusView> {
  const { plan, input } = planned;
  const { memory } = input;
  const members = input.part && partMembership(input.part, input.snapshot);
  const run = runStatus(memory.lease, shell, shell.clock.now());
  const { devices, discovered } = input.snapshot;
  const found = new Set(discovered.map(({ id }) => id));
  const status = fleetStatus({
    ...pick(planned, 'plan', 'debts', 'followed'),
    memory,
    ...(members && { isInPart: members.has }),
    isListed: (id) => devices.rowOf(id) !== undefined || found.has(id),
    lostAfter: (intent) => findTimeouts(documents, intent).lost,
    now: input.now,
  });
  const lost = plan.warnings.find(({ code }) => code === 'ledgerLost');
  const clocks = plan.warnings.find(({ code }) => code === 'clocksDiffer');
  const isTorn = plan.inputs.snapshot.confidence === 'torn';
  return {
    ...status,
    recent: countRecent(memory, input.now),
    ...(isTorn && { torn: true }),
    ...(run && { run }),
    ...(lost && { ledgerLost: lost.params }),
    ...(clocks && { clocksDiffer: clocks.params }),
  };
}

/** The attempts of the last 24 hours by how they ended, in the words of the run that made them. */
export function countRecent(
  { intents }: Pick<Memory, 'intents'>,
  now: Instant,
): NonNullable<StatusView['recent']> {
  const classes: Outcome[] = [];
  for (const intent of intents.values())
    for (const { verdict, settledAt = 0 } of [...(intent.earlier ?? []), intent])
      if (verdict && settledAt > now - DAY) classes.push(classOf(intent, verdict));
  return { classes: countClasses(classes), beside: {} };
}

/** The number of the run that is at work, as far as its lease shows: another one waits for it. */
export function findAtWork(lease: Memory['lease'], shell: Shell): number | undefined {
  const run = runStatus(lease, shell, shell.clock.now());
  return run?.is === 'atWork' ? run.epoch : undefined;
}

/**
 * The run that holds the lock. A process of this machine can be looked up; of another one only its
 * last record shows, by two wall clocks: good enough to display, and no decision depends on it.
 */
export function runStatus(
  lease: Memory['lease'],
  { identity }: Pick<Shell, 'identity'>,
  now: Instant,
): RunStatus | undefined {
  if (!lease) return undefined;
  const { epoch, label, host, pid, process, takenAt, lastSignAt, ttl } = lease;
  const isDead = host === identity.host && !identity.isAlive(pid, process);
  const isSilent = now - lastSignAt >= 2 * ttl;
  const state = isDead ? 'dead' : isSilent ? 'silent' : 'atWork';
  return { is: state, epoch, label, host, pid, since: takenAt, lastSignAt };
}
