import { compileSelector } from '../../desired/select.ts';
import { isOfType, type Exception, type ExceptionOf } from '../../model/documents/exception.ts';
import type { Sourced } from '../../model/documents/source.ts';
import type { Instant } from '../../lib/time.ts';
import type { RolloutInput } from '../../rollout/progress/followed.ts';
import type { PlannerInput } from '../input.ts';

type Gated = Pick<RolloutInput, 'name' | 'task'>;
type Passes = Required<Pick<RolloutInput, 'approvedBy' | 'passes'>>;
type Expedites = (deviceId: string) => Sourced<ExceptionOf<'expedite'>> | undefined;

/**
 * The effects of exceptions on a rollout at one instant: approved waves (`allow: {gate}`), a canary
 * that may be skipped, and expedited changes, which skip every soak (semantics E4).
 */
export function createPasses(
  input: Pick<PlannerInput, 'documents' | 'snapshot'>,
  now: Instant,
): (rollout: Gated, expedites: Expedites) => Passes {
  const entries = [...input.documents.exceptions.values()]
    .filter(isOfType('allow', 'expedite'))
    .filter(({ value }) => value.until > now)
    .map(({ name, value }) => ({
      rule: exceptionRule(name),
      value,
      matches: createMatcher(value, input),
    }));
  return ({ name, task }, expedites) => ({
    approvedBy: (wave, id) =>
      entries.find(
        ({ value, matches }) =>
          value.type === 'allow' &&
          value.allow === 'gate' &&
          value.rollout === name &&
          value.wave === wave &&
          value.tasks.includes(task) &&
          matches(id),
      )?.rule,
    passes(id) {
      const expedite = expedites(id);
      const soak = expedite && exceptionRule(expedite.name);
      const skips = entries.find(
        ({ value, matches }) => skipsCanary(value) && value.tasks.includes(task) && matches(id),
      );
      const canary = expedite?.value.skipCanary === true ? soak : skips?.rule;
      return { ...(soak !== undefined && { soak }), ...(canary !== undefined && { canary }) };
    },
  });
}

/** Any of the exceptions of a device may, also beside one of type `expedite` that ends later (semantics E4). */
function skipsCanary(value: ExceptionOf<'allow' | 'expedite'>): boolean {
  return value.type === 'expedite' ? value.skipCanary : value.allow === 'skipCanary';
}

/** The rule of what an exception lets pass (semantics M26). */
export function exceptionRule(name: string): string {
  return `exceptions.${name}`;
}

/** Without a selector an approval is for every device; a device that is not managed matches none. */
function createMatcher(
  { select }: Pick<Exception, 'select'>,
  input: Pick<PlannerInput, 'documents' | 'snapshot'>,
): (deviceId: string) => boolean {
  if (!select) return () => true;
  const matches = compileSelector(select, input);
  return (deviceId) => {
    const row = input.snapshot.devices.rowOf(deviceId);
    return row !== undefined && matches(row) === true;
  };
}
