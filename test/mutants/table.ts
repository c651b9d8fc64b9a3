import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { hunt } from './hunt.ts';
import type { InProcess } from './kill.ts';
import type { Killer, Mutant } from './mutant.ts';

/** A mutant and what its recorded killer showed of it. */
export interface Row {
  readonly id: string;
  readonly killer: Killer;
  /** What the killer showed first; absent where the mutant survives it. */
  readonly told?: string;
  /** Why the killer could not be tried. */
  readonly unfit?: string;
}

/** Tries each mutant on its recorded killer; in the order of the mutants. */
export async function tryAll(
  mutants: readonly Mutant[],
  { threads }: { readonly threads: number },
): Promise<readonly Row[]> {
  const inProcess = mutants.filter(({ killer }) => !('test' in killer));
  const prey = inProcess.map(({ id, killer, patches }) => {
    return { id, patches, killers: [killer as InProcess] };
  });
  const found = [...(await hunt(prey, { threads })), ...(await runTests(mutants))];
  const shown = new Map(found.map((one) => [one.id, one]));
  return mutants.map(({ id, killer }) => ({ ...shown.get(id), id, killer }));
}

/** Every killer once, on sources without a patch: what finds something there is no sign of a rule. */
export function controlsOf(tried: readonly Pick<Mutant, 'killer'>[]): readonly Mutant[] {
  const killers = new Map(tried.map(({ killer }) => [JSON.stringify(killer), killer]));
  return [...killers.values()].map((killer, nth) => ({
    id: `as-it-is-${nth}`,
    killer,
    patches: [],
  }));
}

/** The kill table, one line a mutant: the rule, what killed it, and what that showed. */
export function linesOf(rows: readonly Row[]): readonly string[] {
  const killed = rows.filter(({ told }) => told !== undefined).length;
  return [
    ...rows.map(({ id, killer, told, unfit }) => {
      const shown = told ?? (unfit === undefined ? 'SURVIVES' : `NOT TRIED ${unfit}`);
      return [id.padEnd(48), nameOf(killer).padEnd(58), firstLine(shown)].join(' ');
    }),
    `${killed} of ${rows.length} killed: ${countsOf(rows)}`,
  ];
}

function nameOf(killer: Killer): string {
  return Object.entries(killer).flat().join(' ');
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 140);
}

function countsOf(rows: readonly Row[]): string {
  const kinds = rows.flatMap(({ killer, told }) => (told === undefined ? [] : Object.keys(killer)));
  const counts = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    return `${count} by a ${kind}`;
  });
  return counts.join(', ');
}

type Tested = Pick<Row, 'id' | 'told' | 'unfit'>;

/** Those that a file of tests kills, all in one process of the runner of tests. */
async function runTests(mutants: readonly Mutant[]): Promise<readonly Tested[]> {
  const prey = mutants.flatMap(({ id, killer, patches }) =>
    'test' in killer ? [{ id, patches, test: killer.test }] : [],
  );
  if (prey.length === 0) return [];
  const script = fileURLToPath(new URL('./tests.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(prey)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Tested[];
}
