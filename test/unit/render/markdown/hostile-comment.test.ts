import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { COMMENT_LIMIT, planMarkdown } from '../../../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { CAMPAIGN_TIMEOUT, countOf } from '../../../support/campaign.ts';
import { mentionsIn, quickActionsIn } from '../../../support/gitlab-markdown.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { brokenScope } from '../../../support/scoped.ts';
import { change, nightPlan, planOf } from '../../../support/render-plan.ts';

describe('hostile texts in a comment', () => {
  const names = hostileNames(countOf('hostileTexts'));

  it(
    'stay code: no link, image, mention, heading or tag comes of any',
    () => {
      for (let start = 0; start < names.length; start += 25) {
        const text = textOf(hostilePlan(names.slice(start, start + 25)));
        const tree = parse(text);
        expect(typesOf(tree), JSON.stringify(names.slice(start, start + 25))).toEqual(ALLOWED);
        expect(tagsOf(tree).filter((tag) => !OURS.test(tag))).toEqual([]);
        expect(plainTextOf(tree)).not.toContain(SIGN);
        for (const cells of rowsOf(tree)) expect([6, 10]).toContain(cells);
        expect(text.split('\n').every((line) => !FORBIDDEN.test(line))).toBe(true);
        expect([quickActionsIn(text), mentionsIn(text)]).toEqual([[], []]);
        expect(text).not.toMatch(/^[^\S\n]*\//m);
      }
    },
    CAMPAIGN_TIMEOUT,
  );

  it('survive as they are where they are harmless, whatever backticks they hold', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('`', 'a', ' ', '*', '\\', '<'), minLength: 1 }),
        (name) => {
          const shown = codeOf(parse(textOf(planOf([change({ id: 'x', name: `n${name}n` })]))));
          expect(shown).toContain(`n${name}n`);
        },
      ),
      { numRuns: countOf('backticks'), seed: 7 },
    );
  });
});

/** Stands in front of every text from outside: where it turns up outside of code, the text does. */
const SIGN = '§';

/** Our own tags, and nothing else. */
const OURS = /^(<!-- fleetform plan f{16} -->|<br>|<details>.*|<\/details>)$/;

const ALLOWED = (
  'blockquote heading html inlineCode list listItem paragraph root strong table ' +
  'tableCell tableRow text'
).split(' ');

function hostilePlan(texts: readonly string[]): Plan {
  const at = (n: number): string => `${SIGN}${texts[n % texts.length]}`;
  const changes = texts.map((_, n) =>
    change(
      { id: `${n}${at(n)}`, name: at(n), site: at(n + 1), vendor: at(n + 2), model: at(n + 3) },
      {
        risk: n % 2 ? 'low' : 'high',
        wave: at(n + 4),
        at: { policy: at(n + 5), file: at(n + 6), line: 1, column: 1 },
        before: { [at(n + 7)]: at(n + 8) },
        after: { firmwareVersion: at(n + 9) },
        window: { name: at(n + 10), zone: at(n + 11), opens: '2026-12-01T00:00:00Z' },
        reason: { code: 'windowClosed', params: { window: at(n + 12) } },
        action: n % 3 ? 'run' : 'wait',
      },
    ),
  );
  const { inputs } = nightPlan();
  const place = { file: at(13), line: 1, column: 1 };
  const origins = changes.map(({ at: { file } }) => ({
    is: 'commit' as const,
    file,
    line: 1,
    commit: 'c'.repeat(40),
    author: at(14),
    subject: at(15),
    at: '2026-11-03T00:00:00Z',
  }));
  const plan = planOf(changes, {
    inputs: { ...inputs, service: { ...inputs.service, organization: at(16), baseUrl: at(17) } },
    origins,
    notes: [
      {
        task: 'upgradeFirmware',
        at: { ...place, policy: at(18) },
        reason: { code: 'alreadyConverged' },
        count: 3,
      },
    ],
    warnings: [{ code: 'siteUnknown', severity: 'warning', at: place, params: { site: at(19) } }],
    waves: [{ policy: at(5), name: at(4), changes: 1, soak: '24h' }],
    base: {
      ref: at(22),
      scope: brokenScope(at(25)),
      commit: 'b'.repeat(40),
      counts: { branch: 1, pending: 0, clock: 0, dropped: 3 },
      gone: [
        {
          task: 'upgradeFirmware',
          at: { ...place, policy: at(23) },
          cause: 'config',
          reason: { code: 'hold', params: { exception: at(24) } },
          count: 3,
          devices: [{ id: at(0), name: at(1) }],
        },
      ],
    },
    verdicts: [
      {
        guardrail: at(20),
        limit: 'maxPercentOfSite',
        value: 30,
        number: 2,
        allowed: 1,
        scope: at(21),
        passed: false,
        at: place,
      },
    ],
  });
  return plan;
}

function textOf(plan: Plan): string {
  return planMarkdown(buildPlanView(plan), { limit: COMMENT_LIMIT });
}

function parse(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

function* nodesOf(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* nodesOf(child);
}

function typesOf(tree: Root): readonly string[] {
  return [...new Set([...nodesOf(tree)].map(({ type }) => type))].sort();
}

function tagsOf(tree: Root): readonly string[] {
  return [...nodesOf(tree)].flatMap((node) => (node.type === 'html' ? [node.value] : []));
}

function plainTextOf(tree: Root): string {
  return [...nodesOf(tree)].map((node) => (node.type === 'text' ? node.value : '')).join('\n');
}

function codeOf(tree: Root): readonly string[] {
  return [...nodesOf(tree)].flatMap((node) => (node.type === 'inlineCode' ? [node.value] : []));
}

function rowsOf(tree: Root): readonly number[] {
  return [...nodesOf(tree)].flatMap((node) =>
    node.type === 'tableRow' && node.children.length > 3 ? [node.children.length] : [],
  );
}
