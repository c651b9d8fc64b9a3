import { TASK_OF } from '../model/fleet/task.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Documents, SelectorKeys } from '../model/documents/policy.ts';
import { policiesOf } from '../model/documents/policies.ts';

/**
 * Devices that documents name by their very id, and those that the ledger knows; what is discovered
 * only is none of them. `open` are those with an intent of ours that is not settled.
 */
export function knownDevices(
  documents: Documents,
  memory: Pick<Memory, 'intents' | 'open'>,
): { readonly ids: ReadonlySet<string>; readonly open: ReadonlySet<string> } {
  const managed = policiesOf(documents).filter(({ value }) => value.section !== 'onboarding');
  const selects = [...managed, ...documents.exceptions.values()].map(({ value }) => value.select);
  const groups = [...documents.groups.values()].flatMap(({ value }) =>
    value.is === 'devices' ? value.devices : idsIn(value.select),
  );
  const intents = [...memory.intents.values()].filter(({ task }) => task !== TASK_OF.onboarding);
  return {
    ids: new Set([
      ...selects.flatMap((select) => idsIn(select)),
      ...groups,
      ...intents.map(({ device }) => device),
    ]),
    open: new Set(
      memory
        .open()
        .filter(({ task }) => task !== TASK_OF.onboarding)
        .map(({ device }) => device),
    ),
  };
}

/** The ids that a selector writes out; a pattern names nobody in particular. */
export function idsIn({ device = [] }: SelectorKeys = {}): readonly string[] {
  return device.filter((glob) => !/[*?]/.test(glob));
}
