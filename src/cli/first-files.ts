import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../model/device.ts';
import { jsonText } from '../render/sinks.ts';

/** What is known of a repository before its first document. */
export interface Found {
  readonly baseUrl?: string;
  readonly organization?: string;
  /** The branch that is applied. */
  readonly branch: string;
  /** Sites of the service; empty where nobody could be asked. */
  readonly sites: readonly Site[];
  /** The folder of the documents, as it is called from the root of the repository. */
  readonly fleet: string;
  /** The repository is the one of the tool: it is built there instead of installed. */
  readonly isOwn: boolean;
}

/** A file to be written, by its path from the root of the repository. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

const TEMPLATES = new URL('../../templates/', import.meta.url);
const WORKFLOWS = ['fleet-plan', 'fleet-comment', 'fleet-apply', 'fleet-drift'] as const;
const INSTALL = 'run: npm ci --ignore-scripts --no-audit --no-fund';

/**
 * The files of a first fleet: documents that validate, and the workflows that plan, comment, apply
 * and look for drift. Values come in as JSON, which YAML reads as a quoted text whatever is in it.
 */
export function firstFiles(found: Found): readonly FirstFile[] {
  return [
    { path: join(found.fleet, 'service.yaml'), text: serviceText(found) },
    { path: join(found.fleet, 'sites.yaml'), text: sitesText(found) },
    { path: join(found.fleet, 'policies.yaml'), text: template('fleet/policies.yaml') },
    ...workflowFiles(found),
  ];
}

/** The workflows alone. */
export function workflowFiles(
  found: Pick<Found, 'branch' | 'fleet' | 'isOwn'>,
): readonly FirstFile[] {
  return WORKFLOWS.map((name) => ({
    path: join('.github', 'workflows', `${name}.yml`),
    text: workflowText(template(`workflows/${name}.yml`), found),
  }));
}

function workflowText(
  text: string,
  { branch, fleet, isOwn }: Pick<Found, 'branch' | 'fleet' | 'isOwn'>,
): string {
  const named = fleet === 'fleet' ? text : withFolder(text, fleet);
  const branched =
    branch === 'main'
      ? named
      : named.replaceAll('branches: [main]', () => `branches: [${jsonText(branch, 0)}]`);
  if (!isOwn) return branched;
  return branched
    .replaceAll('node_modules/fleetform/dist/main.js', 'dist/main.js')
    .replaceAll(INSTALL, `${INSTALL} && npm run build`);
}

/** Another folder than `fleet`: its name reaches the commands by the environment, as all names do. */
function withFolder(text: string, fleet: string): string {
  return text
    .replaceAll('"fleet/**"', () => jsonText(`${fleet}/**`, 0))
    .replace(/^( +)(FLEETFORM: .*\n)/gm, (line, indent: string) => {
      return `${line}${indent}FLEET: ${jsonText(fleet, 0)}\n`;
    })
    .replace(
      /exec node "\$FLEETFORM" ci (?:plan|apply|drift)\b/g,
      (command) => `${command} --fleet "$FLEET"`,
    );
}

function serviceText({ baseUrl, organization }: Found): string {
  const text = template('fleet/service.yaml');
  const addressed =
    baseUrl === undefined
      ? text.replace('# FLEETFORM_BASE_URL', '# FILL IN; FLEETFORM_BASE_URL')
      : text.replace('https://api.example.com', () => jsonText(baseUrl, 0));
  return organization === undefined
    ? addressed.replace('organization: acme', 'organization: acme # FILL IN')
    : addressed.replace('organization: acme', () => `organization: ${jsonText(organization, 0)}`);
}

function sitesText({ sites }: Found): string {
  const text = template('fleet/sites.yaml');
  const names = [...new Set(sites.map(({ id, name }) => name ?? id))].sort();
  if (names.length === 0) return text;
  const lines = names.map((name) => `  ${jsonText(name, 0)}: {} # FILL IN {timeZone: ...}\n`);
  return text.replace('sites: {}\n', () => `sites:\n${lines.join('')}`);
}

function template(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), 'utf8');
}
