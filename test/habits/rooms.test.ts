import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pairsIn, sliversIn } from '../measure/shape.ts';
import { sources, type SourceFile } from './sources.ts';

const MAX_FILES = 20;
const MAX_FUNCTION_LINES = 50;
const SHORT = 40;

/** Short files beside their only importer, each with the reason why it stands alone. */
const ALONE: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^src\/guard\/max-/, 'one guardrail a file: a new one is one file and one line of a table'],
  [/^src\/guard\/guardrail-rules\.ts$/, 'the table of guardrails'],
  [/^src\/operations\/rehearse\/modules\.ts$/, 'a list of what runs load, which grows with them'],
  [/^src\/twin\/effects\//, 'one task type a file: a new one is one file and one line of a table'],
];

/** Functions whose whole body is one state and the closures over it; a reader needs them side by side. */
const LONG: ReadonlySet<string> = new Set([
  'src/rehearse/virtual-clock.ts createVirtualClock',
  'src/render/html/page/grid.ts createGrid',
  'src/render/html/page/main.ts run',
  'src/render/html/page/table-body.ts createTableBody',
]);

/** A function of a module, or a method of a class. */
const START =
  /^(?:export )?(?:async )?function\*? ?(\w+)|^( {2})(?:(?:private|static|override) )*(?:async )?\*?(#?\w+)(?:<.*>)?\(/;

/** The line that opens a body; a call that opens an object or a closure is none. */
const OPENING = /\)(?::.*)?(?<!=>) \{$/;

const files = sources('src');

describe('rooms', () => {
  it(`holds at most ${MAX_FILES} files in a folder`, () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });

  it('has no short file beside its only importer without a reason', () => {
    const slivers = sliversIn(files, SHORT);
    expect(slivers.filter((path) => !ALONE.some(([name]) => name.test(path)))).toEqual([]);
  });

  it('keeps no reason that nothing needs', () => {
    const slivers = sliversIn(files, SHORT);
    expect(ALONE.filter(([name]) => !slivers.some((path) => name.test(path)))).toEqual([]);
  });

  it('has no folders that import each other', () => {
    expect(pairsIn(files)).toEqual([]);
  });

  it(`keeps functions within ${MAX_FUNCTION_LINES} lines`, () => {
    expect(files.flatMap(longFunctions)).toEqual([]);
  });
});

/** Functions of a module and methods of a class, by how the formatter lays them out. */
function longFunctions({ path, text }: SourceFile): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const found = START.exec(line);
    const [indent, name] = [found?.[2] ?? '', found?.[1] ?? found?.[3] ?? ''];
    const rest = lines.slice(index);
    // A signature of several lines ends where its own indentation is met again.
    const head = line.endsWith('(') ? rest.findIndex((next) => next.startsWith(`${indent})`)) : 0;
    if (name === '' || !OPENING.test(rest[head] ?? '')) return [];
    const length = rest.indexOf(`${indent}}`, head) + 1;
    const isLong = length > MAX_FUNCTION_LINES && !LONG.has(`${path} ${name}`);
    return isLong ? [`${path} ${name}: ${length} lines`] : [];
  });
}
