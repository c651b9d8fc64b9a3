import { TASK_TYPES } from '../../model/fleet/task.ts';
import type { Want } from '../../model/plan/desired-state.ts';
import type { Prepared } from './decision-input.ts';
import { toDecisionInput } from './decision-input.ts';
import { addTiming, type Judged } from './decide.ts';
import type { DeviceClass, DeviceClasses } from './device-classes.ts';

/**
 * How the desired states of one plan are judged, each of them once: the rollouts are assigned by it, and the decision
 * takes it again, since neither a judgement nor a window depends on the rollout of a device.
 */
export interface Judging {
  /** Judges a desired state; the second call for it returns what the first one found. */
  of(want: Want): JudgedWant;
}

/** A judged desired state. */
export interface JudgedWant {
  readonly judged: Judged;
  /** The class whose devices are decided alike; absent where a device is decided alone. */
  readonly deviceClass?: DeviceClass;
  /** Nothing is due yet, until an instant that is the device's own and not that of its class. */
  readonly isQuiet: boolean;
}

/** Starts with nothing judged. */
export function startJudging(input: Prepared, classes: DeviceClasses): Judging {
  const judgedAlone = new Map<number, JudgedWant>();
  const ofClasses = new WeakMap<DeviceClass, JudgedWant>();
  const judgeAlone = (want: Want): JudgedWant => {
    const decisionInput = toDecisionInput(want, input);
    const judgement = decisionInput.kind.judge(decisionInput.case);
    const deviceClass = classes.quietClassOf(want, decisionInput, judgement);
    if (!deviceClass) return { judged: addTiming(decisionInput, judgement), isQuiet: false };
    const { timing } = deviceClass.first;
    return { judged: { judgement, ...(timing && { timing }) }, deviceClass, isQuiet: true };
  };
  return {
    of(want) {
      const deviceClass = classes.classOf(want);
      if (deviceClass) {
        const known = ofClasses.get(deviceClass);
        if (known) return known;
        const shared = { judged: deviceClass.first, deviceClass, isQuiet: false };
        ofClasses.set(deviceClass, shared);
        return shared;
      }
      const number = want.row * TASK_TYPES.length + TASK_TYPES.indexOf(want.task);
      const before = judgedAlone.get(number);
      if (before) return before;
      const judged = judgeAlone(want);
      judgedAlone.set(number, judged);
      return judged;
    },
  };
}
