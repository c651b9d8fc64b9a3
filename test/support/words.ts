/** All families of the catalogue of English, for tests that go through every code. */
export * from '../../src/render/words/phrase.ts';
export * from '../../src/render/words/errors.ts';
export * from '../../src/render/words/findings.ts';
export * from '../../src/render/words/outcomes.ts';
export * from '../../src/render/words/reasons.ts';
export * from '../../src/render/words/review/reason-whys.ts';
export * from '../../src/render/words/terms.ts';
export * from '../../src/render/words/commands.ts';
