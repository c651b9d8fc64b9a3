import { groupBy, sumCounts } from '../../lib/group-by.ts';
import { passedKey, type Passed, type PassedWhat } from '../../model/plan/change.ts';
import type { Sink } from '../sinks/sinks.ts';
import type { ChangeClass } from '../view/classes.ts';
import { counted, fill, grouped, type Phrase, findWord } from './phrase.ts';

const PASSED_WORDS: Readonly<Record<PassedWhat, Phrase>> = {
  softFreeze: 'freeze {name}',
  window: 'window {name}',
  spread: 'its day within `spread`',
  deferral: '`deferral`',
  offlineGrace: '`offlineGrace`',
  firmwareSoak: 'the soak of its firmware',
  credentialGap: 'the cool-down between password and certificate',
  waveSoak: 'the soak of wave {name}',
  canary: 'wave {name}',
  gate: 'the approval of wave {name}',
  pause: 'the pause of {name}',
  singleton: 'the approval of a set of one in budget {name}',
  budget: 'budget {name}',
};

/** `freeze x-mas, window nights (expiryGuard)`: what a change passes, each with its rule (semantics M26). */
export function passedText(passes: readonly Passed[], sink: Sink): string {
  const byRule = groupBy(passes, ({ rule }) => rule);
  return [...byRule]
    .map(([rule, each]) => {
      const names = each.map(({ what, name = '' }) => {
        const phrase = findWord(PASSED_WORDS, what) ?? `${what} {name=}`;
        return fill(phrase, { name }, sink).trim();
      });
      return `${names.join(', ')} (${sink(rule)})`;
    })
    .join('; ');
}

/** How many groups of changes that pass the same are named. */
const NAMED = 3;

/**
 * How many changes pass what, in a sentence for the first lines of a plan; empty if none does. Names go through the
 * sink.
 */
export function passedSentence(
  classes: readonly Pick<ChangeClass, 'passes' | 'count'>[],
  sink: Sink,
): string {
  const passing = classes.filter(({ passes = [] }) => passes.length > 0);
  const groups = [...groupBy(passing, ({ passes = [] }) => passes.map(passedKey).join('\t'))]
    .map(([, alike]) => ({
      passes: alike[0]?.passes ?? [],
      count: sumCounts(alike),
    }))
    .sort((a, b) => b.count - a.count);
  if (groups.length === 0) return '';
  const rest = sumCounts(groups.slice(NAMED));
  const named = groups
    .slice(0, NAMED)
    .map(
      ({ passes, count }) =>
        `${counted(count, 'change')} ${count === 1 ? 'passes' : 'pass'} ${passedText(passes, sink)}`,
    );
  return `${[...named, ...(rest > 0 ? [`${grouped(rest)} pass others`] : [])].join('; ')}.`;
}
