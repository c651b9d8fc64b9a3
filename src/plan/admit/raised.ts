import type { Exception } from '../../model/documents/exception.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import type { Change, Passed } from '../../model/plan/change.ts';
import type { BudgetRefusal, BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { exceptionRule } from '../decide/gate-passes.ts';

/** Which budgets an admitted change passes, and by which exceptions. */
export type RaisedFor = (change: Change, request: BudgetRequest) => readonly Passed[];

/**
 * The budgets as they are written, counted beside those that exceptions raise: where a written one refuses a change that
 * was admitted, the change passes it (semantics E6, M26). Undefined where no exception raises any. Each admitted change
 * is asked about once, in order.
 */
export function trackRaised(input: BudgetInput): RaisedFor | undefined {
  const { documents, snapshot, members, now } = input;
  const raising = [...documents.exceptions.values()].filter(
    ({ value }) => isRaising(value) && value.until > now,
  );
  if (raising.length === 0) return undefined;
  const written = openBudgetTracker({ ...input, documents: withoutThem(documents, raising) });
  const selecting = raising.map((entry) => ({
    entry,
    selects: entry.value.select ? members(entry.value.select) : () => true,
  }));
  return ({ task, device }, request) => {
    const refusals = written.refusals(request);
    written.count(request);
    const row = snapshot.devices.rowOf(device.id);
    if (row === undefined) return [];
    const mine = selecting.filter(
      ({ entry, selects }) => entry.value.tasks.includes(task) && selects(row) === true,
    );
    return refusals.flatMap((refusal) =>
      mine.flatMap(({ entry }) => (opens(entry.value, refusal) ? [toPassed(entry, refusal)] : [])),
    );
  };
}

function isRaising(value: Exception): boolean {
  return value.type === 'allow' && (value.allow === 'budget' || value.allow === 'singleton');
}

function withoutThem(documents: Documents, raising: readonly Sourced<Exception>[]): Documents {
  const exceptions = new Map(documents.exceptions);
  for (const { name } of raising) exceptions.delete(name);
  return { ...documents, exceptions };
}

function opens(value: Exception, { budget, blocked, isAlone }: BudgetRefusal): boolean {
  if (value.type !== 'allow') return false;
  if (value.allow === 'budget') return value.budget === budget && blocked !== 'approval';
  return value.allow === 'singleton' && (blocked === 'approval' || isAlone === true);
}

function toPassed({ name, value }: Sourced<Exception>, { budget }: BudgetRefusal): Passed {
  const isBudget = value.type === 'allow' && value.allow === 'budget';
  return { what: isBudget ? 'budget' : 'singleton', name: budget, rule: exceptionRule(name) };
}
