import type { Instant } from '../../lib/time.ts';
import type { NextStep } from '../../model/report/next-step.ts';
import { LEFT_WORDS } from './commands.ts';
import { moment } from './moment.ts';
import { fill } from './phrase.ts';
import { reasonWords } from './reasons.ts';

/** The next step: a command, a command from an instant on, or what a person has to do first. */
export function nextStepWords(
  step: NextStep,
  { now, command = 'apply' }: { readonly now: Instant; readonly command?: string | undefined },
): string {
  switch (step.is) {
    case 'none':
      return LEFT_WORDS.none;
    case 'now':
      return fill(LEFT_WORDS.now, { command }, String);
    case 'open':
      return fill(LEFT_WORDS.open, { command }, String);
    case 'from':
      return fill(LEFT_WORDS.from, { command, at: moment(step.at), left: step.left }, String);
    case 'person': {
      const todos = step.reasons.map((reason) => reasonWords(reason, { now, sink: String }).next);
      return fill(LEFT_WORDS.person, { todo: [...new Set(todos)].join('; ') }, String);
    }
  }
}
