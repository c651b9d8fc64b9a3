import { join, posix } from 'node:path';
import { jsonText } from '../lib/json-text.ts';
import {
  fleetName,
  ownersText,
  pinVariables,
  readMarked,
  readTemplate,
  variableLines,
  withFleetVariable,
  withOwnTool,
  type FirstFile,
  type RepositoryFacts,
  sharedPins,
} from './template.ts';

/** A path in a job that starts at the root of the repository: what it keeps, or what starts it. */
const PATHS =
  /(?<!-- node [^\n]*)"(package\.json|package-lock\.json|\.npmrc|plans\/[^"]+\.json|(?:fleetform|fleet\.|gl-)[\w.-]+)"/g;

/**
 * A pipeline that includes the jobs, the jobs, and who reviews what. Updates are left to the tool that the
 * project uses: GitLab has none of its own.
 */
export function gitlabFiles(found: RepositoryFacts): readonly FirstFile[] {
  const name = fleetName(found);
  const pipeline = withBranch(readTemplate('gitlab/gitlab-ci.yml'), found);
  return [
    {
      path: '.gitlab-ci.yml',
      text:
        name === undefined
          ? pipeline
          : pipeline.replace(`${GITLAB_JOBS}\n`, (jobs) => `${jobs}  - local: ${FLEETS_FILES}\n`),
    },
    ...(name === undefined
      ? [{ path: GITLAB_JOBS, text: jobsText(found) }]
      : fleetFiles(found, name)),
    { path: join('.gitlab', 'CODEOWNERS'), text: ownersText('gitlab/CODEOWNERS', found) },
  ];
}

/** One file for each organization, which names it to the jobs. */
const FLEETS_FILES = '.gitlab/fleets/*.yml';

/**
 * Documents in `fleet/NAME` are those of one organization of several (decision 0095): the jobs stand in one file for
 * all, and a small file for each includes them with its name.
 */
function fleetFiles(found: RepositoryFacts, name: string): readonly FirstFile[] {
  const { home, fleet, isOwn } = found;
  const jobs = templateText(found);
  const placed = (text: string): string => {
    const housed = home === '' ? text : withHome(text, home);
    return isOwn ? withOwnTool(housed) : housed;
  };
  const watched = jsonText(posix.join(home, posix.dirname(fleet), '**/*'), 0);
  const shared = sharedJobs(jobs, posix.dirname(fleet)).replaceAll('"fleet/**/*"', () => watched);
  return [
    { path: GITLAB_JOBS, text: placed(shared) },
    { path: GITLAB_FLEET_JOBS, text: placed(fleetJobs(jobs, found, 'fleet')) },
    { path: GITLAB_APPLY_JOBS, text: placed(fleetJobs(jobs, found, 'apply')) },
    { path: `.gitlab/fleets/${name}.yml`, text: fleetInclude(name) },
  ];
}

function templateText(found: RepositoryFacts): string {
  const isOfAll = fleetName(found) !== undefined;
  const gate = found.approval === 'plan' ? readMarked('gitlab/approve.yml', isOfAll) : '';
  return withBranch(`${readMarked('gitlab/jobs.yml', isOfAll)}${gate}`, found);
}

function jobsText(found: RepositoryFacts): string {
  const { home, fleet, isOwn } = found;
  const text = templateText(found);
  const watched = text.replaceAll('"fleet/**/*"', () =>
    jsonText(posix.join(home, fleet, '**/*'), 0),
  );
  const named = fleet === 'fleet' ? watched : withFolder(watched, fleet);
  const housed = home === '' ? named : withHome(named, home);
  const pinned = withPins(housed, found);
  return isOwn ? withOwnTool(pinned) : pinned;
}

/** The default branch is pinned where a person named it; else GitLab names it. */
function withPins(text: string, { pins }: RepositoryFacts): string {
  if (!pins) return text;
  return text.replace(/^( +)FLEETFORM: .*\n/m, (line, indent: string) => {
    const lines = variableLines(indent, pinVariables(pins));
    return `${line}${indent}# Documents that differ stop the jobs.\n${lines}`;
  });
}

/** Without a named branch it is the one that GitLab calls the default. */
function withBranch(text: string, { branch, isBranchNamed }: RepositoryFacts): string {
  if (!isBranchNamed) return text;
  const name = jsonText(branch, 0);
  const named = text.replace(/^( +)FLEETFORM: .*\n/m, (line, indent: string) => {
    return `${line}${indent}FLEETFORM_BRANCH: ${name}\n`;
  });
  return named.replaceAll('$CI_DEFAULT_BRANCH', () => name);
}

/** The name reaches commands in the environment. */
function withFolder(text: string, fleet: string): string {
  return withFleetVariable(text).replace(/^( +)FLEETFORM: .*\n/m, (line, indent: string) => {
    return `${line}${indent}FLEET: ${jsonText(fleet, 0)}\n`;
  });
}

/** Commands run in the subfolder; paths of GitLab start at the root. */
function withHome(text: string, home: string): string {
  const change = jsonText(`cd '${home.replaceAll("'", `'\\''`)}'`, 0);
  return text
    .replaceAll(
      /^( +)before_script:\n/gm,
      (line, indent: string) => `${line}${indent}  - ${change}\n`,
    )
    .replaceAll(PATHS, (_, path: string) => jsonText(posix.join(home, path), 0));
}

/** The file that has all jobs, or what several organizations share; the pipeline of the repository includes it. */
export const GITLAB_JOBS = '.gitlab/fleetform.gitlab-ci.yml';

/** The jobs of one organization of several; each includes it with its name. */
export const GITLAB_FLEET_JOBS = '.gitlab/fleetform-fleet.gitlab-ci.yml';

/** The jobs that apply one organization; the pipeline of those with work includes it with each name. */
const GITLAB_APPLY_JOBS = '.gitlab/fleetform-apply.gitlab-ci.yml';

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
function sharedJobs(jobs: string, fleets: string): string {
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
function fleetJobs(
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

function fleetInclude(name: string): string {
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
