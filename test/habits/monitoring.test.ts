import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { promtool } from '../support/promtool.ts';
import { ROOT } from './sources.ts';

const FOLDER = join(ROOT, 'docs', 'monitoring');
const readText = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(readText('dashboard.json')) as { readonly panels: readonly Panel[] };
const queries = panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$organization', '.*')),
);
const tests = parse(readText('alerts.test.yml')) as {
  readonly tests: readonly {
    readonly interval: string;
    readonly promql_expr_test?: readonly { readonly expr: string }[];
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts?: unknown;
    }[];
  }[];
};
const rules = parse(readText('alerts.yml')) as {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
};

describe('the board', () => {
  it('answers each question of its page', () => {
    const page = readFileSync(join(ROOT, 'docs', 'monitoring.md'), 'utf8');
    const asked = [...page.matchAll(/^\| ([A-Z][^|]*\?) \|/gm)].map(
      ([, question = '']) => question,
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(panels.map(({ title }) => title)).toEqual(asked);
  });

  it('has each of its queries in a test of the rules', () => {
    const tried = tests.tests
      .flatMap((each) => each.promql_expr_test ?? [])
      .map(({ expr }) => expr);
    expect(queries.filter((query) => !tried.includes(query))).toEqual([]);
  });

  it('has no two panels in one place', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe('the alerts', () => {
  const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));

  it('are all tried where they fire', () => {
    const fired = tests.tests
      .flatMap((each) => each.alert_rule_test)
      .filter((each) => each.exp_alerts !== undefined)
      .map(({ alertname }) => alertname);
    expect(names.filter((name) => !fired.includes(name))).toEqual([]);
    expect(tests.tests.map(({ interval }) => interval)).toEqual(tests.tests.map(() => '1m'));
  });

  it('and the queries give what their tests expect', () => {
    const run = promtool(['test', 'rules', join(FOLDER, 'alerts.test.yml')]);
    if (run) expect(run).toMatchObject({ status: 0 });
  });

  it('and the board name only series that there are', () => {
    const source = readFileSync(join(ROOT, 'src', 'render', 'data', 'prometheus.ts'), 'utf8');
    const families = [...source.matchAll(/^ {2}(\w+): \['/gm)].map(
      ([, name]) => `fleetform_${name}`,
    );
    const texts = [
      ...queries,
      ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ];
    const named = new Set(texts.flatMap((text) => text.match(/fleetform_\w+/g) ?? []));
    expect([...named].filter((name) => !families.includes(name))).toEqual([]);
  });
});
