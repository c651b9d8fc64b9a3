import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { Want } from '../../model/plan/desired-state.ts';
import type { Judged } from './decide.ts';
import type { DeviceClasses } from './device-classes.ts';

/**
 * What the devices without a class were judged when the rollouts were assigned. The decision about each of them takes
 * it: neither a judgement nor a window depends on the rollout of the device.
 */
export interface JudgedAlone {
  keep(want: Pick<Want, 'row' | 'task'>, judged: Judged): void;
  of(want: Pick<Want, 'row' | 'task'>): Judged | undefined;
}

/** How the desired states of one plan are judged, each of them once. */
export interface Judging {
  readonly classes: DeviceClasses;
  readonly judgedAlone: JudgedAlone;
}

/** Starts with nothing judged. */
export function keepJudged(): JudgedAlone {
  const judgedByRow = new Map<number, Judged>();
  const numberOf = ({ row, task }: Pick<Want, 'row' | 'task'>): number =>
    row * TASK_TYPES.length + TASK_TYPES.indexOf(task);
  return {
    keep(want, { judgement, timing }) {
      judgedByRow.set(numberOf(want), { judgement, ...(timing && { timing }) });
    },
    of: (want) => judgedByRow.get(numberOf(want)),
  };
}
