/** Where a decision and an attempt begin and end in the sources, as patches that tell `globalThis.measured`. */
export const POINTS = [
  {
    file: 'src/plan/decide/decide.ts',
    find: 'return toChange(evaluate(decisionInput, memory));',
    replace:
      "return globalThis.measured('decision', () => toChange(evaluate(decisionInput, memory)));",
  },
  {
    file: 'src/apply/run/execute.ts',
    find: 'return attempt(run, command);',
    replace: "return globalThis.measured('attempt', () => attempt(run, command));",
  },
];
