import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../src/model/documents/diagnostic.ts';
import { carried, citations, PAGES, rulesOf } from './rules.ts';

/** `L-word` in the name of a folder is a lint if there is such a code, and words otherwise. */
const CODES: ReadonlySet<string> = new Set(DIAGNOSTIC_CODES);

/** What only looks like the number of a rule, and what it is. */
const NO_RULES: Readonly<Record<string, string>> = { P32: 'a series of cameras' };

const defined = PAGES.flatMap(rulesOf);
const all = citations();

describe('the rules of docs/semantics.md and docs/protocol.md', () => {
  it('have a number each, which no other has', () => {
    expect(defined.filter((id, index) => defined.indexOf(id) !== index)).toEqual([]);
  });

  it('are what comments, titles and folders cite', () => {
    const known = new Set(defined);
    const isRule = (id: string) => !id.startsWith('L-') || CODES.has(id.slice(2));
    const unknown = all.flatMap(({ place, rules }) =>
      rules
        .filter((id) => !known.has(id) && !(id in NO_RULES) && isRule(id))
        .map((id) => `${place}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are cited, each', () => {
    const cited = new Set([...all.flatMap(({ rules }) => rules), ...carried()]);
    expect(defined.filter((id) => !cited.has(id))).toEqual([]);
  });
});
