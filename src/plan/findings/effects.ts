import { KINDS } from '../../kinds/index.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports policies with changes whose effect the service does not show: apply cannot read it back,
 * and the result of the task alone counts as evidence (protocol V5). One warning per policy, with
 * the number of devices.
 */
export function hiddenEffects(
  { snapshot }: Pick<PlannerInput, 'snapshot'>,
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  const isHidden = ({ task, device: { id } }: Change): boolean => {
    const row = snapshot.devices.rowOf(id);
    if (row === undefined) return false;
    return KINDS[task].hidesEffect?.(snapshot.devices.at(row), snapshot.facts(id)) === true;
  };
  const hidden: Change[] = [];
  for (const change of changes) if (isWanted(change) && isHidden(change)) hidden.push(change);
  return [...groupBy(hidden, ({ policy }) => policy)].map(
    ([policy, { length: count, 0: first }]) => ({
      code: 'effectNotShown',
      severity: 'warning',
      ...(first && { at: first.at }),
      params: { policy, count },
    }),
  );
}
