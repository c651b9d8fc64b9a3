import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { planAnnotations } from '../../../../src/render/data/annotations.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { COMMENT_LIMIT, planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { readPlan } from '../../../../src/plan/saved/saved.ts';
import { LOOK } from '../../../support/render-look.ts';
import { reviewPlan } from '../../../support/review-fleet.ts';

const FORMATS: Readonly<Record<string, (plan: Plan) => Iterable<string>>> = {
  text: (plan) => planText(buildPlanView(plan, { all: true }), { ...LOOK, width: 80 }),
  md: (plan) => [planMarkdown(buildPlanView(plan), { limit: COMMENT_LIMIT })],
  html: (plan) => planHtml(buildPlanView(plan), plan.changes),
  ci: (plan) => planAnnotations(buildPlanView(plan)),
};

/** A code of a later version: a word as ours are, and the name of a member that every object has. */
const LATER = ['fromTheFuture', 'constructor'];

/** The places of a value that hold a word, each once for all members of a list. */
function* words(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === 'string' && /^[a-z][A-Za-z]*$/.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* words(each, [...path, key]);
}

function withWord(plan: Plan, path: readonly string[], word: string): Plan {
  const copy = structuredClone(plan);
  let parent = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  parent[path.at(-1) ?? ''] = word;
  return copy;
}

describe('a saved plan of a later version', async () => {
  const made = await reviewPlan({ devices: 30, sites: 2 });
  const plan = { ...made, changes: [...made.changes] };
  const kinds = new Map<string, readonly string[]>();
  for (const path of words(plan)) {
    const kind = path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');
    if (!kinds.has(kind)) kinds.set(kind, path);
  }

  it('has words to try, among them reasons, findings and guardrails', () => {
    const found = [...kinds.keys()];
    expect(found).toEqual(
      expect.arrayContaining(['changes.*.reason.code', 'verdicts.*.limit', 'changes.*.cause']),
    );
  });

  it.each(LATER)('is shown in every format, or refused by its reader: %s', async (word) => {
    const accepted: string[] = [];
    for (const [kind, path] of kinds) {
      const edited = withWord(plan, path, word);
      const read = await readPlan(planLines(edited)).catch((error: Error) => error);
      if (read instanceof Error) {
        expect(`${kind}: ${read.message}`).toMatch(/: plan(?:Tampered|Unreadable)/);
        continue;
      }
      accepted.push(kind);
      for (const [format, render] of Object.entries(FORMATS))
        expect(() => [...render(read)].length, `${kind} in ${format}`).not.toThrow();
    }
    expect(accepted).toContain('changes.*.reason.code');
  });
});
