import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Site } from '../model/fleet/device.ts';
import { jsonText } from '../render/sinks/sinks.ts';

/** Facts about a repository before its first document. */
export interface RepositoryFacts {
  readonly baseUrl?: string;
  readonly organization?: string;
  /** The branch that CI applies. */
  readonly branch: string;
  /** Sites of the service; empty without access to it. */
  readonly sites: readonly Site[];
  /**
   * The folder in which fleetform is installed and run, from the repository root; empty for the
   * root.
   */
  readonly home: string;
  /** The folder of the documents, relative to `home`. */
  readonly fleet: string;
  /** Whether this is the repository of fleetform itself, which is built instead of installed. */
  readonly isOwn: boolean;
  /** What an approval is; absent: the commit. */
  readonly approval?: 'commit' | 'plan';
  /** The time zone of every site; absent: a person fills it in. */
  readonly timeZone?: string;
}

/** A file to write; the path starts at the repository root. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

const TEMPLATES = new URL('./templates/', import.meta.url);
const WORKFLOWS = [
  'fleet-plan',
  'fleet-comment',
  'fleet-apply',
  'fleet-drift',
  'fleet-resume',
] as const;

/** The workflow of the gate, where a plan is the approval (semantics N74). */
const GATE = 'fleet-approve';
const INSTALL = 'run: npm ci --ignore-scripts --no-audit --no-fund';

/**
 * The files of a first fleet: valid documents, and the workflows that plan, comment, apply and
 * check for drift. Values are inserted as JSON, which YAML reads as quoted strings.
 */
export function firstFiles(found: RepositoryFacts): readonly FirstFile[] {
  return [
    { path: join(found.home, found.fleet, 'service.yaml'), text: serviceText(found) },
    { path: join(found.home, found.fleet, 'sites.yaml'), text: sitesText(found) },
    { path: join(found.home, found.fleet, 'policies.yaml'), text: documentText('policies', found) },
    ...workflowFiles(found),
    ...repositoryFiles(found),
  ];
}

/** Updates of the tool and of the actions, and who reviews what. */
function repositoryFiles({ home, fleet }: RepositoryFacts): readonly FirstFile[] {
  const updates = template('github/dependabot.yml');
  const owners = template('github/CODEOWNERS');
  const folder = `/${posix.join(home, fleet)}/`;
  const npm = jsonText(`/${home}`, 0);
  return [
    {
      path: join('.github', 'dependabot.yml'),
      text: updates.replace(/(npm\n +directory: )"\/"/, (_, key: string) => key + npm),
    },
    {
      path: join('.github', 'CODEOWNERS'),
      text: owners.replace('/fleet/', () => folder.replaceAll(' ', '\\ ')),
    },
  ];
}

type Workflows = Pick<RepositoryFacts, 'approval' | 'branch' | 'home' | 'fleet' | 'isOwn'>;

/** Only the workflows. */
export function workflowFiles(found: Workflows): readonly FirstFile[] {
  const names = found.approval === 'plan' ? [...WORKFLOWS, GATE] : WORKFLOWS;
  return names.map((name) => ({
    path: join('.github', 'workflows', `${name}.yml`),
    text: workflowText(template(`workflows/${name}.yml`), found),
  }));
}

function workflowText(text: string, { branch, home, fleet, isOwn }: Workflows): string {
  const housed = home === '' ? text : withHome(text, home);
  const named = fleet === 'fleet' ? housed : withFolder(housed, { home, fleet });
  const branched =
    branch === 'main'
      ? named
      : named.replaceAll('branches: [main]', () => `branches: [${jsonText(branch, 0)}]`);
  if (!isOwn) return branched;
  return branched
    .replaceAll('node_modules/fleetform/dist/main.js', 'dist/main.js')
    .replaceAll(INSTALL, `${INSTALL} && npm run build`);
}

/**
 * Adapts a workflow to a subfolder: its commands run there, and paths for other actions start at
 * the root.
 */
function withHome(text: string, home: string): string {
  const below = (path: string): string => jsonText(posix.join(home, path), 0);
  return text
    .replaceAll('"fleet/**"', () => folderPattern(home, 'fleet'))
    .replaceAll('"package-lock.json"', () => below('package-lock.json'))
    .replace(/^( +)env:\n +FLEETFORM: .*\n/gm, (env, indent: string) => {
      const folder = `${indent}    working-directory: ${jsonText(home, 0)}\n`;
      return `${indent}defaults:\n${indent}  run:\n${folder}${env}`;
    })
    .replace(/^( +path: )(\S+)$/gm, (_, key: string, path: string) => key + below(path))
    .replace(
      /hashFiles\('([^']+)'\)/g,
      (_, file: string) => `hashFiles('${posix.join(home, file).replaceAll("'", "''")}')`,
    );
}

function folderPattern(home: string, fleet: string): string {
  return jsonText(posix.join(home, `${fleet}/**`), 0);
}

/**
 * Adapts a workflow to a folder other than `fleet`. The name reaches commands in the environment,
 * as all names do.
 */
function withFolder(
  text: string,
  { home, fleet }: Pick<RepositoryFacts, 'home' | 'fleet'>,
): string {
  return text
    .replaceAll(folderPattern(home, 'fleet'), () => folderPattern(home, fleet))
    .replace(/^( +)(FLEETFORM: .*\n)/gm, (line, indent: string) => {
      return `${line}${indent}FLEET: ${jsonText(fleet, 0)}\n`;
    })
    .replace(
      /exec node "\$FLEETFORM" ci (?:plan|apply|drift)\b/g,
      (command) => `${command} --fleet "$FLEET"`,
    );
}

/** A first document; the line for editors names the schema of the installed package by its path. */
function documentText(name: string, { fleet, isOwn }: RepositoryFacts): string {
  const schemas = posix.relative(fleet, isOwn ? 'schemas' : 'node_modules/fleetform/schemas');
  const text = template(`fleet/${name}.yaml`);
  return text.replace('../node_modules/fleetform/schemas', () => schemas);
}

function serviceText(found: RepositoryFacts): string {
  const { baseUrl, organization, approval } = found;
  const plain = documentText('service', found);
  const text = approval === 'plan' ? `${plain}${GATED}` : plain;
  const addressed =
    baseUrl === undefined
      ? text.replace('# FLEETFORM_BASE_URL', '# FILL IN; FLEETFORM_BASE_URL')
      : text.replace('https://api.example.com', () => jsonText(baseUrl, 0));
  return organization === undefined
    ? addressed.replace('organization: acme', 'organization: acme # FILL IN')
    : addressed.replace('organization: acme', () => `organization: ${jsonText(organization, 0)}`);
}

/** What `service` says beside where a plan is the approval. */
const GATED = `  # Changes start once a person let their plan through the gate of fleet-approve.yml.
  approval: {is: plan, expires: 30d}
`;

function sitesText(found: RepositoryFacts): string {
  const text = documentText('sites', found);
  const { sites, timeZone } = found;
  const names = [...new Set(sites.map(({ id, name }) => name ?? id))].sort();
  if (names.length === 0) return text;
  const zone = timeZone === undefined ? '{} # FILL IN {timeZone: ...}' : `{timeZone: ${timeZone}}`;
  const lines = names.map((name) => `  ${jsonText(name, 0)}: ${zone}\n`);
  const filled = timeZone === undefined ? text : text.replace(/^# FILL IN: .*\n/m, '');
  return filled.replace('sites: {}\n', () => `sites:\n${lines.join('')}`);
}

function template(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), 'utf8');
}
