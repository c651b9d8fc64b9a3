import { BUDGETS } from './budgets.ts';
import { DECIDING } from './deciding.ts';
import { LEDGER } from './ledger.ts';
import type { Missing, Mutant } from './mutant.ts';
import { SENDING } from './sending.ts';
import { SETTLING } from './settling.ts';

/** Every rule of the list in apply protocol 5.4 that a patch can switch off. */
export const MUTANTS: readonly Mutant[] = [
  ...SENDING,
  ...LEDGER,
  ...SETTLING,
  ...BUDGETS,
  ...DECIDING,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Rules of that list without a mutant. */
export const MISSING: readonly Missing[] = [
  {
    id: '12-deadline-per-intent',
    why: 'a deadline is an argument of one sending and is kept nowhere else',
  },
  {
    id: '18-plain-fast-forward-push',
    why: 'the simulated ledger is no git remote; races of real pushes are tested with the store',
  },
];

/**
 * Rules whose mutant has not been seen to die yet: `npm run mutants -- --only 28` hunts one. Each that
 * dies gets its seed, and leaves this list.
 */
export const AT_LARGE: readonly string[] = [
  '06-5xx-is-rejected',
  '07-409-is-rejected',
  '11-send-deadline-off',
  '13-deadline-on-one-clock',
  '17-unclear-append-taken-as-not-appended',
  '19-result-not-durable-before-the-next-attempt',
  '22-quarantine-without-requests-in-flight',
  '24-negative-evidence-for-a-password',
  '25-timed-out-attempted-again-while-running',
  '26-absence-taken-as-gone',
  '27-budgets-outside-the-swap',
  '28-in-doubt-not-counted',
  '30-unknown-and-partial-not-counted',
  '31-maintenance-not-counted',
  '32-batch-checked-one-by-one',
  '38-before-not-read-again',
  '39-new-changes-of-a-plan-file-run',
  '40-generation-compared-with-differs',
  '41-window-judged-at-plan-time',
  '42-cutoff-ignored',
  '43-stop-rule-ignores-in-doubt',
  '48-not-started-lost-on-an-error-path',
];
