import { expect, test } from 'vitest';
import { planMarkdown } from '../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../src/render/view/view.ts';
import { aPlan } from '../../support/plan-change.ts';

const COUNTS = { branch: 0, pending: 0, clock: 0, dropped: 0 };

test.each(['commit', 'plan'] as const)(
  'N70 a request that changes what an approval is says it first, judged by %s',
  (approval) => {
    const base = { ref: 'main', commit: 'c'.repeat(40), counts: COUNTS, gone: [], approval };
    const text = planMarkdown(buildPlanView({ ...aPlan([]), base }), { limit: 60_000 });
    const [marker, alert, first = ''] = text.split('\n');
    expect(marker).toMatch(/^<!--/);
    expect(alert).toBe('> [!WARNING]');
    expect(first).toContain(`> This request changes \`service.approval\` from \`${approval}\``);
    expect(first).toContain(`\`${approval}\` applies`);
  },
);
