import type { JsonObject } from '../../lib/canonical.ts';
import { formatInstant } from '../../lib/time.ts';
import type { PlanInputs } from '../../model/plan/plan.ts';
import type { AssumptionFinding, Check, Checkup } from '../../model/report/checkup.ts';
import { checkWords } from '../words/doctor/check-words.ts';
import { CHANGE_WORDS } from '../words/doctor/doctor-words.ts';
import { observedWords, unreadWords } from '../words/doctor/finding-words.ts';

/** A checkup with its codes, and what each says in words. */
export function doctorJson({
  checkup,
  service,
}: {
  readonly checkup: Checkup;
  readonly service: Pick<PlanInputs['service'], 'baseUrl' | 'organization' | 'from'>;
}): JsonObject {
  const { result, requests, at, checks, findings, unread, changes, dialect } = checkup;
  const { baseUrl, organization, from } = service;
  return {
    result,
    service: { baseUrl, organization, from },
    at: formatInstant(at),
    requests: { ...requests },
    dialect: { ...(dialect as JsonObject) },
    checks: checks.map(checkJson),
    assumptions: findings.map(findingJson),
    unread: unread.map((each) => ({ ...each, keys: [...each.keys], ...unreadWords(each) })),
    changes: changes.map((each) => ({ ...each, says: CHANGE_WORDS[each.change].says })),
  };
}

function checkJson(check: Check): JsonObject {
  const { name, state, code, params } = check;
  const { says, next } = checkWords(check);
  return { name, state, code, params: { ...params }, says, ...(next !== undefined && { next }) };
}

function findingJson(finding: AssumptionFinding): JsonObject {
  const { key, concerns, assumed, verdict, observed, suggested, possible } = finding;
  return {
    key,
    concerns,
    assumed: assumed as JsonObject[string],
    verdict,
    observed: {
      code: observed.code,
      params: { ...observed.params },
      says: observedWords(observed),
    },
    ...(suggested !== undefined && { suggested: suggested as JsonObject[string] }),
    ...(possible !== undefined && { possible: possible as JsonObject[string] }),
  };
}
