import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import {
  COMMENT_LIMIT,
  leastMarkdown,
  commentMarker,
  planMarkdown,
} from '../../../../src/render/markdown/plan-markdown.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { CAMPAIGN_TIMEOUT, countOf } from '../../../support/campaign.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
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
    expect(textOf(plan)).toContain(`**Removed from the plan: 2**

- Upgrade firmware, 2 devices: \`firmware.axis-p32\`, \`main:fleet/cameras.yaml:4\`; no policy selects it
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
      'changed `fleet/cameras.yaml:6`, `fleet/cameras.yaml:7`, `fleet/cameras.yaml:8` and 1 more line |',
    );
    expect(text).toContain(
      'no policy selects it; changed `main:fleet/cameras.yaml:12` by `Bob`, `cccccccc` `narrow it`\n',
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

  it.each([1, 100, 5_000, 100_000])(
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
    expect(text).toMatch(/\| `firmwareVersion: 11\.11\.160` \|/);
    expect(text).not.toContain('(none)');
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
      .filter((line) => line.startsWith('| 1 |'));
    expect(rows.map((row) => /(\w+) risk/.exec(row)?.[1])).toEqual(['high', 'low']);
    // printf 'b\n' | sha256sum
    expect(rows[0]).toContain('(`0263829989b6fd95`'.slice(0, 10));
  });
});

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
      { numRuns: 300, seed: 7 },
    );
  });
});

/** Stands in front of every text from outside: where it turns up outside of code, the text does. */
const SIGN = '§';

/** Our own tags, and nothing else. */
const OURS = /^(<!-- fleetform plan f{16} -->|<br>|<details>.*|<\/details>)$/;

const ALLOWED = (
  'blockquote code heading html inlineCode list listItem paragraph root strong table ' +
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

/** The devices of all rows of classes, added up. */
function countedIn(text: string): number {
  const rows = text.split('\n').filter((line) => /^\| [\d,]+ \|(?:[^|]*\|){5}$/.test(line));
  return rows.reduce(
    (sum, row) => sum + Number(/^\| ([\d,]+)/.exec(row)?.[1]?.replaceAll(',', '')),
    0,
  );
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
