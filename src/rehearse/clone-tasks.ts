import { groupBy } from '../lib/group-by.ts';
import type { Instant } from '../lib/time.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { newDeviceTask } from '../twin/http/tasks.ts';
import type { DeviceState, WorldState } from '../twin/world/state.ts';

/** How long after the start the devices of a task at work begin again: one after the other. */
const BEGINS_AFTER = 1_000;

/**
 * Puts the tasks that the ledger has at work into a world: how far they had come is not known, so they
 * begin again at the start. Without them every such task would be lost, and in doubt.
 */
export function cloneTasks(
  state: WorldState,
  memory: Memory,
  { at, userName }: { readonly at: Instant; readonly userName: string },
): void {
  const devices = new Map<string, DeviceState>();
  for (const device of state.devices) devices.set(device.id, device);
  for (const { device } of state.discovered) devices.set(device.id, device);
  const open = memory
    .open()
    .filter(({ taskId, phase }) => taskId !== undefined && phase !== 'inDoubt');
  for (const [id = '', intents] of groupBy(open, ({ taskId }) => taskId)) {
    const [first] = intents;
    if (!first) continue;
    const deviceTasks = intents.flatMap((intent, index) => {
      const device = devices.get(intent.device);
      if (!device) return [];
      const payload = intent.task === TASK_OF.firmware ? { targetVersion: intent.target } : {};
      return [newDeviceTask(`${id}-${index + 1}`, { device, payload })];
    });
    if (deviceTasks.length === 0) continue;
    const { task: type, attemptedAt: createdAt } = first;
    state.tasks.push({ id, type, userName, createdAt, vanished: false, deviceTasks });
    for (const deviceTask of deviceTasks) {
      const due = at + BEGINS_AFTER;
      const sequence = state.nextSequence;
      state.events.push({ due, sequence, taskId: id, deviceTaskId: deviceTask.id });
      state.nextSequence += 1;
    }
  }
}
