import { sha256 } from '../../lib/canonical.ts';
import { escapeInvisible } from '../sinks/sinks.ts';
import type { LineNote } from './annotations.ts';

/** GitLab's levels, from `info` to `blocker`. */
const SEVERITIES = { error: 'critical', warning: 'major', notice: 'info' } as const;

/**
 * Notes on lines as a report of code quality, which GitLab shows on a merge request and compares
 * with that of the target branch by fingerprint. A note without a line is left out, because GitLab
 * wants a place for each; the merge-request note has it. Paths start at the root of the repository, in
 * which the documents are named from `folder`; empty for the root.
 */
export function codeQualityJson(notes: readonly LineNote[], folder: string): string {
  const seen = new Map<string, number>();
  const issues = notes.flatMap(({ kind, at, title, text }) => {
    if (!at) return [];
    const path = folder === '' ? at.file : `${folder}/${at.file}`;
    const key = JSON.stringify([path, title, text]);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return [
      {
        description: escapeInvisible(`${title}: ${text}`),
        check_name: kind === 'notice' ? 'fleetform-plan' : 'fleetform',
        fingerprint: sha256(`${key} ${nth}`),
        severity: SEVERITIES[kind],
        location: { path, lines: { begin: at.line } },
      },
    ];
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
