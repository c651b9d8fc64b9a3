import type { Survey } from '../../src/apply/reading.ts';
import type { Run } from '../../src/apply/run/run.ts';
import { divideWork } from '../../src/apply/run/work.ts';
import { chooseBatch } from '../../src/apply/send/admission.ts';
import type { Candidate } from '../../src/apply/send/candidate.ts';
import { basisNow, recheck, type Recheck } from '../../src/apply/send/recheck.ts';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import { isReadLate, type Change } from '../../src/model/plan/change.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Reason, ReasonCode } from '../../src/model/plan/reason.ts';
import { batchGroup } from '../../src/plan/admit/batch.ts';
import { isWanted } from '../../src/model/plan/change.ts';
import { aRun } from './apply-run.ts';
import { madeOnce, type Scenario } from './plan-scenario.ts';

/** A run of apply that has read the fleet of a scenario, and what of its plan may be attempted. */
export interface AtWork {
  readonly run: Run;
  readonly survey: Survey;
  readonly candidates: readonly Candidate[];
  /**
   * The last look at a candidate, on the very reading of the plan. For a rotation that documents ask for a plan reads no
   * device, so its marker is read now.
   */
  look(candidate: Candidate): Recheck;
  /** The changes that the plan holds for this reason, as if they might be attempted. */
  heldBy(code: ReasonCode): readonly Candidate[];
  /** What keeps changes out of a batch, if all that is wanted asked for a place in one. */
  parked(): ReadonlyMap<string, Reason>;
}

/** Plans a scenario and begins to apply it, with no step of the world between the two. */
export async function atWork(scenario: Scenario, approved?: Plan): Promise<AtWork> {
  const { planned, input, documents } = await madeOnce(scenario);
  const survey: Survey = { ...planned, snapshot: input.snapshot };
  const ports = {
    ...(approved && { approved }),
    documents,
    dialect: input.dialect,
    clock: { now: () => input.now },
    // A task type that was accepted before goes in batches.
    journal: { memory: accepting(input.memory), nonce: 'run' },
  } as const;
  const run = aRun(ports);
  run.reading.replace(survey);
  const { candidates } = divideWork(run, survey);
  const { reading } = run;
  const { devices, discovered, facts } = input.snapshot;
  const rows = Array.from({ length: devices.length }, (_, row) => devices.at(row));
  const down = rows.filter(
    ({ status, maintenanceMode }) => status === 'offline' || maintenanceMode,
  );
  const readAt = input.snapshot.takenAt;
  reading.keepDown(new Map(down.map((device) => [device.id, { device, readAt }])), () => false);
  const followed = reading.followNow();
  const predecessors = reading.predecessorsNow(followed);
  const basis = basisNow(run, {
    outages: reading.outagesNow(),
    schedule: reading.schedule,
    followed,
    ...(predecessors && { predecessors }),
  });
  return {
    run,
    survey,
    candidates,
    parked: () => parkedIn(aRun(ports), survey),
    heldBy: (code) => startable(aRun(ports), survey, (change) => change.reason.code === code),
    look(candidate) {
      const { id } = candidate.change.device;
      const row = devices.rowOf(id);
      const found = discovered.find((each) => each.id === id);
      const device = row === undefined ? undefined : devices.at(row);
      const shown = device ? { device } : found && { discovered: found };
      // Where an attempt failed, its device still shows what it showed then.
      const planned = candidates.find(({ change }) => change.id === candidate.change.id);
      const late = { passwords: { marker: planned?.change.marker || `of ${id}` } };
      const read = isReadLate(candidate.change) ? late : facts(id);
      return recheck(run, candidate, { basis, seen: { ...shown, facts: read } });
    },
  };
}

function startable(
  run: Run,
  survey: Survey,
  isMeant: (change: Change) => boolean,
): readonly Candidate[] {
  const all = [...survey.plan.changes].filter(isMeant);
  const changes = all.map((change) => ({ ...change, action: 'run' as const }));
  run.reading.replace(survey);
  return divideWork(run, { ...survey, plan: { ...survey.plan, changes } }).candidates;
}

function parkedIn(run: Run, survey: Survey): ReadonlyMap<string, Reason> {
  const candidates = startable(run, survey, isWanted);
  const groups = new Set(candidates.map(batchGroup));
  return new Map(
    [...groups].flatMap((group) => {
      const mine = candidates.filter((candidate) => batchGroup(candidate) === group);
      return [...chooseBatch(run, new Map(), { candidates: mine, most: Infinity }).parked];
    }),
  );
}

function accepting(memory: Memory): Memory {
  return Object.create(memory, { accepted: { value: new Set(TASK_TYPES) } }) as Memory;
}
