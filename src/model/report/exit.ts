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

/** The exit codes of several fleets: the first that one of them has is that of all. */
const WEIGHTIEST = [1, 9, 3, 5, 4, 8, 6, 7, 2, 0];

/** The one exit code of several. */
export function weightiest(codes: readonly number[]): number {
  return WEIGHTIEST.find((code) => codes.includes(code)) ?? EXIT.error;
}
