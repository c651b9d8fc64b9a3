import { spawnSync } from 'node:child_process';

/** Runs promtool of Prometheus, which may be missing on this machine: undefined, and said, where it is. */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } | undefined {
  const { FLEETFORM_TEST_PROMTOOL: program = 'promtool' } = process.env;
  const run = spawnSync(program, args, { encoding: 'utf8', input });
  if (!run.error) return { status: run.status, said: run.stdout + run.stderr };
  process.stdout.write('skipped: there is no promtool\n');
  return undefined;
}

/** Throws what promtool has against metrics, where there is one. */
export function checkedByPromtool(text: string): void {
  const run = promtool(['check', 'metrics'], text);
  if (run && (run.status !== 0 || run.said !== '')) throw new Error(run.said);
}
