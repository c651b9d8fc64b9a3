import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sources } from './sources.ts';

/** The pages that number our rules. */
export const PAGES = ['semantics', 'protocol'] as const;
export type Page = (typeof PAGES)[number];

/** One number, or several as `K14 to K16`; not the beginning of a version such as `V5.7.3`. */
const NUMBER = /\b([A-Z])(\d{1,2})(?: to \1(\d{1,2}))?\b(?![.-]?\d)/g;

/** A folder that shows a lint is named after its code. */
const LINT = /\bL-([A-Za-z]+)/g;

/** A place that cites rules, and the numbers that it cites. */
export interface Citation {
  readonly place: string;
  readonly rules: readonly string[];
}

/** The numbers of the rules that a page defines, in its order; one that it defines twice comes twice. */
export function rulesOf(page: Page): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8');
  return [...text.matchAll(/^- \*\*([A-Z]\d{1,2}|L-[A-Za-z]+)\.\*\*/gm)].map(([, id]) => id ?? '');
}

/** Comments of src and test, titles of tests, and the names of folders that show a rule. */
export function citations(): readonly Citation[] {
  const files = [...sources('src'), ...sources('test')];
  return [
    ...files.map(({ path, text }) => cited(path, commentsIn(text))),
    ...sources('test').map(({ path, text }) => cited(path, titlesIn(text))),
    ...['test/scenarios', 'test/rehearsals', 'test/fixtures/documents']
      .flatMap((below) => foldersIn(below).map((name) => [below, name] as const))
      .map(([below, name]) => cited(`${below}/${name}`, `${name} ${name.replaceAll('-', ' ')}`)),
  ].filter(({ rules }) => rules.length > 0);
}

/** Numbers that the program itself carries: rows in records, invariants in findings. */
export function carried(): ReadonlySet<string> {
  const files = [...sources('src'), ...sources('test')].filter(
    ({ path }) => path.startsWith('src/') || path.includes('/auditor/'),
  );
  const literals = files.flatMap(({ text }) => [...text.matchAll(/'([A-Z]\d{1,2})'/g)]);
  return new Set(literals.map(([, id]) => id ?? ''));
}

export function foldersIn(below: string): readonly string[] {
  return readdirSync(join(ROOT, below), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The comments of a file as running text: a citation may go over the end of a line. */
function commentsIn(text: string): string {
  return text
    .split('\n')
    .map(
      (line) => /^\s*(?:\/\*\*|\*\/?|\/\/)(.*)$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1],
    )
    .map((line) => line?.replace(/\*\/\s*$/, '').trim() ?? '\n')
    .join(' ');
}

/** Texts of a test file that begin with numbers, or hold some in brackets. */
function titlesIn(text: string): string {
  const begins = text.matchAll(/['"`]((?:[A-Z]\d{1,2}(?:, | to | |: ))+)(?=[^'"`\s])/g);
  const holds = text.matchAll(/['"`][^'"`\n]*\(((?:[A-Z]\d{1,2}(?:, )?)+)\)[^'"`\n]*['"`]/g);
  return [...begins, ...holds].map(([, ids]) => ids ?? '').join(' ');
}

function cited(place: string, text: string): Citation {
  const numbers = [...text.matchAll(NUMBER)].flatMap(([, letter = '', from = '', to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => {
      return `${letter}${String(Number(from) + index).padStart(from.length, '0')}`;
    }),
  );
  const lints = [...text.matchAll(LINT)].map(([, code]) => `L-${code}`);
  return { place, rules: [...new Set([...numbers, ...lints])] };
}
