import { classBlocks } from '../../src/render/outputs/classes.ts';
import { forecastBlocks } from '../../src/render/outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../../src/render/outputs/guardrails.ts';
import { noteBlocks, removedBlocks } from '../../src/render/outputs/removed.ts';
import { needBlocks, policyBlocks, runBlocks } from '../../src/render/outputs/review.ts';
import { firstBlocks, warningBlocks } from '../../src/render/outputs/warnings.ts';
import type { Block } from '../../src/render/tree.ts';
import type { PlanView } from '../../src/render/view/view.ts';
import { planTime } from '../../src/render/words/review/review-words.ts';

/** All blocks of a plan, as the three formats print them. */
export function planBlocks(view: PlanView): readonly Block[] {
  const whole = { all: true };
  return [
    ...firstBlocks(view),
    ...policyBlocks(view, whole),
    ...guardrailBlocks(view.verdicts),
    ...scopeBlocks(view.base),
    ...needBlocks(view),
    ...runBlocks(view, {}),
    ...removedBlocks(view),
    ...warningBlocks(view, whole),
    ...classBlocks(view, {}),
    ...noteBlocks(view, whole),
    ...forecastBlocks(view.forecast, planTime(view)),
    ...passedBlocks(view.verdicts, whole),
  ];
}
