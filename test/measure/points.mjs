/** Where a decision and an attempt begin and end in the sources, as patches that tell `globalThis.measured`. */
export const POINTS = [
  {
    file: 'src/plan/decide/decide.ts',
    find: 'return toChange(evaluate(decisionInput, memory));',
    replace:
      "return globalThis.measured('decision', () => toChange(evaluate(decisionInput, memory)));",
  },
  {
    // In its own file: the one that calls it is no part of it.
    file: 'src/apply/run/attempt.ts',
    find: 'export async function attempt(',
    replace: `export function attempt(run: Run, command: Attempt) {
  return globalThis.measured('attempt', () => wholeAttempt(run, command));
}

async function wholeAttempt(`,
  },
];
