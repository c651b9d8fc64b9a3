import type { Plan } from '../../src/model/plan/plan.ts';
import type { PlanScope } from '../../src/model/plan/scope.ts';
import { compareWithBase } from '../../src/plan/compare/counterfactual.ts';
import { change, planOf, signedPlan } from './render-plan.ts';

/** A scope that a request does not keep to, in every way; `text` stands wherever a person wrote one. */
export function brokenScope(text: string): PlanScope {
  const trailer = { commit: 'c'.repeat(40), text, devices: 1 };
  const device = { id: text, name: text, site: text };
  return {
    trailers: [
      { ...trailer, problems: [{ code: 'malformed', params: { why: 'item', item: text } }] },
      {
        ...trailer,
        problems: [
          { code: 'unknown', params: { what: 'site', value: text, suggestion: text } },
          { code: 'unknown', params: { what: 'device', value: text, matches: 2, ids: text } },
        ],
      },
      { ...trailer, problems: [{ code: 'nothing', params: {} }] },
      { ...trailer, problems: [{ code: 'overLimit', params: { devices: 7, limit: 5 } }] },
      { ...trailer, problems: [{ code: 'noHistory', params: { base: text } }] },
    ],
    changes: 1,
    devices: 1,
    outside: {
      changes: 1,
      devices: 1,
      classes: [{ policy: text, task: 'upgradeFirmware', count: 1, devices: [device] }],
    },
    passed: false,
  };
}

/** A plan of one change that its request causes, with the scope of the request. */
export function scopedPlan(scope: PlanScope): Plan {
  const about = { ref: 'main', commit: 'b'.repeat(40) };
  const plan = compareWithBase(signedPlan([change({ id: 'dev-1' })]), planOf([]), about);
  return plan.base ? { ...plan, base: { ...plan.base, scope } } : plan;
}
