import { describe, expect, test } from 'vitest';
import type { Planned } from '../../src/plan/plan.ts';
import { outlooks } from '../../src/plan/explain/outlook.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { PLAN_COLUMNS, tabulatePlan } from '../../src/model/plan/actor.ts';
import { tallyPolicies } from '../../src/report/policy-tally.ts';
import { fleetSamples } from '../../src/render/data/metrics.ts';
import { planLines } from '../../src/plan/saved/save.ts';
import { readPlan } from '../../src/plan/saved/saved.ts';
import { foldPolicies, isDone } from '../../src/render/outputs/policy-table.ts';
import { addTallies } from '../../src/render/view/review.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { planBlocks, planMarkdown, planText } from '../../src/render/outputs/plan.ts';
import { planHtml } from '../../src/render/html/pages.ts';
import { PLAIN } from '../../src/render/sinks/paint.ts';
import { cellText } from '../../src/render/words/review/review-words.ts';
import { formatWords } from '../support/tree-words.ts';
import { isTried } from '../support/campaign.ts';
import { judged, make, madeOnce, replay, scenarios, type Made } from '../support/plan-scenario.ts';
import { afterRename, decisionsIn } from '../support/plan-renames.ts';
import { entryOf, isOver, misplaced, schemaErrors, shutAt, standings, unequalLines } from '../support/plan-laws.ts';

const HOUR = 3_600_000;

const TRIED = scenarios()
  .map((scenario, nth) => [scenario.name, scenario, nth] as const)
  .filter(([, , nth]) => isTried(nth));

describe.each(TRIED)('%s', (_, scenario, nth) => {
  /** Planned once for all laws; only what a law holds against it is planned anew. */
  const made = (): Promise<Made> => madeOnce(scenario);
  const planned = async () => (await made()).planned;
  const bytes = async ({ plan }: Planned) => [...planLines(plan)];
  const linesOf = async () => bytes(await planned());

  test('decides the same where all policies were renamed, but for their approvals (semantics M23)', async () => {
    const { input, planned: one } = await made();
    const isTaken = one.diagnostics.some(({ code }) => code === 'nameTaken');
    if (input.approvals || input.part?.policies || isTaken) return;
    expect(decisionsIn(judged(afterRename(input)).plan)).toEqual(decisionsIn(one.plan));
  });

  test('gives the same bytes again from a kept snapshot', async () => {
    expect([...planLines(await replay(await made()))]).toEqual(await linesOf());
  });

  test('gives the same bytes whatever the order of files and rows', async () => {
    const { planned: again } = await make(scenario, { shuffled: true });
    expect(await bytes(again)).toEqual(await linesOf());
  });

  test('fits the schema', async () => {
    expect(schemaErrors((await linesOf()).join('\n'))).toEqual([]);
  });

  test('points every change and note at the line that asks for it', async () => {
    const { plan } = await planned();
    const said = [...plan.changes, ...plan.notes];
    const astray = said.filter((each) => misplaced(each, scenario.files));
    expect(astray.map(({ at }) => entryOf(at))).toEqual([]);
  });

  test('is the same plan an hour later, unless something falls due', async () => {
    const { planned: later } = await make(scenario, { later: HOUR });
    expect(later.plan.id === (await planned()).plan.id).toBe(!scenario.fallsDueWithinAnHour);
  });

  test('says exactly one thing about each device and task', async () => {
    const { once, counted, noted } = standings(await made());
    expect(once).toEqual([]);
    expect(counted).toBe(noted);
  });

  test('counts as overdue what each device is by the clock alone', async () => {
    const { planned: one, input } = await made();
    const overdue = [...outlooks(input)].filter(
      ({ dueAt, since = input.now }) => dueAt !== undefined && since < input.now,
    );
    const due = groupBy(overdue, ({ at }) => at.policy);
    const counts = [...due].map(([policy, all]) => [policy, all.length]);
    const debts = [...one.debts].map(([policy, { devices }]) => [policy, devices]);
    expect(new Map(debts as [string, number][])).toEqual(new Map(counts as [string, number][]));
  });

  test('adds up: the columns of the table are all that its policies select (semantics N6)', async () => {
    const { plan } = await planned();
    const { review, total, represented } = buildPlanView(plan);
    const { totals, policies } = review;
    expect(PLAN_COLUMNS.reduce((sum, column) => sum + totals[column], 0)).toBe(total);
    expect(represented).toBe(total);
    const { listed, more, idle } = foldPolicies(policies, 2, isDone);
    expect(addTallies([...listed, ...more, ...idle])).toEqual(totals);
  });

  test('has a status and a file of the same counts (semantics N85)', async () => {
    const { plan } = await planned();
    const tallies = tallyPolicies(plan);
    const written = new Map(tabulatePlan(plan).map((row) => [row.policy, row.columns]));
    for (const row of buildPlanView(plan).review.policies) {
      const columns = Object.fromEntries(PLAN_COLUMNS.map((column) => [column, row[column]]));
      // A status lists no policy that is refused and has neither change nor note.
      const tallied = tallies.get(row.policy)?.columns;
      if (tallied !== undefined || row.isRefused !== true) expect(tallied).toEqual(columns);
      expect(written.get(row.policy)).toEqual(columns);
    }
  });

  test('has metrics of the same counts, and waits for as many reasons (semantics N85)', async () => {
    const { input } = await made();
    const { plan } = await planned();
    const status = { at: input.now, policies: [], inDoubt: [], inFlight: [], pauses: [], paused: [] };
    const samples = [...fleetSamples({ plan, status, snapshot: input.snapshot })];
    const sumOf = (family: string, ...labels: readonly string[]): number =>
      samples
        .filter(([name, , ...own]) => name === family && labels.every((each, at) => own[at] === each))
        .reduce((sum, [, value]) => sum + value, 0);
    const { policies, totals } = buildPlanView(plan).review;
    for (const row of policies)
      for (const column of PLAN_COLUMNS) {
        const state = column === 'person' ? 'needs_you' : column;
        expect(sumOf('policy_devices', row.policy, state)).toBe(row[column]);
      }
    expect(sumOf('policy_devices')).toBe(PLAN_COLUMNS.reduce((sum, name) => sum + totals[name], 0));
    expect(sumOf('waiting')).toBe(totals.later + totals.person);
    expect(sumOf('devices')).toBe(input.snapshot.devices.length);
    expect(sumOf('firmware_devices')).toBe(input.snapshot.devices.length);
  });

  test('prints these sums in the short text, in Markdown and on the page', async () => {
    const { plan } = await planned();
    const view = buildPlanView(plan);
    const { totals } = view.review;
    const shown = PLAN_COLUMNS.filter(
      (column) => (column !== 'running' && column !== 'out') || totals[column] > 0,
    );
    const sums = shown.map((column) => cellText(totals[column]));
    const last = (rows: readonly (readonly string[])[]) => rows.at(-1)?.slice(1, shown.length + 1);
    const text = [...planText(view, { paint: PLAIN, width: 80, isSummary: true })].map(String);
    const from = text.findIndex((line) => line.startsWith('POLICY'));
    const rows = text.slice(from + 1).map((line) => line.split(/\s{2,}/));
    const end = rows.findIndex((cells) => cells.length <= shown.length);
    if (from >= 0) expect(last(end < 0 ? rows : rows.slice(0, end))).toEqual(sums);
    const lines = planMarkdown(view, { limit: 65_536 }).split('\n');
    const table = lines.slice(lines.findIndex((line) => line.startsWith('| Policy')));
    const cells = table
      .slice(0, table.indexOf(''))
      .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/[*|]/g, '').trim()));
    if (view.review.policies.length > 0) expect(last(cells)).toEqual(sums);
    const page = [...planHtml(view, plan.changes)].join('');
    const row = /<table class="data policies">[\s\S]*?<\/table>/.exec(page)?.[0].split('<tr').at(-1);
    const numbers = [...(row ?? '').matchAll(/<td class="[^"]*\bn\b[^"]*"[^>]*>([^<]*)</g)];
    if (row) expect(numbers.map(([, cell]) => cell).slice(0, shown.length)).toEqual(sums);
  });

  test('forecasts of each incident what its row of the table counts (semantics N62)', async () => {
    const { plan } = await planned();
    const rows = new Map(buildPlanView(plan).review.policies.map((row) => [row.policy, row]));
    for (const { code, params } of plan.warnings) {
      if (code !== 'incidentForecast') continue;
      const { count = 0, offline = 0, waiting = 0, blocked = 0, left } = params;
      const parts = [count, offline, waiting, blocked].map(Number);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(left);
      const row = rows.get(`incidents.${params['incident']}`);
      const { now = 0, running = 0, later = 0, person = 0 } = row ?? {};
      expect(left).toBe(now + running + later + person);
    }
  });

  test('says one truth: progress, sentence, table and lines count and date the same', async () => {
    expect(unequalLines((await planned()).plan)).toEqual([]);
  });

  test('has the words of its tree in order, in a terminal, in Markdown and on a page', async () => {
    const words = formatWords(planBlocks(buildPlanView((await planned()).plan), { all: true }));
    expect(words.terminal).toEqual(words.forTerminal);
    expect(words.markdown).toEqual(words.tree);
    expect(words.html).toEqual(words.tree);
  });

  test('is possible only from instants in which its windows are open', async () => {
    expect(shutAt((await planned()).plan)).toEqual([]);
  });

  test('waits for no instant that has come (semantics R15)', async () => {
    const { plan } = await planned();
    const over = [...plan.changes].filter((each) => isOver(each, scenario.now));
    expect(over.map(({ id, reason }) => `${id} ${reason.code}`)).toEqual([]);
  });

  test('is read back as it was saved', async () => {
    const lines = await linesOf();
    expect([...planLines(await readPlan(lines))]).toEqual(lines);
  });

  test('is refused when a line is changed, moved or missing', async () => {
    const lines = await linesOf();
    const [own, last] = [nth % lines.length, lines.length - 1];
    // The head, the end, and another line in each scenario: all lines of all plans are read in one way.
    for (const index of new Set([0, own, last])) {
      const line = lines[index] ?? '';
      const edited = lines.with(index, line.replace(/[0-9a-z](?=[^0-9a-z]*$)/, '7x'));
      await expect(readPlan(edited)).rejects.toMatchObject({ code: /^plan(Tampered|Unreadable)$/ });
    }
    for (const index of new Set([own, last]))
      await expect(readPlan(lines.toSpliced(index, 1))).rejects.toThrow(/^plan/);
  });
});
