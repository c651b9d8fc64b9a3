/** Whether this is a job, whose disk may be lost with it. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(env['CI'] ?? '');
}
