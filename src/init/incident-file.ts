import { formatInstant } from '../lib/time.ts';
import type { Incident } from '../model/documents/policy.ts';

export interface IncidentFacts extends Incident {
  readonly rotate: 'password' | 'certificate';
  /** Names or globs of sites, at least one. */
  readonly sites: readonly string[];
  readonly deviceType?: string;
}

/** The document of one incident, as a file of at most 12 lines (semantics N54). */
export function incidentFile(facts: IncidentFacts): string {
  const { name, rotate, sites, deviceType, since, until, expect, reason, owner, ticket } = facts;
  const [first = '', ...others] = sites.map(quoted);
  const keys = [
    `site: ${others.length === 0 ? first : `[${[first, ...others].join(', ')}]`}`,
    ...(deviceType === undefined ? [] : [`deviceType: ${quoted(deviceType)}`]),
  ];
  const lines = [
    'incidents:',
    `  ${name}:`,
    `    rotate: ${rotate}`,
    `    select: {${keys.join(', ')}}`,
    `    since: "${formatInstant(since)}"`,
    `    until: "${formatInstant(until)}"`,
    `    expect: ${expect}`,
    `    reason: ${quoted(reason)}`,
    `    owner: ${quoted(owner)}`,
    `    ticket: ${quoted(ticket)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The name of an incident at a site: its lower-case letters and digits, and what is rotated. */
export function incidentName(site: string, rotate: IncidentFacts['rotate']): string {
  const words = site.toLowerCase().match(/[a-z0-9]+/g) ?? ['site'];
  return `${words.join('-').slice(0, 50)}-${rotate}s`;
}

/** A text that YAML reads as this text, whatever is in it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
