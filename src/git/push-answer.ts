import type { GitAnswer } from './git.ts';

/**
 * The outcome of pushing one ref. `moved`: the remote acknowledged it or had it already. `behind`:
 * the remote has moved, and nothing was sent. `refused`: a rule or a missing permission; a retry
 * fails too. `unclear`: anything else.
 */
export type PushAnswer =
  | { readonly kind: 'moved' | 'behind' | 'unclear' }
  | { readonly kind: 'refused'; readonly why: string };

/** Transient errors: another writer held the ref, or the server had a problem. */
const PASSING =
  /lock|failed to update|transaction|file exists|timed? ?out|busy|try again|temporar|internal|unpack/i;

/** Messages without a line about the ref that mean this user may not push. */
const FORBIDDEN = [
  /permission .*denied|access denied|not allowed|write access .*not granted/i,
  /authentication failed|could not read (username|password)/i,
  /error: 40[13]\b|HTTP 40[13]\b|repository not found|is archived/i,
];

/** Reads the answer of `git push --porcelain` for one ref, of several the named one. */
export function pushAnswer({ exit, out, err }: GitAnswer, ref = ''): PushAnswer {
  const line = lineOf(out, ref);
  const [flag, , summary = ''] = line?.split('\t') ?? [];
  if (flag === undefined) return withoutLine(exit, err);
  if (flag !== '!') return exit === 0 ? { kind: 'moved' } : { kind: 'unclear' };
  if (summary.startsWith('[rejected]')) return { kind: 'behind' };
  const why = /^\[remote rejected\] \((.*)\)$/.exec(summary)?.[1];
  if (why === undefined || PASSING.test(why)) return { kind: 'unclear' };
  return { kind: 'refused', why };
}

function lineOf(out: string, ref: string): string | undefined {
  const lines = out.split('\n').filter((text) => /^[ +\-*=!]\t/.test(text));
  return ref === '' ? lines[0] : lines.find((text) => text.split('\t')[1]?.endsWith(`:${ref}`));
}

/** Whether a ref was not moved because another one of the same push could not be. */
export function isHeldBack({ out }: GitAnswer, ref: string): boolean {
  return /^!\t.*\t\[(?:remote )?rejected\] \(atomic /.test(lineOf(out, ref) ?? '');
}

/** Whether the remote cannot move two refs at once. */
export function lacksAtomic({ err }: GitAnswer): boolean {
  return /does not support --atomic/.test(err);
}

function withoutLine(exit: number, err: string): PushAnswer {
  if (exit <= 0 || !FORBIDDEN.some((pattern) => pattern.test(err))) return { kind: 'unclear' };
  return { kind: 'refused', why: complaint(err) };
}

/** The most informative line of git's error output, without passwords in URLs. */
export function complaint(err: string): string {
  const lines = err.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^(remote: )?(fatal|error): /i.test(line));
  const text = said ?? lines.find((line) => line !== '') ?? '';
  return withoutUser(text.replace(/^(remote: )?(fatal|error): /i, '')).slice(0, 200);
}

/** A text without the user and password of its URLs. */
export function withoutUser(text: string): string {
  return text.replace(/\/\/[^/\s@]*@/g, '//');
}
