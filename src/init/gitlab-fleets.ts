import { posix } from 'node:path';
import { jsonText } from '../lib/json-text.ts';
import {
  readTemplate,
  sharedPins,
  variableLines,
  withFleetVariable,
  type RepositoryFacts,
} from './template.ts';

/** The file that has all jobs, or what several organizations share; the pipeline of the repository includes it. */
export const GITLAB_JOBS = '.gitlab/fleetform.gitlab-ci.yml';

/** The jobs of one organization of several; each includes it with its name. */
export const GITLAB_FLEET_JOBS = '.gitlab/fleetform-fleet.gitlab-ci.yml';

/** The jobs that apply one organization; the pipeline of those with work includes it with each name. */
export const GITLAB_APPLY_JOBS = '.gitlab/fleetform-apply.gitlab-ci.yml';

/** The name of the organization, which GitLab puts in when it includes the jobs. */
const NAME = '$[[ inputs.fleet ]]';

const SHARED = new Set([
  '.fleetform',
  '.fleetform-read',
  '.fleetform-apply',
  'fleet-comment',
  'fleet-work',
  'fleet-apply-pipeline',
]);

const APPLYING = new Set(['fleet-apply', 'fleet-outcome']);

/** A job name in a key, a list, a group or an environment. */
const NAMES = 'plan|apply|outcome|drift-issue|drift|pause|unpause|ground|move|look|approve';
const JOB = new RegExp(`(?<=^|\\[|, |: )(fleet-(?:${NAMES}))(?=:$|\\]|$| #)`, 'gm');

/** What all organizations share: templates, and the jobs that post their plans and find those that have work. */
export function sharedJobs(jobs: string, fleets: string): string {
  const blocks = splitJobs(jobs).filter(({ name }) => SHARED.has(name));
  const text = blocks.map((block) => block.text).join('\n');
  const head = readTemplate('gitlab/fleets-head.yml');
  return `${head}${text}`.replaceAll('FLEETS_FOLDER', () => jsonText(fleets, 0));
}

/**
 * The child pipeline that applies these organizations, in as many rows as may run at once. A pipeline needs a job: without
 * any organization it is one that says so.
 */
export function applyPipeline(fleets: readonly { name: string }[], rows: number): string {
  const jobs = fleets.map(({ name }, n) => {
    const inputs = { fleet: name, after: fleets[n - rows]?.name ?? '' };
    return `  - local: ${GITLAB_APPLY_JOBS}\n    inputs: ${jsonText(inputs, 0)}\n`;
  });
  if (jobs.length === 0) return 'no-organization-has-work: {script: ["true"]}\n';
  return `include:\n  - local: ${GITLAB_JOBS}\n${jobs.join('')}`;
}

/**
 * The jobs of one organization, for any name: its folder, its environments and its groups. Those that apply it are apart:
 * each waits for the one before in its row. A long night of one holds up no other.
 */
export function fleetJobs(
  jobs: string,
  { home, fleet, pins }: Pick<RepositoryFacts, 'home' | 'fleet' | 'pins'>,
  kind: 'fleet' | 'apply',
): string {
  const folder = posix.join(posix.dirname(fleet), NAME);
  const pinned = variableLines('    ', sharedPins({ fleet, ...(pins && { pins }) }, NAME));
  const blocks = splitJobs(jobs).filter(
    ({ name }) => !SHARED.has(name) && APPLYING.has(name) === (kind === 'apply'),
  );
  const named = blocks
    .map(({ text }) => withVariables(withEnvironment(text), pinned))
    .join('\n')
    .replace(JOB, (name) => `"${name}-${NAME}"`)
    .replace('fleet-apply-AFTER', '"fleet-apply-$[[ inputs.after ]]"')
    .replace(/^( +)name: fleet$/gm, `$1name: "fleet-${NAME}"`)
    .replaceAll('"fleet/**/*"', () => jsonText(posix.join(home, folder, '**/*'), 0));
  return `${readTemplate(`gitlab/${kind}-head.yml`)}${withFleetVariable(named)}`
    .replaceAll('"$FLEET"', () => jsonText(folder, 0))
    .replaceAll('FLEET_NAME', () => NAME);
}

export function fleetInclude(name: string): string {
  return `# Written by \`fleetform init --ci gitlab\`. The jobs of this organization.
include:
  - local: ${GITLAB_FLEET_JOBS}
    inputs:
      fleet: ${jsonText(name, 0)}
`;
}

interface Block {
  readonly name: string;
  readonly text: string;
}

/** The jobs of a file, each with the comment above it. */
function splitJobs(jobs: string): readonly Block[] {
  return jobs.split(/\n\n(?=[#.\w])/).flatMap((text) => {
    const name = /^([.\w-]+):$/m.exec(text)?.[1];
    const isHead = name === '.fleetform';
    const own = isHead ? text.slice(text.indexOf('.fleetform:')) : text.replace(/^\n+/, '');
    return name === undefined ? [] : [{ name, text: `${own.replace(/\n+$/, '')}\n` }];
  });
}

/** Jobs that read get the credentials of their organization from an environment of its own. */
function withEnvironment(text: string): string {
  if (!/extends: (?:\.fleetform-read|\[\.fleetform-read)/.test(text) || /environment:/.test(text))
    return text;
  const own = [
    '  environment: # the read-only credentials of this organization',
    `    name: "fleet-read-${NAME}"`,
    '    action: access',
    '',
  ].join('\n');
  return text.replace(/^( {2}timeout: .*\n)/m, (line) => `${line}${own}`);
}

/** Jobs that use the ledger have the variables, before their own; those that only post, of one commit, do not. */
function withVariables(text: string, variables: string): string {
  if (variables === '' || text.includes('GIT_DEPTH: "1"')) return text;
  const own = /^ {2}variables:\n/m;
  if (own.test(text)) return text.replace(own, (line) => `${line}${variables}`);
  return text.replace(/^ {2}timeout: .*\n/m, (line) => `${line}  variables:\n${variables}`);
}
