import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import {
  COMMENT_LIMIT,
  leastMarkdown,
  commentMarker,
  planMarkdown,
} from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { change, labels, nightPlan, planOf } from '../../../support/render-plan.ts';

describe('a plan as a comment', () => {
  it('is read from top to bottom', async () => {
    const plan = compareWithBase(nightPlan(), planOf([...nightPlan().changes].slice(0, 30)), {
      ref: 'main',
      commit: 'b'.repeat(40),
    });
    await expect(textOf(plan)).toMatchFileSnapshot('../goldens/plan-night.md');
  });

  it('says of what is gone where the base wants it, and why it is gone', () => {
    const old = planOf([change({ id: 'old-1' }), change({ id: 'old-2' })]);
    const plan = compareWithBase(nightPlan(), old, { ref: 'main', commit: 'b'.repeat(40) });
    expect(textOf(plan)).toContain(`**Removed since \`main\`: 2**

- **2** \`firmware.axis-p32\`  Upgrade firmware: no policy selects it  \`main:fleet/cameras.yaml:4:3\`<br>before: policy<br>devices: \`old-1\`, \`old-2\`
`);
  });

  it('names the changed lines behind a change and behind what is gone, with their authors', () => {
    const file = 'fleet/cameras.yaml';
    const lines = [6, 7, 8, 9].map((line) => ({ file, line, column: 1 }));
    const taken = { file: `main:${file}`, line: 12, column: 1 };
    const old = planOf([change({ id: 'old-1' })]);
    const compared = compareWithBase(planOf([{ ...change({ id: 'cam-1' }), lines }]), old, {
      ref: 'main',
      commit: 'b'.repeat(40),
    });
    const [gone] = compared.base?.gone ?? [];
    if (!compared.base || !gone) throw new Error('nothing is gone');
    const by = {
      is: 'commit',
      commit: 'c'.repeat(40),
      author: 'Bob',
      subject: 'narrow it',
    } as const;
    const text = textOf({
      ...compared,
      base: { ...compared.base, gone: [{ ...gone, lines: [taken] }] },
      origins: [{ file: taken.file, line: 12, ...by, at: '2026-11-01T00:00:00Z' }],
    });
    expect(text).toContain(
      'lines: `fleet/cameras.yaml:6`, `fleet/cameras.yaml:7`, `fleet/cameras.yaml:8`, `fleet/cameras.yaml:9`<br>',
    );
    expect(text).toContain(
      '<br>lines: `main:fleet/cameras.yaml:12`<br>by: `cccccccccccc` `Bob` 1 Nov 2026: `narrow it`<br>',
    );
  });

  it('begins with a marker that depends on the service alone', () => {
    const first = (plan: Plan) => textOf(plan).split('\n')[0];
    expect(first(nightPlan())).toBe(commentMarker(nightPlan()));
    expect(first(planOf([]))).toBe(first(nightPlan()));
    const { inputs } = nightPlan();
    const service = { ...inputs.service, fingerprint: 'e'.repeat(64) };
    expect(first(planOf([], { inputs: { ...inputs, service } }))).not.toBe(first(nightPlan()));
  });

  it.each([1, 100, 5_000, 20_000])(
    'stands for every one of %i changes within the limit',
    (count) => {
      const plan = planOf(manyClasses(count));
      const text = textOf(plan);
      expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
      expect(countedIn(text)).toBe(count);
      expect(text).toContain(
        count === 1
          ? 'The only change is listed.'
          : `All ${count.toLocaleString('en')} changes are listed.`,
      );
    },
  );

  it('keeps to any limit, and counts every change at each', () => {
    const plan = planOf(manyClasses(3_000));
    for (const limit of [1_200, 2_000, 4_000, 9_000, 20_000, 65_536]) {
      const text = textOf(plan, limit);
      expect(text.length, `limit ${limit}`).toBeLessThanOrEqual(limit);
      expect(text).toContain('All 3,000 changes are listed.');
      if (limit >= 4_000) expect(countedIn(text), `limit ${limit}`).toBe(3_000);
    }
  });

  it('knows the fewest characters that it can be told in, and keeps to those', () => {
    const plan = compareWithBase(nightPlan(), planOf([]), { ref: 'main', commit: 'b'.repeat(40) });
    const least = leastMarkdown(buildPlanView(plan));
    expect(textOf(plan, 100).length).toBe(least);
    for (let limit = least; limit < least + 3_000; limit += 37)
      expect(textOf(plan, limit).length, `limit ${limit}`).toBeLessThanOrEqual(limit);
  });

  it('shows no after where nothing is done', () => {
    const kept = { action: 'skip', reason: { code: 'hold' }, after: {} } as const;
    const before = { firmwareVersion: '11.11.160' };
    const text = textOf(planOf([change({ id: 'a' }, { ...kept, before })]));
    expect(text).toContain('<br>`firmwareVersion: 11.11.160`<br>why: ');
  });

  it('tells the riskiest first, and a class by the digest of its devices', () => {
    const changes = [
      change({ id: 'a' }, { risk: 'low' }),
      change(
        { id: 'b' },
        { risk: 'high', at: { ...change({ id: 'b' }).at, policy: 'firmware.x' } },
      ),
    ];
    const rows = textOf(planOf(changes))
      .split('\n')
      .filter((line) => line.includes(' · 1 device**'));
    expect(rows.map((row) => /(\w+) risk/.exec(row)?.[1])).toEqual(['high', 'low']);
    // printf 'b\n' | sha256sum
    expect(rows[0]).toContain('digest: `0263829989b6fd95'.slice(0, 17) + '`');
  });
});

it('a plan without a base ends with its next step, as its text does', () => {
  const last = textOf(planOf([change({ id: 'dev-7' })]))
    .trimEnd()
    .split('\n')
    .at(-1);
  expect(last).toBe('**Next:** `fleetform apply`');
});

function manyClasses(count: number): Change[] {
  return labels(count).map((device, n) =>
    change(device, {
      action: (['run', 'wait', 'skip'] as const)[n % 3] ?? 'run',
      at: {
        policy: `firmware.p${n % 31}`,
        file: `fleet/f${n % 7}.yaml`,
        line: 1 + (n % 5),
        column: 3,
      },
    }),
  );
}

function textOf(plan: Plan, limit = COMMENT_LIMIT): string {
  return planMarkdown(buildPlanView(plan), { limit });
}

/** The devices of all groups, and of those that are left out, added up. */
function countedIn(text: string): number {
  const counts = [...text.matchAll(/^- (?:\*\*.* · ([\d,]+) devices?\*\*|and ([\d,]+) in )/gm)];
  return counts.reduce(
    (sum, [, listed, left]) => sum + Number((listed ?? left ?? '').replaceAll(',', '')),
    0,
  );
}
