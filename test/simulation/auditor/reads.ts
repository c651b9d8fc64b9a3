import { FILTER, TRIAL, type Asked } from '../process.ts';
import { truthOf, type CaseFile, type ProcessFile } from './case-file.ts';

/** What a process has been answered: what it may rest on, with the truth of that moment. */
export function noteAnswer(file: CaseFile, by: ProcessFile, asked: Asked): void {
  const { method, path, query, at } = asked;
  const [, , collection, id, part] = path.split('/');
  if (collection === 'auth') by.tokenAt = at;
  if (method !== 'GET') return;
  if (collection === 'tasks' && id !== undefined) return noteTask(file, by, id);
  if (collection === 'discoveredDevices') return noteDiscovered(file, by, at);
  if (collection !== 'devices' || TRIAL.test(query)) return;
  if (id !== undefined) return noteDevice(file, by, { id, at, part });
  const [filter] = FILTER.exec(query) ?? [];
  if (filter === undefined) by.lastListAt = at;
  else noteLook(by, filter, asked);
}

function noteTask({ scene }: CaseFile, { completed }: ProcessFile, id: string): void {
  for (const { deviceId, status } of scene.twin.world.task(id)?.deviceTasks ?? [])
    if (status === 'completed' && !completed.has(`${id}/${deviceId}`))
      completed.set(`${id}/${deviceId}`, scene.clock.now());
}

function noteDiscovered({ scene }: CaseFile, { reads }: ProcessFile, at: number): void {
  for (const { device } of scene.twin.world.state.discovered)
    reads.set(device.id, { sentAt: at, truth: undefined });
}

/** Passwords and certificates are read apart from their device: such a read does not show how the device is. */
function noteDevice(
  { scene }: CaseFile,
  { reads }: ProcessFile,
  { id, at, part }: { readonly id: string; readonly at: number; readonly part: string | undefined },
): void {
  const device = scene.twin.world.device(id);
  const truth = device && truthOf(device, scene.clock.now());
  const before = part === undefined ? undefined : reads.get(id)?.truth;
  const { status, firmwareVersion, lastSeen } = before ?? truth ?? {};
  reads.set(id, {
    sentAt: at,
    truth: truth && Object.assign(truth, { status, firmwareVersion, lastSeen }),
  });
}

/** A list of what is down is read anew from its first page on. */
function noteLook({ looks }: ProcessFile, filter: string, { query, at, strays = 0 }: Asked): void {
  const isFirst = Number(new URLSearchParams(query).get('offset') ?? 0) === 0;
  const before = looks.get(filter);
  if (isFirst || !before) looks.set(filter, { at, strays });
  else looks.set(filter, { ...before, strays: before.strays + strays });
}
