import type { DeviceEffect, DeviceTaskState } from '../world/state.ts';
import type { PlannedStep, Program } from './index.ts';

type Injected = Pick<DeviceTaskState, 'mishap' | 'thankless'>;

/** The same program with an injected outcome. A program that fails anyway stays as it is. */
export function inject(program: Program, { mishap, thankless }: Injected): Program {
  if (program.result !== 'succeeded') return program;
  if (mishap === undefined) {
    return thankless ? { steps: [...program.steps, REPORT], result: thankless } : program;
  }
  switch (mishap) {
    case 'liar':
      return { ...program, steps: program.steps.map(withoutEffect) };
    case 'aborted':
      return { steps: program.steps.map(failingAt(0, 'aborted')), result: 'aborted' };
    case 'failed':
      return { steps: broken(program), result: 'failed' };
    case 'rolledBack':
      return { steps: [...broken(program), ROLL_BACK], result: 'rolledBack' };
    case 'stuck':
      return { ...program, steps: stuckAt(program.steps, mainStep(program.steps)) };
  }
}

/** The only step that runs after a failure. */
export const ROLL_BACK: PlannedStep = { name: 'rollBack', seconds: 20 };

const REPORT: PlannedStep = { name: 'report', seconds: 1, fails: true, message: 'no answer' };

/** Steps without lasting effects; the main step fails. */
function broken({ steps }: Program): readonly PlannedStep[] {
  return steps.map(withoutEffect).map(failingAt(mainStep(steps), 'the device refused'));
}

/** The last step with a lasting effect; without one, the last step. */
function mainStep(steps: readonly PlannedStep[]): number {
  const found = steps.findLastIndex((step) => (step.onEnd ?? []).some(isLasting));
  return found < 0 ? steps.length - 1 : found;
}

function stuckAt(steps: readonly PlannedStep[], at: number): readonly PlannedStep[] {
  return steps.map((step, index) => (index === at ? { ...step, stuck: true } : step));
}

function failingAt(at: number, message: string): (step: PlannedStep, index: number) => PlannedStep {
  return (step, index) => (index === at ? { ...step, fails: true, message } : step);
}

function withoutEffect(step: PlannedStep): PlannedStep {
  return { ...step, onEnd: (step.onEnd ?? []).filter((change) => !isLasting(change)) };
}

/**
 * Whether an effect is the result of the work. The connectivity of a reboot is not: it happens in
 * any outcome.
 */
function isLasting(change: DeviceEffect): boolean {
  return !['silence', 'return', 'unstick'].includes(change.do);
}
