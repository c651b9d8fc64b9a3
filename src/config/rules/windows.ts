import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { POLICY_SECTIONS, type PolicySection } from '../../model/documents/policy.ts';
import { TASK_OF, type TaskType } from '../../model/fleet/task.ts';
import { toList, placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { errorWith } from '../findings.ts';

/**
 * A window for other task types never opens for its policy (semantics W24). Another rule checks
 * that the window exists.
 */
export function* windowsServeTasks(fleet: AuthoredFleet): Generator<Diagnostic> {
  const windows = new Map(fleet.of('windows').map((window) => [window.name, window]));
  for (const section of POLICY_SECTIONS)
    for (const policy of fleet.of(section)) yield* forOthers(policy, windows);
}

function* forOthers(
  policy: AuthoredEntry<PolicySection>,
  windows: ReadonlyMap<string, AuthoredEntry<'windows'>>,
): Generator<Diagnostic> {
  const written = policy.value.windows;
  const task = policyTask(policy);
  for (const [index, name] of toList<string>(written).entries()) {
    const window = windows.get(name);
    if (!window || serves(window, task)) continue;
    const at = placeIn(policy, Array.isArray(written) ? `/windows/${index}` : '/windows');
    const params = { policy: policy.address, window: name, task };
    yield errorWith('windowForOthers', [at, placeIn(window, '/task')], params);
  }
}

function serves({ value }: AuthoredEntry<'windows'>, task: TaskType): boolean {
  const tasks = toList<string>(value.task ?? 'all');
  return tasks.includes('all') || tasks.includes(task);
}

function policyTask({ section, value }: AuthoredEntry<PolicySection>): TaskType {
  return 'task' in value ? value.task : TASK_OF[section as keyof typeof TASK_OF];
}
