import { WorldError } from '../../src/model/error.ts';
import type { Survey } from '../../src/apply/run/execute.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { parseDuration } from '../../src/lib/time.ts';
import { createEffects } from './effects.ts';
import { mergeCommit, type Shown } from './rehearsal-gate.ts';
import { passGates } from './rehearsal-approve.ts';
import { liftNow, pauseNow, surveyNow, runOnce, type Ran, type RunOptions } from './rehearsal.ts';
import {
  pass,
  readDocuments,
  type Rehearsal,
  type RehearsalWorld,
  type ScriptedRun,
} from './rehearsal-world.ts';

/** What a step came to; `refused` is why nothing could be lifted. */
type Stepped = Ran & { readonly refused?: string; readonly survey?: Survey | undefined };

/**
 * Takes the runs of a script one after the other; what a step approves, and the documents that it
 * brings, hold for those after it.
 */
export function createSteps(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
): (step: ScriptedRun, options: RunOptions & { lists?: Snapshot | undefined }) => Promise<Stepped> {
  let now = rehearsal;
  let survey: Survey | undefined;
  const looks = new Map<string, Shown>();
  return async (step, { lists, ...given }) => {
    const stopAt = given.stopAt ?? step.dies;
    const effects = createEffects(stopAt, given.onEffect);
    const options = { ...given, effects };
    const part = step.part && { part: step.part };
    if (step.file === 'new') survey = await surveyNow(now, world, { ...part, lists });
    pass(world, step);
    if (step.documents !== undefined)
      now = withDocuments(now, readDocuments(now.name, step.documents));
    await passGates(now, world, step, looks);
    if (step.idle) return { effects: 0, survey };
    const process = 1_000 + given.process;
    await pauseBefore(world, step, { ...options, process: given.process });
    const lifted =
      step.lift?.at === undefined && step.lift
        ? await lift(now, world, { ...options, process }, step.lift)
        : undefined;
    if (effects.isDead || lifted?.failed) return { effects: effects.count };
    const applied = step.file === undefined ? {} : { approved: savedPlan(now, survey) };
    const ran = await runOnce(now, world, {
      ...options,
      ...timesOf(step),
      ...besideRun(step),
      ...limitOf(step),
      ...applied,
    });
    const refused = lifted?.refused;
    return { ...ran, ...(refused !== undefined && { refused }) };
  };
}

/** The plan file that a step applies. */
function savedPlan({ name }: Rehearsal, survey: Survey | undefined): Plan {
  if (!survey) throw new Error(`${name}: nothing is approved yet`);
  return survey.plan;
}

function withDocuments(rehearsal: Rehearsal, documents: Rehearsal['documents']): Rehearsal {
  return { ...rehearsal, documents, merged: mergeCommit(documents, rehearsal.merged ?? []) };
}

/** A person pauses before the run. */
async function pauseBefore(
  world: RehearsalWorld,
  { pause }: ScriptedRun,
  options: RunOptions,
): Promise<void> {
  if (pause && pause.at === undefined) await world.clock.run(pauseNow(world, options, pause));
}

/** A person pauses, or lets go on, while the run is at work. */
function besideRun({ pause, lift: end }: ScriptedRun): Pick<RunOptions, 'pause' | 'lift'> {
  return {
    ...(pause?.at !== undefined && { pause }),
    ...(end?.at !== undefined && { lift: end }),
  };
}

/** The part that the run is limited to; that of a new plan is its own. */
function limitOf({ file, part, narrow }: ScriptedRun): Pick<RunOptions, 'part'> {
  const limit = file === 'new' ? narrow : part;
  return limit ? { part: limit } : {};
}

function timesOf({
  watch,
  wait: stay,
  pollEvery,
}: ScriptedRun): Pick<RunOptions, 'watchDoubts' | 'wait' | 'pollEvery'> {
  const watchDoubts = watch === undefined ? undefined : parseDuration(watch);
  const wait = stay === undefined ? undefined : parseDuration(stay);
  const every = pollEvery === undefined ? undefined : parseDuration(pollEvery);
  return {
    ...(watchDoubts !== undefined && { watchDoubts }),
    ...(wait !== undefined && { wait }),
    ...(every !== undefined && { pollEvery: every }),
  };
}

/** A lift that was refused; every other failure is one of the world. */
const REFUSED: ReadonlySet<string> = new Set(['usage', 'policyUnknown', 'nothingLifted']);

/** Why there was nothing to lift, where that was so; `failed` where the world did not let it. */
async function lift(...how: Parameters<typeof liftNow>): Promise<Lifted> {
  try {
    await liftNow(...how);
    return { failed: false };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const isRefused = REFUSED.has(error.code);
    return isRefused ? { failed: false, refused: error.message } : { failed: true };
  }
}

interface Lifted {
  readonly failed: boolean;
  readonly refused?: string;
}
