import type { Forge, PostedText } from './forge-port.ts';
import { firstLine, sameText } from './texts.ts';

export interface StickyComment {
  /** The request. */
  readonly number: number;
  /** The first line of our comments. */
  readonly marker: string;
  readonly body: string;
}

export type CommentResult = 'created' | 'edited' | 'same';

type Comments = Pick<Forge, 'comments' | 'addComment' | 'editComment' | 'deleteComment'>;

/**
 * Maintains one comment on a request: creates it once, then edits it. The author and the marker in
 * the first line identify it, on any page. Two concurrent jobs or a lost answer may create a second
 * one: the oldest stays and our others are deleted.
 */
export async function keepComment(forge: Comments, wanted: StickyComment): Promise<CommentResult> {
  const found = await marked(forge, wanted);
  if (found.length > 0) return settle(forge, wanted, found);
  await forge.addComment(wanted.number, wanted.body);
  const after = await marked(forge, wanted);
  if (after.length > 1) await settle(forge, wanted, after);
  return 'created';
}

/**
 * Puts a text below the marker of each of our comments whose marker has this prefix, except the
 * current ones; returns their number. A reviewer then does not read a plan of an older commit.
 */
export async function supersede(
  forge: Comments,
  at: Pick<StickyComment, 'number'> & {
    readonly markers: string;
    readonly keeps?: (body: string) => boolean;
  },
  below: string,
): Promise<number> {
  return amend(forge, at, (body) =>
    at.keeps?.(body) === true ? undefined : `${body.split('\n')[0]?.trim()}\n${below}`,
  );
}

/** Deletes each of our comments whose marker has this prefix and whose text is stale. */
export async function removeComments(
  forge: Comments,
  { number, markers }: Pick<StickyComment, 'number'> & { readonly markers: string },
  isStale: (body: string) => boolean,
): Promise<void> {
  for (const { id, body } of await forge.comments(number))
    if (body.startsWith(markers) && isStale(body)) await forge.deleteComment(number, id);
}

/**
 * Gives each of our comments whose marker has this prefix the text that `edit` makes of its own;
 * undefined leaves it. Returns how many have a text of `edit` now.
 */
export async function amend(
  forge: Comments,
  { number, markers }: Pick<StickyComment, 'number'> & { readonly markers: string },
  edit: (body: string) => string | undefined,
): Promise<number> {
  let edited = 0;
  for (const { id, body } of await forge.comments(number)) {
    // Further down a marker may be quoted or forged.
    const text = body.startsWith(markers) ? edit(body) : undefined;
    if (text === undefined) continue;
    edited += 1;
    if (!sameText(body, text)) await forge.editComment(number, id, text);
  }
  return edited;
}

async function settle(
  forge: Comments,
  { number, body }: StickyComment,
  [own, ...others]: readonly PostedText[],
): Promise<CommentResult> {
  if (!own) return 'same';
  const isSame = sameText(own.body, body);
  if (!isSame) await forge.editComment(number, own.id, body);
  for (const { id } of others) await forge.deleteComment(number, id);
  return isSame ? 'same' : 'edited';
}

async function marked(
  forge: Comments,
  { number, marker }: Pick<StickyComment, 'number' | 'marker'>,
): Promise<readonly PostedText[]> {
  return (await forge.comments(number)).filter(({ body }) => firstLine(body) === marker);
}

export interface StickyIssue {
  /** The first line of our issue. */
  readonly marker: string;
  readonly title: string;
  readonly body: string;
  /** Whether the issue should be open. */
  readonly isOpen: boolean;
}

export type IssueResult = 'opened' | 'edited' | 'same' | 'closed' | 'none';

/**
 * Maintains one issue: opens it, edits it in place, and closes it with its last text. An edit sends
 * no mail, so scheduled runs make no noise. If concurrent jobs opened several, the oldest stays.
 */
export async function keepIssue(
  forge: Pick<Forge, 'openIssues' | 'addIssue' | 'editIssue'>,
  { marker, title, body, isOpen }: StickyIssue,
): Promise<IssueResult> {
  const ours = (await forge.openIssues()).filter((each) => firstLine(each.body) === marker);
  const [own, ...others] = ours;
  for (const other of others) await forge.editIssue(other.id, other, false);
  const text = { title, body };
  if (!own) {
    if (!isOpen) return 'none';
    await forge.addIssue(text);
    return 'opened';
  }
  if (isOpen && own.title === title && sameText(own.body, body)) return 'same';
  await forge.editIssue(own.id, text, isOpen);
  return isOpen ? 'edited' : 'closed';
}
