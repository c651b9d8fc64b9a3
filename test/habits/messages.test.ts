import { describe, expect, it } from 'vitest';
import type { WorldCode } from '../../src/model/error.ts';
import type { Diagnostic } from '../../src/model/documents/diagnostic.ts';
import type { Reason } from '../../src/model/plan/reason.ts';
import { SYNTAX_WORDS } from '../../src/render/words/documents/document-findings.ts';
import { findWord, type CodePhrases } from '../../src/render/words/entry.ts';
import { ERROR_WHYS } from '../../src/render/words/error-whys.ts';
import { ERROR_WORDS, errorWords } from '../../src/render/words/errors.ts';
import { DIAGNOSTIC_WORDS, diagnosticWords } from '../../src/render/words/findings.ts';
import { REASON_WHYS } from '../../src/render/words/review/reason-whys.ts';
import { REASON_WORDS, reasonWords } from '../../src/render/words/reasons.ts';

type Entries = readonly (readonly [string, Partial<CodePhrases>])[];

const ERRORS: Entries = [
  ...Object.entries(ERROR_WORDS),
  ...Object.entries(DIAGNOSTIC_WORDS),
  ...Object.entries(SYNTAX_WORDS),
];
const WHYS = ERROR_WHYS as Readonly<Record<string, Readonly<Record<string, string>>>>;
const REASONS: Entries = [...Object.entries(REASON_WORDS), ...Object.entries(REASON_WHYS)];

/** Details that are the sentence of a subcode. */
const ONLY_WHY = '[{why}]';

/** Two lines of a terminal. */
const TWO_LINES = 2 * 78;
const MOST_WORDS = 25;

/** The longest texts that a phrase gives: each part in brackets is chosen, then each replaced; a gap is one word. */
function readings(phrase: string): readonly string[] {
  const filled = (text: string): string =>
    text
      .replace(/\{\w+#?\|[^|}]*\|([^}]*)\}/g, '12 $1')
      .replace(/\{\w+#?=([^}]*)\}/g, '$1')
      .replace(/\{\w+#?\}/g, 'Name')
      .replace(/ {2,}/g, ' ')
      .trim();
  const first = phrase.replace(/\[([^\][]*?)(?:\|\|[^\][]*)?\]/g, '$1');
  const second = phrase.replace(/\[[^\][]*?\|\|([^\][]*)\]/g, '$1').replace(/\[[^\][]*\]/g, '');
  return [filled(first), filled(second)].filter((text) => text !== '');
}

/** Sentences of a text; a stop inside a name or a pair of quotes ends none. */
function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!:;])\s+(?=[A-Z"`])/).filter((sentence) => sentence !== '');
}

function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

describe.each(ERRORS)('the message %s', (code, { says = '', more = '', next = '' }) => {
  it('is a sentence that begins with a capital and ends with a full stop', () => {
    const whole =
      more === ONLY_WHY
        ? Object.values(findWord<Readonly<Record<string, string>>>(WHYS, code) ?? {})
        : [more];
    for (const text of [says, ...whole].flatMap(readings))
      expect(text).toMatch(/^(?:[A-Z0-9"`]|fleetform ).*[.?]$/);
  });

  it('is at most two lines, and has a next step', () => {
    for (const text of readings(says)) expect(text.length).toBeLessThanOrEqual(TWO_LINES);
    for (const text of readings(more)) expect(text.length).toBeLessThanOrEqual(TWO_LINES);
    expect(readings(next).filter((text) => text === '')).toEqual([]);
    expect(readings(next).length).toBeGreaterThan(0);
  });

  it(`has at most ${MOST_WORDS} words in a sentence`, () => {
    const all = [says, more, next].flatMap(readings).flatMap(sentences);
    expect(all.filter((sentence) => countWords(sentence) > MOST_WORDS)).toEqual([]);
  });
});

describe.each(REASONS)('the reason %s', (_, { says = '', next }) => {
  it('is a phrase without a capital and a full stop', () => {
    for (const text of readings(says)) expect(text).toMatch(/^[a-z`"].*[^.]$/);
    for (const text of readings(next ?? '')) expect(text).toMatch(/^[a-z`].*[^.]$/);
  });
});

describe('a code of another version', () => {
  const at = { file: 'fleet/a.yaml', line: 1, column: 1 };

  it('is shown as itself, and never throws', () => {
    const code = 'ofTomorrow';
    const params = { path: '/v1/devices' };
    const finding = { code, params, severity: 'error', at } as unknown as Diagnostic;
    const told = [
      errorWords(code as WorldCode, params),
      diagnosticWords(finding),
      reasonWords({ code, why: 'because' } as unknown as Reason),
      reasonWords({ code: 'busy', why: 'because' } as unknown as Reason),
    ];
    expect(told.slice(0, 3).map(({ summary }) => summary)).toEqual(
      Array(3).fill(expect.stringContaining(code)),
    );
    expect(told[3]?.summary).toContain('because');
    expect(errorWords('toString' as WorldCode, {}).summary).toContain('toString');
  });
});
