import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { showPart } from '../../../../src/render/view/part.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { planMarkdown, planText } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { textOf } from '../../../support/html.ts';
import { LOOK } from '../../../support/render-look.ts';
import { nightPlan } from '../../../support/render-plan.ts';

describe('a part of a saved plan', () => {
  const plan = nightPlan();
  const partOf = (policies: readonly string[], sites: readonly string[] = []) =>
    showPart(plan, { policies, sites });

  it('has the changes and notes of a policy, and no others', () => {
    const part = partOf(['firmware.*']);
    expect(part?.counts).toEqual({ run: 9, wait: 3, skip: 1, note: 771 });
    expect(new Set([...(part?.changes ?? [])].map(({ at }) => at.policy))).toEqual(
      new Set(['firmware.axis-p32']),
    );
    expect(buildPlanView(part ?? plan).represented).toBe(784);
  });

  it('has the changes of a site, with its name or a glob, and no notes', () => {
    const part = partOf([], ['Oslo*']);
    expect(new Set([...(part?.changes ?? [])].map(({ device }) => device.site))).toEqual(
      new Set(['Oslo Warehouse']),
    );
    expect(part?.notes).toEqual([]);
  });

  it('keeps the ID and the verdicts, which are of the whole plan', () => {
    expect(partOf(['firmware.*'])).toMatchObject({ id: plan.id, verdicts: plan.verdicts });
  });

  it('is nothing where nothing fits', () => {
    expect(partOf(['firmware.bosch'])).toBeUndefined();
    expect(partOf([], ['Nowhere'])).toBeUndefined();
  });

  it('says what it shows, and names no next step of its own', () => {
    const part = partOf(['rotations.*'], ['Lyon']) ?? plan;
    const shown = { policies: ['rotations.*'], sites: ['Lyon'], of: 1_000 };
    const text = [...planText(buildPlanView(part, { shown }), { ...LOOK, all: true })].join('\n');
    expect(text).toContain('Shown: only rotations.* at Lyon; the plan lists 1,000 changes.\n');
    expect(text).not.toContain('next: ');
  });

  it('says so in a comment and in a report, too', () => {
    const part = partOf(['rotations.*'], ['Lyon']) ?? plan;
    const shown = { policies: ['rotations.*'], sites: ['Lyon'], of: 1_000 };
    const view = buildPlanView(part, { shown });
    expect(planMarkdown(view, { limit: 65_536 })).toMatch(
      /Shown: only `rotations\.\*` at `Lyon`; the plan lists 1,000 changes/,
    );
    expect(textOf(parseFragment([...planHtml(view, part.changes)].join('')))).toContain(
      'Shown: only rotations.* at Lyon; the plan lists 1,000 changes',
    );
  });
});
