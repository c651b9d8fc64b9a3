import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretsFound } from '../support/canary.ts';
import type { Killer } from './mutant.ts';

/** A killer that needs no runner of tests. */
export type InProcess = Exclude<Killer, { readonly test: string }>;

/** What a killer shows first of the sources that it runs on; nothing where all is well. */
type Shows = () => Promise<string | undefined>;

/**
 * Runs what is to kill a mutant, on the sources that this module was loaded with: what it showed
 * first, or nothing where the mutant lives. Rejects where the sources do not even load, or stumble over their own
 * patch, which is no kill.
 */
export async function kill(killer: InProcess): Promise<string | undefined> {
  const shows = await loaded(killer);
  try {
    return await shows();
  } catch (error) {
    // A secret that got out, or a patch that does not fit what it stands in, is no sign of the rule that is off.
    if (isSecretsFound(error) || MISFITS.has(nameOf(error))) throw error;
    return `crash ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What a patch throws that names something which is not there. */
const MISFITS: ReadonlySet<string> = new Set(['ReferenceError', 'SyntaxError', 'TypeError']);

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function loaded(killer: InProcess): Promise<Shows> {
  if ('seed' in killer) return seedOf(killer.seed);
  if ('rehearsal' in killer) return rehearsalOf(killer.rehearsal);
  if ('cell' in killer) return cellOf(killer.cell);
  return scenarioOf(killer.scenario);
}

async function seedOf(seed: number): Promise<Shows> {
  const { simulate } = await import('../simulation/simulate.ts');
  return async () => {
    const [first] = (await simulate(seed)).violations;
    return first && `${first.rule} ${first.what}`;
  };
}

async function rehearsalOf(name: string): Promise<Shows> {
  const { expectedPath, takeCourse } = await import('../support/rehearsal-course.ts');
  const expected = readFileSync(expectedPath(name), 'utf8');
  return async () => {
    const { text, broken } = await takeCourse(name);
    return broken[0] ?? strayLine(text, expected);
  };
}

async function cellOf(name: string): Promise<Shows> {
  const { cells } = await import('../faults/cells.ts');
  const { runMatrix } = await import('../faults/matrix.ts');
  const chosen = cells().possible.filter((cell) => cell.name === name);
  if (chosen.length !== 1) throw new Error(`no cell is called ${name}`);
  return async () => (await runMatrix(chosen, 'first')).wrong[0]?.replace(`${name}: `, '');
}

async function scenarioOf(name: string): Promise<Shows> {
  const { planText } = await import('../../src/render/outputs/plan.ts');
  const { buildPlanView } = await import('../../src/render/view/view.ts');
  const { PLAIN } = await import('../../src/render/sinks/paint.ts');
  const { make, readScenario } = await import('../support/plan-scenario.ts');
  const scenario = readScenario(name);
  const expected = readFileSync(join(scenario.folder, 'plan.txt'), 'utf8');
  return async () => {
    const { plan } = (await make(scenario)).planned;
    const style = { paint: PLAIN, width: 80, all: true };
    const lines = [...planText(buildPlanView(plan, { all: true }), style), ''];
    return strayLine(lines.join('\n'), expected);
  };
}

/** The first line of a text that is not expected, and the first that is missing from it. */
function strayLine(text: string, expected: string): string | undefined {
  if (text === expected) return undefined;
  const [found, wanted] = [text.split('\n'), expected.split('\n')];
  const extra = found.find((line) => !wanted.includes(line));
  const missing = wanted.find((line) => !found.includes(line));
  if (extra === undefined && missing === undefined) return 'the same lines in another order';
  return `${extra?.trim() ?? 'nothing'}, not ${missing?.trim() ?? 'nothing'}`;
}
