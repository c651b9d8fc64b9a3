import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sources } from './sources.ts';

/** Words of our own and clauses without a subject; each has a term of the field or a plainer form. */
const UNPLAIN = new RegExp(
  [
    '\\b(?:wish(?:es|ed)?|nobody|whoever|somebody|anew|thaw|mend(?:s|ed)?|embod\\w*|unasked|bears? on|of its own)\\b',
    '\\b(?:by itself|at the most|for ever|all the same|at whose|its time has come|never acts|holds? together)\\b',
    '\\b(?:on the wire|at work|left alone|set aside|speaks? to|way out|what came of|looks? after)\\b',
    '\\bstands?\\b(?! by)|\\b(?:is|are|was|were|has|have|had) to be\\b|\\bwants? (?:to|an?|the|it)\\b|\\b(?:un)?wanted\\b',
    '\\b(?:can|may) be no\\b|\\b(?:organis|behaviour|cancelled(?=[ .,])|cancelling|catalogue|favour|licence|analys(?:e|ing))\\w*',
    '[\\u201c\\u201d\\u2018\\u2019]|\\d %|\\b(?:please|simply|just)\\b',
  ].join('|'),
  'i',
);

/** The places whose strings people meet. */
const FACES = /^src\/(?:render|cli|operations)\//;

const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g;

/** The string literals of a text with at least two words, without its comments. */
function sentences(text: string): readonly string[] {
  const code = text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  return [...code.matchAll(LITERAL)]
    .map(([literal]) => literal.replace(/\$\{[^}]*\}/g, ''))
    .filter((literal) => /[A-Za-z]{2,} [A-Za-z]/.test(literal));
}

function documentSchemas(): readonly string[] {
  return readdirSync(join(ROOT, 'schemas')).filter((name) => name.endsWith('.schema.json'));
}

/** What people read beside the program: pages, the change log, and files that `init` writes. */
function pages(): readonly string[] {
  const below = (folder: string): readonly string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|ya?ml)$|CODEOWNERS$/.test(name))
      .map((name) => `${folder}/${name}`);
  return ['README.md', 'CHANGELOG.md', ...below('docs'), ...below('src/init/templates')];
}

/** What people read of a plan, a run or a rehearsal, as the tests expect it. */
function goldens(): readonly string[] {
  return ['test/scenarios', 'test/unit/render/goldens', 'test/fixtures'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:txt|md|html)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/** Any form of an instant but ours (decision 0106): `2026-11-24 00:00`. */
const OTHER_INSTANT = /\d{4}-\d\d-\d\d \d\d:\d\d/;

/** The most words of a sentence, or of a part of it between colons and semicolons. */
const LONGEST = 32;

/** A clause in the place of a subject: `What is paused stays paused.` */
const NOUN_CLAUSE = /^What [^?]*[.]$/;

/** The sentences of a page and their parts, without code, tables and headings. */
function pageSentences(text: string): readonly string[] {
  const prose = text.replace(/```[^]*?```|<!--[^]*?-->/g, '').replace(/`[^`]*`/g, 'code');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*- |\d+\. )/);
  return blocks
    .map((block) => block.trim().replace(/^(?:- |\d+\. )/, ''))
    .filter((block) => !/^[|#]/.test(block))
    .map((block) => block.replace(/^\*\*[^*]*\*\* /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.:?!;])\s+(?=[A-Za-z*"(])/))
    .filter((sentence) => sentence !== '');
}

describe('English that people meet', () => {
  it.each(sources('src').filter(({ path }) => FACES.test(path)))(
    'is plain in $path',
    ({ text }) => {
      expect(sentences(text).filter((sentence) => UNPLAIN.test(sentence))).toEqual([]);
    },
  );

  it.each(documentSchemas())('is plain in the descriptions of %s', (name) => {
    const text = readFileSync(join(ROOT, 'schemas', name), 'utf8');
    const said = [...text.matchAll(/"(?:title|description)": "((?:[^"\\]|\\.)*)"/g)];
    expect(said.map(([, words = '']) => words).filter((words) => UNPLAIN.test(words))).toEqual([]);
  });

  it.each(pages())('is plain in %s', (name) => {
    const lines = readFileSync(join(ROOT, name), 'utf8').split('\n');
    expect(lines.filter((line) => UNPLAIN.test(line))).toEqual([]);
  });

  it.each(pages().filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'))(
    'has short sentences with a subject in %s',
    (name) => {
      const all = pageSentences(readFileSync(join(ROOT, name), 'utf8'));
      expect(all.filter((sentence) => sentence.split(' ').length > LONGEST)).toEqual([]);
      expect(all.filter((sentence) => NOUN_CLAUSE.test(sentence))).toEqual([]);
    },
  );

  it('has one form of instants, which one file writes', () => {
    const own = ['src/render/words/moment.ts', 'src/render/words/local.ts'];
    const diagram = 'src/render/markdown/gantt.ts';
    const writers = sources('src')
      .filter(({ path }) => FACES.test(path))
      .filter(({ text }) => /toISOString|toLocale|DateTimeFormat|[`'] UTC[`']/.test(text));
    expect(writers.map(({ path }) => path).filter((path) => !own.includes(path))).toEqual([
      diagram,
    ]);
  });

  it.each(goldens())('has one form of instants in %s', (name) => {
    const lines = readFileSync(join(ROOT, name), 'utf8').split('\n');
    expect(lines.filter((line) => OTHER_INSTANT.test(line))).toEqual([]);
  });

  it('is cut into sentences, without code, tables and headings', () => {
    const page =
      '# What it is\n\n- **A1.** What waits, waits. Run `a; b. c` now;\n  then [look](x.md).\n\n| What is | it |\n';
    expect(pageSentences(page)).toEqual(['What waits, waits.', 'Run code now;', 'then look.']);
    expect(pageSentences(page).filter((sentence) => NOUN_CLAUSE.test(sentence))).toHaveLength(1);
  });

  it('is looked for in literals, and not in comments or parameters', () => {
    const text = "/* nobody waits */ say`the wish of a ${somebody}`; // it is to be\nx('one word')";
    expect(sentences(text)).toEqual(['`the wish of a `', "'one word'"]);
    expect(sentences(text).filter((sentence) => UNPLAIN.test(sentence))).toHaveLength(1);
  });
});
