import type { Forge } from './forge-port.ts';
import { firstLine, sameText } from './texts.ts';

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
