import { KINDS } from '../../kinds/index.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import { placeOnly } from '../../model/documents/source.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { type MaybeColumns, rowsIn } from '../../model/plan/change-rows.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports policies with changes whose effect the service does not show: apply cannot read it back,
 * and the result of the task alone counts as evidence (protocol V5). One warning per policy, with
 * the number of devices.
 */
export function hiddenEffects(
  { snapshot }: Pick<PlannerInput, 'snapshot'>,
  changes: MaybeColumns,
): readonly Diagnostic[] {
  const isHidden = ({ task, device: { id } }: Change): boolean => {
    const row = snapshot.devices.rowOf(id);
    if (row === undefined) return false;
    return KINDS[task].hidesEffect?.(snapshot.devices.at(row), snapshot.facts(id)) === true;
  };
  const mayHide = (change: Change): boolean =>
    isWanted(change) && KINDS[change.task].hidesEffect !== undefined;
  const found = new Map<string, { readonly at: Change['at']; count: number }>();
  for (const row of rowsIn(changes)) {
    if (!mayHide(row.like)) continue;
    const change = row.change();
    if (!isHidden(change)) continue;
    const known = found.get(change.policy);
    if (known) known.count++;
    else found.set(change.policy, { at: change.at, count: 1 });
  }
  return [...found].map(([policy, { at, count }]) =>
    warning('effectNotShown', placeOnly(at), { policy, count }),
  );
}
