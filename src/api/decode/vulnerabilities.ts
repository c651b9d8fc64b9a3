import type { Dialect } from '../../model/fleet/dialect.ts';
import { known, member, part, shownText } from './fields.ts';
import { isObject } from '../../lib/objects.ts';

/** One CVE of a device. An entry without an ID has an empty one. */
export interface Vulnerability {
  readonly cve: string;
  readonly severity?: string;
}

/**
 * The vulnerabilities in the answer of a device; `unreadable` where it is no list, or an entry is
 * no object. An entry without a CVE counts, too.
 */
export function decodeVulnerabilities(
  answer: unknown,
  { vulnerabilitiesListField }: Dialect,
): readonly Vulnerability[] | 'unreadable' {
  const found = Array.isArray(answer) ? answer : part(vulnerabilitiesListField)(answer);
  if (!Array.isArray(found) || !found.every(isObject)) return 'unreadable';
  return found.map((row) => {
    const severity = known(shownText(member(row, 'severity')));
    const cve = known(shownText(member(row, 'cveId'))) ?? '';
    return { cve, ...(severity !== undefined && { severity }) };
  });
}
