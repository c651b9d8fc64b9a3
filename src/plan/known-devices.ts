import { TASK_OF } from '../model/fleet/task.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Documents, SelectorKeys } from '../model/documents/policy.ts';
import { listPolicies } from '../model/documents/policies.ts';

/**
 * Devices that documents name by their exact ID, and those in the ledger, without devices that are
 * only discovered. `open` are those with an open intent of this tool.
 */
export function knownDevices(
  documents: Documents,
  memory: Pick<Memory, 'intents' | 'open'>,
): { readonly ids: ReadonlySet<string>; readonly open: ReadonlySet<string> } {
  const managed = listPolicies(documents).filter(({ value }) => value.section !== 'onboarding');
  const selects = [...managed, ...documents.exceptions.values()].map(({ value }) => value.select);
  const groups = [...documents.groups.values()].flatMap(({ value }) =>
    value.is === 'devices' ? value.devices : idsIn(value.select),
  );
  const ids = new Set([...selects.flatMap((select) => idsIn(select)), ...groups]);
  for (const { device, task } of memory.intents.values())
    if (task !== TASK_OF.onboarding) ids.add(device);
  return {
    ids,
    open: new Set(
      memory
        .open()
        .filter(({ task }) => task !== TASK_OF.onboarding)
        .map(({ device }) => device),
    ),
  };
}

/** The IDs that a selector contains; a pattern names no single device. */
export function idsIn({ device = [] }: SelectorKeys = {}): readonly string[] {
  return device.filter((glob) => !/[*?]/.test(glob));
}
