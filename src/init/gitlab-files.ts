import { join, posix } from 'node:path';
import {
  fleetInclude,
  fleetJobs,
  GITLAB_APPLY_JOBS,
  GITLAB_FLEET_JOBS,
  GITLAB_JOBS,
  sharedJobs,
} from './gitlab-fleets.ts';
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
