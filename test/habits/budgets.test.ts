import { describe, expect, it } from 'vitest';
import { code, sources } from './sources.ts';

const MAX_SOURCE_LINES = 400;
const MAX_TEST_LINES = 400;
const MAX_LINES_OF_NINE_IN_TEN = 200;

/** Exceptions to a rule are counted: a new one has to be put here, where a reviewer sees it. */
const COUNTED: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly allowed: number;
}[] = [
  { what: 'any', pattern: /\bas any\b|: any\b|<any>/g, allowed: 0 },
  {
    what: 'suppression',
    pattern: /@ts-|eslint-disable|oxlint-disable|prettier-ignore/g,
    allowed: 0,
  },
  { what: 'non-null assertion', pattern: /[\w)\]]!(?=[.;,)\]])/g, allowed: 0 },
  { what: 'unfinished', pattern: /\bTODO\b|\bFIXME\b|\bXXX\b/g, allowed: 0 },
  { what: 'default export', pattern: /^export default/gm, allowed: 0 },
  { what: 'enum', pattern: /^(export )?(const )?enum /gm, allowed: 0 },
  {
    what: 'raw timer outside the shell clock',
    pattern: /\bsetTimeout\(|\bsetInterval\(/g,
    allowed: 2,
  },
  { what: 'process.exit', pattern: /\bprocess\.exit\(/g, allowed: 3 },
];

const VAGUE = /(^|\/)(utils?|helpers?|common|misc|shared|manager|service|handler|base|impl)\.ts$/;

const src = sources('src');
const test = sources('test');

describe('file budgets', () => {
  it(`keeps every source file within ${MAX_SOURCE_LINES} lines`, () => {
    const long = src.filter((file) => file.lines > MAX_SOURCE_LINES);
    expect(long.map((file) => file.path)).toEqual([]);
  });

  it(`keeps nine of ten source files within ${MAX_LINES_OF_NINE_IN_TEN} lines`, () => {
    const long = src.filter((file) => file.lines > MAX_LINES_OF_NINE_IN_TEN);
    const named = long.map((file) => `${file.lines} ${file.path}`).sort();
    expect(long.length, named.join('\n')).toBeLessThan(src.length / 10);
  });

  it(`keeps every test file within ${MAX_TEST_LINES} lines`, () => {
    const long = test.filter((file) => file.lines > MAX_TEST_LINES);
    expect(long.map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
  });

  it('keeps lines within 120 columns', () => {
    const wide = src.flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, n) => (line.length > 120 ? [`${file.path}:${n + 1}`] : [])),
    );
    expect(wide.filter((place) => !place.startsWith('src/render/words/'))).toEqual([]);
  });

  it('has no file with a vague name', () => {
    expect(src.map((file) => file.path).filter((path) => VAGUE.test(path))).toEqual([]);
  });
});

describe('counted exceptions', () => {
  it.each(COUNTED)('$what: $allowed', ({ pattern, allowed }) => {
    const hits = src.flatMap((file) =>
      [...code(file.text).matchAll(pattern)].map((hit) => `${file.path}: ${hit[0]}`),
    );
    expect(hits.length, hits.join('\n')).toBe(allowed);
  });

  it('skips and focuses no test', () => {
    const guilty = test.filter((file) =>
      /\b(it|test|describe)\.(skip|only|todo)\(/.test(file.text),
    );
    expect(guilty.map((file) => file.path)).toEqual([]);
  });
});
