import { join, posix } from 'node:path';
import { jsonText } from '../render/sinks/sinks.ts';
import {
  readTemplate,
  withFleetVariable,
  withOwnTool,
  type FirstFile,
  type RepositoryFacts,
} from './template.ts';

/** The file that has all jobs; the pipeline of the repository includes it. */
export const GITLAB_JOBS = '.gitlab/fleetform.gitlab-ci.yml';

/** A path in a job that starts at the root of the repository: what it keeps, or what starts it. */
const PATHS = /"(package-lock\.json|(?:fleetform|fleet\.|gl-)[\w.-]+)"/g;

/**
 * A pipeline that includes the jobs, the jobs, and who reviews what. Updates are left to the tool that the
 * project uses: GitLab has none of its own.
 */
export function gitlabFiles(found: RepositoryFacts): readonly FirstFile[] {
  const { home, fleet } = found;
  const owners = readTemplate('gitlab/CODEOWNERS');
  const folder = `/${posix.join(home, fleet)}/`.replaceAll(' ', '\\ ');
  return [
    {
      path: '.gitlab-ci.yml',
      text: withBranch(readTemplate('gitlab/gitlab-ci.yml'), found),
      isShared: true,
    },
    { path: join(GITLAB_JOBS), text: jobsText(found) },
    {
      path: join('.gitlab', 'CODEOWNERS'),
      text: owners.replace('/fleet/', () => folder),
      isShared: true,
    },
  ];
}

function jobsText(found: RepositoryFacts): string {
  const { approval, home, fleet, isOwn } = found;
  const gate = approval === 'plan' ? readTemplate('gitlab/approve.yml') : '';
  const text = withBranch(`${readTemplate('gitlab/jobs.yml')}${gate}`, found);
  const watched = text.replaceAll('"fleet/**/*"', () =>
    jsonText(posix.join(home, fleet, '**/*'), 0),
  );
  const named = fleet === 'fleet' ? watched : withFolder(watched, fleet);
  const housed = home === '' ? named : withHome(named, home);
  return isOwn ? withOwnTool(housed) : housed;
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
