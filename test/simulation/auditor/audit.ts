import type { Plan } from '../../../src/model/plan.ts';
import type { Asked, End, Witness } from '../process.ts';
import type { Scene } from '../scene.ts';
import type { Wishes } from '../wishes.ts';
import { cappedSets, type Capped } from './budgets.ts';
import { openCase, truthOf, type CaseFile, type ProcessFile } from './case-file.ts';
import { fleetOf, onAttemptDown, onCalmMoment } from './down-rules.ts';
import { onRecord } from './ledger-rules.ts';
import { onPlanned, onReport } from './report-rules.ts';
import { onPost } from './send-rules.ts';
import { onTask } from './task-rules.ts';
import { onAttemptTripped } from './trip-rules.ts';
import { onVerified } from './verify-rules.ts';

/** Watches a world and says which invariants were broken in it. */
export interface Auditor extends Witness {
  readonly file: CaseFile;
  started(process: Pick<ProcessFile, 'id' | 'wishes' | 'approved' | 'skewMs'>): void;
  ended(process: number, end: End): void;
  /** A request was served: tasks may have appeared. */
  served(): void;
  /** Somebody else changed these devices. */
  touched(devices: readonly string[]): void;
}

/**
 * The auditor of one world. It is written from the invariants of apply protocol 3.3 alone: it reads
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
      const views = { reads: new Map(), completed: new Map(), lastListAt: 0 };
      file.processes.set(process.id, { ...process, plan, allowed, attempt, ...views });
    },
    asked(id, asked) {
      if (asked.method === 'POST' && asked.path === '/v1/tasks')
        onPost(file, { asked, by: processOf(id) });
    },
    answered: (id, asked) => noteRead(file, processOf(id), asked),
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
      }
    },
    looked: () => undefined,
    planned(id, plan: Plan) {
      processOf(id).plan ??= plan;
    },
    ended(id, end) {
      if (end.is === 'reported') onReport(file, end.report, processOf(id));
    },
    served() {
      const { state } = scene.twin.world;
      for (const task of state.tasks.slice(tasks)) onTask(file, task);
      tasks = state.tasks.length;
      lookAtCalm();
    },
    touched(devices) {
      for (const device of devices) file.touched.set(device, scene.clock.now());
    },
  };
}

/** A read of ours that has been answered, with the truth of that moment. */
function noteRead(file: CaseFile, by: ProcessFile, { method, path, query, at }: Asked): void {
  if (method !== 'GET') return;
  const { world } = file.scene.twin;
  const [, , collection, id] = path.split('/');
  if (collection === 'tasks' && id !== undefined) {
    for (const { deviceId, status } of world.task(id)?.deviceTasks ?? [])
      if (status === 'completed' && !by.completed.has(`${id}/${deviceId}`))
        by.completed.set(`${id}/${deviceId}`, file.scene.clock.now());
    return;
  }
  if (collection === 'discoveredDevices') {
    for (const { device } of world.state.discovered)
      by.reads.set(device.id, { sentAt: at, truth: undefined });
    return;
  }
  if (collection !== 'devices') return;
  if (id === undefined) {
    if (!query.includes('status=')) by.lastListAt = at;
    return;
  }
  const device = world.device(id);
  by.reads.set(id, { sentAt: at, truth: device && truthOf(device) });
}
