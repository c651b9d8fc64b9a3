import { describe, expect, it } from 'vitest';
import { fold } from '../../../../src/ledger/fold.ts';
import type { Memory } from '../../../../src/model/ledger/memory.ts';
import {
  missingInput,
  recordedNewest,
  type ProofInput,
} from '../../../../src/operations/prove/prove-parts.ts';
import { FINDING_WORDS } from '../../../../src/render/words/record-words.ts';
import { fill } from '../../../../src/render/words/phrase.ts';
import { DOCUMENTS } from '../../../support/proof-world.ts';

const GONE = 'e'.repeat(40);
const KEPT = 'f'.repeat(40);

/** A ledger whose last approval is of a commit that no clone has any more. */
const memory = {
  ...fold([]),
  approvals: { plans: [{ commit: GONE, documents: DOCUMENTS.digest }] },
} as unknown as Memory;

describe('the documents that were approved last', () => {
  it('are those of another commit where a squashed branch is gone', async () => {
    const history = {
      at: async () => 'gone' as const,
      withDigest: async (digest: string) =>
        digest === DOCUMENTS.digest ? { commit: KEPT, documents: DOCUMENTS } : undefined,
    };
    expect(await recordedNewest({ history }, memory, { approved: GONE })).toMatchObject({
      newest: { is: 'known', documents: { digest: DOCUMENTS.digest } },
    });
  });

  it('are named where no commit has them: the plan would differ without them', async () => {
    const history = { at: async () => 'gone' as const };
    expect(await recordedNewest({ history }, memory, { approved: GONE })).toEqual({
      lacks: 'approved',
      commit: GONE,
    });
  });
});

describe('an input that is missing is named, with the way to get it', () => {
  const says = async (
    isShallow: boolean,
    missing: Parameters<typeof missingInput>[1],
  ): Promise<string> => {
    const history = { at: async () => 'gone' as const, isShallow: Promise.resolve(isShallow) };
    const {
      result,
      why = '',
      params = {},
    } = await missingInput({ history } as unknown as ProofInput, missing);
    expect(result).toBe('unproved');
    return fill(FINDING_WORDS[why] ?? why, params, String);
  };

  it.each([
    [true, /\(commit e{40}\) are in no commit here; `git fetch --unshallow` gets them/],
    [false, /\(commit e{40}\) are in no commit here; `git fetch origin e{40}` gets them/],
  ] as const)('shallow %s', async (isShallow, said) => {
    for (const lacks of ['documents', 'approved'] as const)
      expect(await says(isShallow, { lacks, commit: GONE })).toMatch(said);
  });
});
