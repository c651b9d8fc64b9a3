import type { Plan } from '../../src/model/plan.ts';
import { liftNow, planNow, runOnce, type Ran, type RunOptions } from './rehearsal.ts';
import {
  pass,
  readDocuments,
  type Rehearsal,
  type RehearsalWorld,
  type ScriptedRun,
} from './rehearsal-world.ts';

/**
 * Takes the runs of a script one after the other; what a step approves, and the documents that it
 * brings, hold for those after it.
 */
export function createSteps(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
): (step: ScriptedRun, options: RunOptions) => Promise<Ran> {
  let now = rehearsal;
  let approved: Plan | undefined;
  return async (step, options) => {
    if (step.file === 'new') approved = await planNow(now, world);
    pass(world, step);
    if (step.documents !== undefined)
      now = { ...now, documents: readDocuments(now.name, step.documents) };
    const { process } = options;
    if (step.lift) await liftNow(now, world, { ...step.lift, process: process + 1_000 });
    if (step.file === undefined) return runOnce(now, world, options);
    if (!approved) throw new Error(`${now.name}: no plan was approved before it is applied again`);
    return runOnce(now, world, { ...options, approved });
  };
}
