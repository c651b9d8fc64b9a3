import type { GitHub } from './github.ts';
import { isBy, sameText, postedText, type PostedText } from './texts.ts';

export interface StickyIssue {
  readonly author: string;
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
export async function keepIssue(github: GitHub, wanted: StickyIssue): Promise<IssueResult> {
  const [own, ...others] = await ourIssues(github, wanted);
  for (const { number } of others)
    await github.send('PATCH', `issues/${number}`, { state: 'closed' });
  const { title, body, isOpen } = wanted;
  if (!own) {
    if (!isOpen) return 'none';
    await github.send('POST', 'issues', { title, body });
    return 'opened';
  }
  if (!isOpen) {
    await github.send('PATCH', `issues/${own.number}`, { title, body, state: 'closed' });
    return 'closed';
  }
  if (own.title === title && sameText(own.body, body)) return 'same';
  await github.send('PATCH', `issues/${own.number}`, { title, body });
  return 'edited';
}

/** Our open issues, oldest first. */
async function ourIssues(
  github: GitHub,
  { author, marker }: StickyIssue,
): Promise<readonly PostedText[]> {
  const path = `issues?state=open&creator=${encodeURIComponent(author)}`;
  const issues = (await github.list(path)).flatMap((row) => postedText(row) ?? []);
  return issues
    .filter((each) => !each.isPull && isBy(each, author))
    .filter(({ body }) => body.split(/\r?\n/)[0]?.trim() === marker)
    .sort((a, b) => a.number - b.number);
}
