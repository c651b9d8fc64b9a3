/** Quick actions that GitLab knows; each changes a merge request or an issue in the author's name. */
const ACTIONS =
  'approve|assign|assign_reviewer|close|confidential|copy_metadata|done|draft|due|duplicate|estimate|label|lock|merge|milestone|move|promote|ready|rebase|relabel|reopen|request_review|submit_review|spend|subscribe|target_branch|title|todo|unapprove|unlabel|unlock|weight|zoom';

/** The lines of a text that GitLab obeys: at the start of a line, outside of blocks of code. */
export function quickActionsIn(text: string): readonly string[] {
  const plain = text.replaceAll('\r', '').replaceAll(/^```[\s\S]*?^```$/gm, '');
  return plain.match(new RegExp(`^/(?:${ACTIONS})(?= |$).*`, 'gim')) ?? [];
}

/** Whom a text notifies: names after an @, outside of code. */
export function mentionsIn(text: string): readonly string[] {
  const plain = text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  return plain.match(/(?<![\w.])@[\w.-]+/g) ?? [];
}
