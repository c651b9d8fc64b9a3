import type { GitAnswer } from './git.ts';

/**
 * What a push of one ref said about it. `moved`: the remote acknowledged it, or had it already.
 * `behind`: the remote is not where it was expected to be, and nothing was sent. `refused`: a rule
 * or a missing right; it would be refused again. `unclear`: anything else, nobody knows yet.
 */
export type PushAnswer =
  | { readonly kind: 'moved' | 'behind' | 'unclear' }
  | { readonly kind: 'refused'; readonly why: string };

/** Somebody else was at the ref just then, or the server had a bad moment. */
const PASSING =
  /lock|failed to update|transaction|file exists|timed? ?out|busy|try again|temporar|internal|unpack/i;

/** Without a line about the ref: what says that this user may not push there, ever. */
const FORBIDDEN = [
  /permission .*denied|access denied|not allowed|write access .*not granted/i,
  /authentication failed|could not read (username|password)/i,
  /error: 40[13]\b|HTTP 40[13]\b|repository not found|is archived/i,
];

/** Reads the answer of `git push --porcelain` for one ref. */
export function pushAnswer({ exit, out, err }: GitAnswer): PushAnswer {
  const line = out.split('\n').find((text) => /^[ +\-*=!]\t/.test(text));
  const [flag, , summary = ''] = line?.split('\t') ?? [];
  if (flag === undefined) return withoutLine(exit, err);
  if (flag !== '!') return exit === 0 ? { kind: 'moved' } : { kind: 'unclear' };
  if (summary.startsWith('[rejected]')) return { kind: 'behind' };
  const why = /^\[remote rejected\] \((.*)\)$/.exec(summary)?.[1];
  if (why === undefined || PASSING.test(why)) return { kind: 'unclear' };
  return { kind: 'refused', why };
}

function withoutLine(exit: number, err: string): PushAnswer {
  if (exit <= 0 || !FORBIDDEN.some((pattern) => pattern.test(err))) return { kind: 'unclear' };
  return { kind: 'refused', why: complaint(err) };
}

/** The line of git's complaint that says most, without what may be a password in an address. */
export function complaint(err: string): string {
  const lines = err.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^(remote: )?(fatal|error): /i.test(line));
  const text = said ?? lines.find((line) => line !== '') ?? '';
  return withoutUser(text.replace(/^(remote: )?(fatal|error): /i, '')).slice(0, 200);
}

/** A text with the user and password of every address in it left out. */
export function withoutUser(text: string): string {
  return text.replace(/\/\/[^/\s@]*@/g, '//');
}
