import { createHash } from 'node:crypto';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { planHtml } from '../../../../src/render/html/pages.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { attributeOf, elementsOf, textOf, type Element } from '../../../support/html.ts';
import { brokenScope } from '../../../support/scoped.ts';
import { change, nightPlan, planOf } from '../../../support/render-plan.ts';

const write = (plan: Plan): string =>
  [...planHtml(buildPlanView(plan), plan.changes)].map((piece) => `${piece}\n`).join('');
const read = (plan: Plan): readonly Element[] => elementsOf(parse(write(plan)));

/** The page of a night, read once. */
const NIGHT = read(nightPlan());

const count = (page: readonly Element[], name: string): number =>
  page.filter(({ tagName }) => tagName === name).length;

/** A plan in which every text of the service and the documents is one of these. */
function planNamed(names: readonly string[]): Plan {
  const at = (n: number) => ({ file: `fleet/${names[n]}.yaml`, line: 4 + n, column: 3 });
  const policy = (n: number): string => `firmware.${names[n % 7]}`;
  const changes = names.map((name, n) =>
    change(
      { id: `dev-${n}-${name}`, name, site: names[n % 90] ?? '', vendor: name, model: name },
      {
        action: n % 2 === 0 ? 'run' : 'wait',
        at: { policy: policy(n), ...at(n % 7) },
        before: { firmwareVersion: name },
        after: { firmwareVersion: `${name} new` },
        wave: names[n % 5] ?? '',
        window: {
          name: names[n % 3] ?? '',
          zone: names[n % 4] ?? '',
          opens: '2026-11-24T00:00:00Z',
        },
        losers: [{ policy: policy(n + 1), ...at(3) }],
        reason: { code: 'budgetExhausted', params: { budget: name, scope: name } },
      },
    ),
  );
  const [first = '', second = ''] = names;
  const plain = planOf(changes);
  return {
    ...plain,
    inputs: {
      ...plain.inputs,
      tool: first,
      service: { ...plain.inputs.service, organization: first, baseUrl: second },
    },
    base: {
      ref: first,
      scope: brokenScope(second),
      commit: 'f'.repeat(40),
      counts: { branch: 1, pending: 2, clock: 3, dropped: 4 },
      gone: [
        {
          task: 'restartDevice',
          at: { policy: policy(2), ...at(2) },
          cause: 'detection',
          reason: { code: 'hold', params: { exception: second } },
          count: 5,
          devices: names.slice(0, 3).map((name, n) => ({ id: `gone-${n}-${name}`, name })),
        },
      ],
    },
    waves: names.slice(0, 5).map((name) => ({ policy: policy(0), name, changes: 3, soak: '24h' })),
    warnings: [{ code: 'badValue', severity: 'warning', params: { value: first }, at: at(1) }],
    verdicts: [
      {
        guardrail: first,
        limit: 'maxPercentOfSite',
        value: 30,
        number: 3,
        allowed: 2,
        of: 9,
        scope: second,
        passed: false,
        at: at(2),
      },
    ],
    notes: [
      {
        task: 'upgradeFirmware',
        at: { policy: first, ...at(0) },
        reason: { code: 'hold', params: { exception: first } },
        count: 3,
      },
    ],
    origins: [
      {
        ...at(0),
        is: 'commit',
        commit: 'a'.repeat(40),
        author: first,
        subject: second,
        at: '2026-11-03T00:00:00Z',
      },
    ],
  };
}

describe('the report', () => {
  it('tells what runs, waits and is skipped without any script', () => {
    const text = NIGHT.filter(({ tagName }) => tagName === 'header' || tagName === 'main')
      .map(textOf)
      .join('\n');
    for (const words of [
      '1,000 selected: 199 now, 13 later, 1 needs you, 787 done.',
      'Needs you 1',
      'Starts: 199 now, 13 later',
      'All 213 changes are listed; 787 are done.',
      'Rotate password',
    ])
      expect(text).toContain(words);
  });

  it('says of what is gone where the base wants it, and why it is gone', () => {
    const old = planOf([change({ id: 'old-1' }), change({ id: 'old-2', name: 'attic-cam' })]);
    const about = { ref: 'main', commit: 'b'.repeat(40) };
    const page = read(compareWithBase(nightPlan(), old, about));
    const gone = page.find((element) => attributeOf(element, 'aria-labelledby') === 'gone-title');
    const said = (gone ? textOf(gone) : '').replace(/\s+/g, ' ');
    expect(said).toContain('Removed since main 2');
    for (const words of [
      'firmware.axis-p32 Upgrade firmware: no policy selects it main:fleet/cameras.yaml:4:3',
      'before: policy',
      'devices: old-1, attic-cam (old-2)',
    ])
      expect(said).toContain(words);
  });

  it('says of a closed group why it waits, its wave and its site', () => {
    const waiting = change(
      { id: 'cam-1', site: 'Lyon' },
      { action: 'wait', reason: { code: 'offline' }, wave: 'canary' },
    );
    const gists = read(planOf([waiting])).filter((each) => attributeOf(each, 'class') === 'gist');
    expect(gists.map(textOf)).toEqual(['offline · canary · Lyon']);
  });

  it('lets run and look only what is in it', () => {
    const page = NIGHT;
    const rules =
      page
        .map((element) => attributeOf(element, 'content'))
        .find((text) => text?.includes('-src')) ?? '';
    expect(rules).toContain(`default-src 'none'`);
    expect(rules).not.toMatch(/unsafe|https?:|\*/);
    const active = page.filter(
      (element) =>
        element.tagName === 'style' ||
        (element.tagName === 'script' && attributeOf(element, 'type') === undefined),
    );
    expect(active).toHaveLength(2);
    for (const element of active)
      expect(rules).toContain(
        `'sha256-${createHash('sha256').update(textOf(element)).digest('base64')}'`,
      );
  });

  it('asks for nothing from elsewhere, and styles and acts through no attribute', () => {
    const attributes = NIGHT.flatMap(({ attrs }) => attrs);
    const loading = attributes.filter(({ name }) =>
      ['src', 'srcset', 'action', 'xlink:href'].includes(name),
    );
    expect(loading).toEqual([]);
    expect(attributes.filter(({ name }) => name === 'style' || name.startsWith('on'))).toEqual([]);
    const links = attributes.filter(({ name }) => name === 'href').map(({ value }) => value);
    expect(new Set(links)).toEqual(new Set(['#all']));
  });

  it('has one row for each change', () => {
    const parts = NIGHT.filter((element) => attributeOf(element, 'type') === 'application/json');
    const rows = parts.map(
      (part) => (JSON.parse(textOf(part)) as { ids?: unknown[] }).ids?.length ?? 0,
    );
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(213);
  });

  it('is made of the same kinds of elements and attributes whatever the names are (T04)', () => {
    const hostile = hostileNames(300);
    const harmless = hostile.map((_, n) => `name ${n}`);
    const kinds = (page: readonly Element[]) =>
      new Set(
        page.map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)].join(' ')),
      );
    const [page, plain] = [read(planNamed(hostile)), read(planNamed(harmless))];
    const known = kinds(plain);
    expect([...kinds(page)].filter((kind) => !known.has(kind))).toEqual([]);
    for (const name of ['script', 'style', 'meta', 'title', 'form', 'section', 'h2'])
      expect([name, count(page, name)]).toEqual([name, count(plain, name)]);
  });

  it('holds no hidden character of any name (T01)', () => {
    const text = write(planNamed(hostileNames(200)))
      .replaceAll('\n', '')
      .replaceAll('\t', '');
    expect(text.match(FORBIDDEN)).toBeNull();
  });
});
