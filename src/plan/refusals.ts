import type { Diagnostic, DiagnosticCode } from '../model/documents/diagnostic.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import { listPolicies, policiesByAddress } from '../model/documents/policies.ts';
import { findColumn } from '../model/plan/actor.ts';
import { isWanted } from '../model/plan/change.ts';
import { refusedFor } from './decide/steps.ts';
import type { Drafts } from './draft-table.ts';
import type { Planned } from './input.ts';

/** The policies that findings refuse, each with the first of its findings. */
export type Refusals = ReadonlyMap<string, Diagnostic>;

/** The errors of which each concerns the policies that it names, and no other. */
const REFUSING: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'conflict',
  'cronNever',
  'cutoffTooLong',
  'deviceUnknown',
  'nameNotShown',
  'nameNotUnique',
  'nameTaken',
  'noCanary',
  'renameTwice',
  'siteUnknown',
  'tagUnknown',
  'unreachableBeforeExpiry',
  'windowNeverOpens',
]);

/**
 * The policies of which nothing may start because of an error in them (semantics K27), and all others where an error
 * concerns the whole plan.
 */
export function findRefusals(found: readonly Diagnostic[], documents: Documents): Refusals {
  const refusals = new Map<string, Diagnostic>();
  const refuse = (finding: Diagnostic, addresses: readonly string[]): void => {
    for (const address of addresses) if (!refusals.has(address)) refusals.set(address, finding);
  };
  const errors = found.filter(({ severity }) => severity === 'error');
  const whole = errors.find((finding) => listRefused(finding, documents).length === 0);
  for (const finding of errors) refuse(finding, listRefused(finding, documents));
  if (whole) refuse(whole, [...policiesByAddress(documents).keys()]);
  return refusals;
}

/** The policies that a finding refuses; none if it refuses nothing, or the whole plan. */
function listRefused(
  { code, severity, params }: Diagnostic,
  documents: Documents,
): readonly string[] {
  if (severity !== 'error' || !REFUSING.has(code)) return [];
  const { policy, other, window, rollout } = params;
  if (policy !== undefined) return [policy, other].filter((each) => typeof each === 'string');
  const uses = (value: Policy): boolean =>
    rollout === undefined
      ? value.windows.some((name) => name === window)
      : value.rollout === rollout;
  return listPolicies(documents).flatMap(({ value }) => (uses(value) ? [value.address] : []));
}

/** Findings that refuse policies refuse no plan: they name these policies, whose rows say so. */
export function asWarnings(
  found: readonly Diagnostic[],
  documents: Documents,
): readonly Diagnostic[] {
  return found.map((finding) => {
    const refuses = listRefused(finding, documents).join(', ');
    if (refuses === '') return finding;
    return { ...finding, severity: 'warning', params: { ...finding.params, refuses } };
  });
}

/**
 * A plan that an error stops, for a command that shows where everything stands: the error refuses every policy, as the
 * changes of the plan say already (semantics K27).
 */
export function asRefused<P extends Pick<Planned, 'plan' | 'diagnostics'>>(
  planned: P,
  documents: Documents,
): P {
  const { plan, diagnostics } = planned;
  const named = plan.part?.policies ?? [...policiesByAddress(documents).keys()];
  const refuses = named.join(', ');
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const refusing = errors.map((each) => ({ ...each, params: { ...each.params, refuses } }));
  return { ...planned, plan: { ...plan, warnings: [...refusing, ...plan.warnings] } };
}

/** Refuses every change of these policies that could start, but for those that run, or that a hold keeps (semantics K27). */
export function refuseChanges({ columns }: Pick<Drafts, 'columns'>, refusals: Refusals): void {
  if (refusals.size === 0) return;
  for (let index = 0; index < columns.length; index += 1) {
    const { policy, ...change } = columns.at(index);
    const finding = refusals.get(policy);
    const isKept = change.reason.code === 'hold' || findColumn(change) === 'running';
    if (!finding || !isWanted(change) || isKept) continue;
    columns.decide(index, { action: 'skip', reason: refusedFor(finding), passes: undefined });
  }
}
