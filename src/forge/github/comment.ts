import type { GitHub } from './github.ts';
import { isBy, isMarked, sameText, postedText, type PostedText } from './texts.ts';

export interface StickyComment {
  /** The pull request. */
  readonly number: number;
  /** The login of our comments. Comments of others are never changed. */
  readonly author: string;
  /** The first line of our comments. */
  readonly marker: string;
  readonly body: string;
}

export type CommentResult = 'created' | 'edited' | 'same';

/**
 * Maintains one comment on a pull request: creates it once, then edits it. The author and the
 * marker in the first line identify it, on any page. Two concurrent jobs or a lost answer may
 * create a second one: the oldest stays and our others are deleted.
 */
export async function keepComment(github: GitHub, wanted: StickyComment): Promise<CommentResult> {
  const found = await ourComments(github, wanted);
  if (found.length > 0) return settle(github, wanted, found);
  const path = `issues/${wanted.number}/comments`;
  await github.send('POST', path, { body: wanted.body });
  const after = await ourComments(github, wanted);
  if (after.length > 1) await settle(github, wanted, after);
  return 'created';
}

/**
 * Puts a text below the marker of each of our comments whose marker has this prefix, except the
 * current ones; returns their number. A reviewer then does not read a plan of an older commit.
 */
export async function supersede(
  github: GitHub,
  at: Pick<StickyComment, 'number' | 'author'> & {
    readonly markers: string;
    readonly keeps?: (body: string) => boolean;
  },
  below: string,
): Promise<number> {
  return amend(github, at, (body) =>
    at.keeps?.(body) === true ? undefined : `${body.split('\n')[0]?.trim()}\n${below}`,
  );
}

/**
 * Gives each of our comments whose marker has this prefix the text that `edit` makes of its own;
 * undefined leaves it. Returns how many have a text of `edit` now.
 */
export async function amend(
  github: GitHub,
  at: Pick<StickyComment, 'number' | 'author'> & { readonly markers: string },
  edit: (body: string) => string | undefined,
): Promise<number> {
  const comments = await allComments(github, at.number);
  const ours = comments.filter((each) => isBy(each, at.author) && isMarked(each, at.markers));
  let edited = 0;
  for (const { id, body } of ours) {
    const text = edit(body);
    if (text === undefined) continue;
    edited += 1;
    if (!sameText(body, text)) await github.send('PATCH', `issues/comments/${id}`, { body: text });
  }
  return edited;
}

async function settle(
  github: GitHub,
  { body }: StickyComment,
  [own, ...others]: readonly PostedText[],
): Promise<CommentResult> {
  if (!own) return 'same';
  const isSame = sameText(own.body, body);
  if (!isSame) await github.send('PATCH', `issues/comments/${own.id}`, { body });
  for (const { id } of others) await github.send('DELETE', `issues/comments/${id}`);
  return isSame ? 'same' : 'edited';
}

/** Our comments, oldest first. */
async function ourComments(
  github: GitHub,
  { number, author, marker }: StickyComment,
): Promise<readonly PostedText[]> {
  const comments = await allComments(github, number);
  return comments
    .filter((each) => isBy(each, author) && each.body.split(/\r?\n/)[0]?.trim() === marker)
    .sort((a, b) => a.id - b.id);
}

async function allComments(github: GitHub, number: number): Promise<readonly PostedText[]> {
  return (await github.list(`issues/${number}/comments`)).flatMap((row) => postedText(row) ?? []);
}
