import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyStatus } from '../../../../src/model/report/status.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import type { ChangeClass } from '../../../../src/render/view/classes.ts';
import { fleetStatus } from '../../../../src/report/status.ts';
import { madeOnce, scenarios } from '../../../support/plan-scenario.ts';

const isSoaking = ({ reason }: Pick<ChangeClass, 'reason'>): boolean =>
  reason.code === 'gatePending' && reason.why === 'soak';

/** Scenarios whose plan has a wave that soaks. */
const SOAKING = scenarios().filter(({ folder }) =>
  readFileSync(join(folder, 'plan.json'), 'utf8').includes('"why":"soak"'),
);

describe('C7 K26 the start of a wave behind one that soaks', () => {
  const found: string[] = [];

  it.each(SOAKING.map((scenario) => [scenario.name, scenario] as const))(
    'is the same in the plan and in the status of %s',
    async (name, scenario) => {
      const { planned, input } = await madeOnce(scenario);
      const { classes, timeline } = buildPlanView(planned.plan);
      const status = fleetStatus({ ...input, ...planned });
      for (const { reason, at, wave } of classes.filter(isSoaking)) {
        const bar = timeline.waves.find((each) => each.policy === at.policy && each.wave === wave);
        const { waits = [] } =
          status.policies.find((each) => each.at.policy === at.policy) ??
          ({} as Partial<PolicyStatus>);
        const own = waits.filter(isSoaking).map((each) => each.reason.next);
        expect(own).toContain(reason.next);
        if (bar?.held !== 'blocked') expect(bar?.from).toBe(reason.next);
        found.push(name);
      }
    },
  );

  it('is in several scenarios', () => {
    expect(new Set(found).size).toBeGreaterThan(2);
  });
});
