import type { IncidentPolicy } from '../../model/documents/policy.ts';
import {
  DEFAULT_ROLLOUT,
  EXPERT_CLASSES,
  simpleStops,
  TRIAL,
} from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec, Wave } from '../../model/documents/rollout.ts';
import { TASK_TYPES, TASKS } from '../../model/fleet/task.ts';
import type { TaskIn } from '../../model/fleet/task.ts';
import type { Payload } from '../../model/fleet/task.ts';
import type { AuthoredEntry } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { parsedInstant, selector } from './values.ts';

/**
 * An incident as the rotation that it asks for. Its priority among incidents is `since`: the later
 * one wins (semantics N57).
 */
export function incident(entry: AuthoredEntry<'incidents'>): IncidentPolicy {
  const { value, name, address } = entry;
  const { leavesInService, payload, reason, owner, ticket, expect } = value;
  const since = parsedInstant(value.since);
  return {
    address,
    priority: since,
    windows: ['anytime'],
    rollout: address,
    section: 'rotations',
    task: taskFor(value.rotate),
    select: selector(value.select),
    due: { is: 'never' },
    generation: DEFAULTS.generation,
    payload: (payload ?? {}) as Payload,
    offlineGrace: 0,
    unknownAge: 'rotate',
    ...(leavesInService !== undefined && { leavesInService }),
    incident: { name, since, until: parsedInstant(value.until), expect, reason, owner, ticket },
  };
}

/**
 * The waves of an incident: a trial of one device for each vendor and model as far as it goes,
 * without a soak, then all others. One bad outcome in the trial pauses it (semantics N59).
 */
export function incidentRollout(
  { value }: AuthoredEntry<'incidents'>,
  inFlight: number,
): RolloutSpec {
  const waves: readonly Wave[] = [
    {
      name: TRIAL,
      slice: { is: 'size', devices: value.trial ?? DEFAULTS.trial },
      stratify: ['vendor', 'model'],
      soak: 0,
    },
    { name: 'rest', slice: { is: 'percent', percent: 100 }, stratify: [], soak: 0 },
  ];
  return {
    ...DEFAULT_ROLLOUT,
    canary: 'none',
    waves,
    maxInFlight: value.maxInFlight ?? inFlight,
    // A bad outcome pauses the trial by a stop rule. After a lift, its gate must not block the rest.
    gate: { ...DEFAULT_ROLLOUT.gate, minReached: 100, minSuccess: 0, checks: [] },
    stopOn: simpleStops({}, waves).map((rule) =>
      rule.scope === 'canary' ? { ...rule, name: TRIAL, classes: EXPERT_CLASSES } : rule,
    ),
  };
}

function taskFor(credential: 'password' | 'certificate'): TaskIn<'rotations'> {
  const tasks = TASK_TYPES.filter((task) => TASKS[task].credential === credential);
  return tasks[0] as TaskIn<'rotations'>;
}
