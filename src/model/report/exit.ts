/** The only table of exit codes; README prints it and `render/words` gives their meanings. */
export const EXIT = {
  done: 0,
  error: 1,
  changes: 2,
  guardrail: 3,
  failed: 4,
  inDoubt: 5,
  locked: 6,
  workLeft: 7,
  stale: 8,
  unfit: 9,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
