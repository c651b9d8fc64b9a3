import type { Documents, GuardrailLimit, Selector } from '../model/documents/policy.ts';
import type { Membership } from '../model/documents/selector.ts';
import type { At } from '../model/documents/source.ts';
import type { Instant } from '../lib/time.ts';
import type { CountedChange } from './counted.ts';

/** A limit that an unexpired `allow` exception raises for some changes. */
export interface Allowance {
  readonly value: number;
  readonly by: At;
  covers(change: CountedChange): boolean;
}

export interface AllowanceInput {
  readonly documents: Documents;
  readonly now: Instant;
  /** Compiles the selector of an exception. */
  readonly members: (selector: Selector) => (row: number) => Membership;
}

/**
 * The exceptions that currently raise a limit, lowest value first. An exception without a selector
 * covers every change.
 */
export function allowancesFor(limit: GuardrailLimit, input: AllowanceInput): readonly Allowance[] {
  const allowances: Allowance[] = [];
  for (const entry of input.documents.exceptions.values()) {
    const { value } = entry;
    if (value.type !== 'allow' || value.allow !== 'guardrail') continue;
    if (value.guardrail !== limit || value.until <= input.now) continue;
    const { select, tasks } = value;
    const selects = select && input.members(select);
    allowances.push({
      value: value.value,
      by: { ...entry.at, policy: `exceptions.${entry.name}` },
      covers: ({ task, row }) =>
        tasks.includes(task) && (!selects || (row !== undefined && selects(row) === true)),
    });
  }
  return allowances.sort((a, b) => a.value - b.value || (a.by.policy < b.by.policy ? -1 : 1));
}
