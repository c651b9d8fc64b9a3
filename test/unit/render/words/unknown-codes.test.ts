import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DiagnosticCode } from '../../../../src/model/documents/diagnostic.ts';
import type { Params, WorldCode } from '../../../../src/model/error.ts';
import { REASON_CODES, type Reason, type ReasonCode } from '../../../../src/model/plan/reason.ts';
import type { Hint } from '../../../../src/model/report/hint.ts';
import { checkWords } from '../../../../src/render/words/doctor/check-words.ts';
import { detailPhrases } from '../../../../src/render/words/ending-words.ts';
import { ERROR_WORDS, errorWords } from '../../../../src/render/words/errors.ts';
import { DIAGNOSTIC_WORDS, diagnosticWords } from '../../../../src/render/words/findings.ts';
import { fill } from '../../../../src/render/words/phrase.ts';
import { readingText } from '../../../../src/render/words/reading-words.ts';
import { REASON_WORDS, reasonLabel, reasonWords } from '../../../../src/render/words/reasons.ts';
import { hintWords } from '../../../../src/render/words/review/hint.ts';
import { limitSentences } from '../../../../src/render/words/terms.ts';

/** Codes of another version, names of what every object has, and codes that are known. */
const anyCode = (known: object): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' '),
    fc.string({ maxLength: 20 }),
    fc.constantFrom(...Object.keys(known)),
  );
const anyValue = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
);
const anyName = fc.oneof(
  fc.constantFrom('why', 'problem', 'what', 'method', 'needs', 'field', 'key', 'at', 'exception'),
  fc.constantFrom(
    'alsoPaused',
    'alsoStopped',
    'incidentEnds',
    'count',
    'limit',
    'value',
    'message',
    'until',
  ),
  fc.string({ minLength: 1, maxLength: 10 }),
);
const anyParams: fc.Arbitrary<Params> = fc.dictionary(anyName, anyValue, { maxKeys: 6 });
const anyInstant = fc.integer({ min: 0, max: Date.UTC(2099, 0, 1) });
const anyReason: fc.Arbitrary<Reason> = fc.record(
  {
    code: anyCode(REASON_WORDS) as fc.Arbitrary<ReasonCode>,
    why: fc.string({ maxLength: 12 }) as fc.Arbitrary<NonNullable<Reason['why']>>,
    since: anyInstant,
    next: fc.oneof(anyInstant, fc.constant('never' as const)),
    params: anyParams,
  },
  { requiredKeys: ['code'] },
);

const asItIs = (text: string): string => text;
const saysOf = (detail: string): string => {
  const { says, params } = detailPhrases('failed', detail);
  return fill(says, params, asItIs);
};

/** What the words functions say of anything that a file, the ledger or the service may name. */
const SAYS: readonly (readonly [string, fc.Arbitrary<readonly string[]>])[] = [
  [
    'a reason',
    anyReason.map((reason) => {
      const { summary, next } = reasonWords(reason, { now: 0, sink: asItIs });
      return [summary, next];
    }),
  ],
  ['the label of a reason', anyReason.map((reason) => [`label ${reasonLabel(reason)}`])],
  [
    'a finding',
    fc.tuple(anyCode(DIAGNOSTIC_WORDS), anyParams).map(([code, params]) => {
      const finding = { code: code as DiagnosticCode, severity: 'error' as const, params };
      return Object.values<string>({ ...diagnosticWords(finding, asItIs) });
    }),
  ],
  [
    'a failure',
    fc
      .tuple(anyCode(ERROR_WORDS), anyParams)
      .map(([code, params]) =>
        Object.values<string>({ ...errorWords(code as WorldCode, params, asItIs) }),
      ),
  ],
  [
    'a limit of a guardrail',
    fc.tuple(fc.string(), fc.nat(), fc.string()).map(([limit, number, reason]) => {
      const waits = { number, reason: reason as ReasonCode };
      const verdict = { guardrail: 'g', limit, number, allowed: 1, passed: false, waits };
      const { said, way, params } = limitSentences(verdict as Parameters<typeof limitSentences>[0]);
      return [fill(said, params, asItIs), fill(way, params, asItIs)];
    }),
  ],
  ['the detail of an ending', fc.string().map((detail) => [saysOf(detail)])],
  [
    'a reading',
    fc
      .tuple(fc.string(), anyCode({ torn: 1 }))
      .map(([takenAt, confidence]) => [
        `read ${readingText({ takenAt, confidence } as Parameters<typeof readingText>[0])}`,
      ]),
  ],
  [
    'a check of doctor',
    fc
      .tuple(anyCode(ERROR_WORDS), anyParams)
      .map(([code, params]) => [
        `check ${checkWords({ name: 'token', verdict: 'fails', code, params } as unknown as Parameters<typeof checkWords>[0]).says}`,
      ]),
  ],
  [
    'a next step',
    anyReason.map((reason) => {
      const hint = { is: 'person', remaining: [{ reason, count: 1 }], row: 8 };
      return [hintWords(hint as unknown as Hint, { now: 0 })];
    }),
  ],
];

describe('words of unknown codes and parameters', () => {
  it.each(SAYS)('are a sentence, whatever is unknown in %s', (_, said) => {
    fc.assert(
      fc.property(said, (texts) => {
        expect(texts.length).toBeGreaterThan(0);
        for (const text of texts) expect(text).toMatch(/\S/);
      }),
      { numRuns: 300 },
    );
  });

  it('knows a word for each code that this version gives', () => {
    expect(REASON_CODES.filter((code) => !Object.hasOwn(REASON_WORDS, code))).toEqual([]);
  });
});
