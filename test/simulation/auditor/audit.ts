import type { Plan } from '../../../src/model/plan/plan.ts';
import type { End, Witness } from '../process.ts';
import type { Scene } from '../scene.ts';
import type { Wishes } from '../wishes.ts';
import { cappedSets, type Capped } from './budgets.ts';
import { openCase, type CaseFile, type ProcessFile } from './case-file.ts';
import { fleetOf, onAttemptDown, onCalmMoment } from './down-rules.ts';
import { onRecord } from './ledger-rules.ts';
import { noteAnswer } from './reads.ts';
import { onPlanned, onReport, onWaits } from './report-rules.ts';
import { onKnowledge } from './run-rules.ts';
import { onPost } from './send-rules.ts';
import { onTask } from './task-rules.ts';
import { onAttemptTripped, onAttemptUnstopped } from './trip-rules.ts';
import { onVerified } from './verify-rules.ts';
import { onAttemptWave } from './wave-rules.ts';

/** Watches a world and says which invariants were broken in it. */
export interface Auditor extends Witness {
  readonly file: CaseFile;
  started(
    process: Pick<
      ProcessFile,
      'id' | 'wishes' | 'approved' | 'skewMs' | 'takeOver' | 'isHasty' | 'isSuspended'
    >,
  ): void;
  ended(process: number, end: End): void;
  /** A request was served: tasks may have appeared. */
  served(): void;
  /** Somebody else changed these devices, just now or at an instant before. */
  touched(devices: readonly string[], at?: number): void;
}

/**
 * The auditor of one world. It is written from the invariants I1 to I20 of docs/protocol.md alone: it reads
 * the twin's truth, the raw records and the order of effects, and shares no code with what decides.
 */
export function createAuditor(scene: Scene): Auditor {
  const file = openCase(scene);
  const processOf = (id: number): ProcessFile => {
    const found = file.processes.get(id);
    if (!found) throw new Error(`process ${id} was never started`);
    return found;
  };
  let tasks = 0;
  let calm:
    { readonly of: Wishes; readonly size: number; readonly sets: readonly Capped[] } | undefined;
  const lookAtCalm = (): void => {
    const { devices } = scene.twin.world.state;
    const wishes = scene.commits.at(-1)?.wishes;
    if (!scene.has.has('calm') || devices.length > 60 || !wishes || scene.commits.length > 1)
      return;
    if (calm?.of !== wishes || calm.size !== devices.length)
      calm = { of: wishes, size: devices.length, sets: cappedSets(wishes, fleetOf(file)) };
    onCalmMoment(file, calm.sets);
  };
  return {
    file,
    started(process) {
      const [plan, allowed, attempt] = [undefined, undefined, undefined];
      const views = { reads: new Map(), looks: new Map(), completed: new Map(), lastListAt: 0 };
      const life = { hasEnded: false, refusals: 0, policies: new Set<string>(), tokenAt: 0 };
      file.processes.set(process.id, { ...process, plan, allowed, attempt, ...views, ...life });
    },
    asked(id, asked) {
      if (asked.method === 'POST' && asked.path === '/v1/tasks')
        onPost(file, { asked, by: processOf(id) });
    },
    answered: (id, asked) => noteAnswer(file, processOf(id), asked),
    appended(id) {
      const by = processOf(id);
      for (const record of scene.ledger.readAfter(file.landed.length)) {
        file.landed.push({ at: scene.clock.now(), by: id });
        const { body } = record;
        if (body.type === 'SETTLED') onVerified(file, body, { record, by });
        onRecord(file, { record, by });
        if (body.type !== 'ATTEMPT' || !by.attempt) continue;
        onPlanned(file, by.attempt, by);
        onAttemptDown(file, by.attempt, by);
        onAttemptTripped(file, by.attempt, by);
        onAttemptUnstopped(file, by.attempt, by);
        onAttemptWave(file, by.attempt, by);
      }
    },
    looked: () => undefined,
    planned(id, plan: Plan, { now }) {
      processOf(id).plan ??= plan;
      onWaits(file, plan, now);
    },
    ended(id, end) {
      const by = processOf(id);
      by.hasEnded = true;
      if (end.is !== 'reported') return;
      onReport(file, end.report, by);
      onKnowledge(file, end.report, by);
    },
    served() {
      const { state } = scene.twin.world;
      for (const task of state.tasks.slice(tasks)) onTask(file, task);
      tasks = state.tasks.length;
      lookAtCalm();
    },
    touched(devices, at = scene.clock.now()) {
      for (const device of devices) file.touched.set(device, at);
    },
  };
}
