import type { Params } from '../../model/error.ts';
import type { Verdict } from '../../model/plan/plan.ts';
import { grouped, type Phrase } from './phrase.ts';
import { LIMIT_WORDS, OTHER_WAY_OUT, UNKNOWN_LIMIT, WAY_OUT } from './terms.ts';
import { wordOf } from './entry.ts';

/** What is said of one limit of a guardrail in every format: phrases, and what fills their gaps. */
export interface LimitSentences {
  /** What was counted, against which limit. */
  readonly said: Phrase;
  /** What to do where it was passed. */
  readonly way: Phrase;
  readonly params: Params;
}

/** The sentences of a verdict; whoever fills them passes the parameters through its own sink. */
export function limitSentences({
  limit,
  number,
  of: total,
  scope,
  allowed,
}: Verdict): LimitSentences {
  return {
    said: wordOf(LIMIT_WORDS, limit) ?? UNKNOWN_LIMIT,
    way: wordOf(OTHER_WAY_OUT, limit) ?? WAY_OUT,
    params: {
      number,
      allowed: grouped(allowed),
      limit,
      ...(total !== undefined && { of: grouped(total) }),
      ...(scope !== undefined && { scope }),
    },
  };
}
