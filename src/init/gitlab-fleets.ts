import { posix } from 'node:path';
import { jsonText } from '../lib/json-text.ts';
import {
  readTemplate,
  sharedPins,
  variableLines,
  withFleetVariable,
  type RepositoryFacts,
} from './template.ts';

/** The jobs of one organization of several; each includes it with its name. */
export const GITLAB_FLEET_JOBS = '.gitlab/fleetform-fleet.gitlab-ci.yml';

/** The name of the organization, which GitLab puts in when it includes the jobs. */
const NAME = '$[[ inputs.fleet ]]';

const SHARED = new Set(['.fleetform', '.fleetform-read', 'fleet-comment']);

/** Plans of all organizations, each kept by its own job. */
const PLANS = 'plans/*/fleetform-plan.json';

/** A job name in a key, a list, a group or an environment. */
const NAMES = 'plan|work|apply|outcome|drift-issue|drift|pause|unpause|ground|move|look|approve';
const JOB = new RegExp(
  `(?<=^|\\[|, |: )(\\.fleetform-apply|fleet-(?:${NAMES}))(?=:$|\\]|$| #)`,
  'gm',
);

/** What all organizations share: templates, and the job that posts the plans once all are made. */
export function sharedJobs(jobs: string, fleets: string): string {
  const blocks = splitJobs(jobs).filter(({ name }) => SHARED.has(name));
  const text = blocks.map((block) => block.text).join('\n');
  return `${readTemplate('gitlab/fleets-head.yml')}${text}`
    .replace(/^# Posts the plan as one note and edits it after each push\./m, () => {
      return '# Posts each plan as a note of its own and edits it after each push, once all are made.';
    })
    .replace(
      '  stage: test\n  needs: [fleet-plan]\n  timeout: 10m',
      '  stage: deploy\n  timeout: 10m',
    )
    .replace(
      'ci publish --plan fleetform-plan.json',
      () => `ci publish --fleet ${jsonText(fleets, 0)} --plan ${PLANS}`,
    );
}

/**
 * The jobs of one organization, for any name: its folder, its environments and its groups. A long night of one holds
 * up no other.
 */
export function fleetJobs(
  jobs: string,
  found: Pick<RepositoryFacts, 'home' | 'fleet' | 'pins'>,
): string {
  const { home, fleet } = found;
  const folder = posix.join(posix.dirname(fleet), NAME);
  const pinned = variableLines('    ', sharedPins(found, NAME));
  const blocks = splitJobs(jobs).filter(({ name }) => !SHARED.has(name));
  const named = blocks
    .map(({ text }) => withVariables(withEnvironment(text), pinned))
    .join('\n')
    .replace(JOB, (name) => `"${name}-${NAME}"`)
    .replace(/^( +)name: fleet$/gm, `$1name: "fleet-${NAME}"`)
    .replaceAll('"fleet/**/*"', () => jsonText(posix.join(home, folder, '**/*'), 0));
  return `${readTemplate('gitlab/fleet-head.yml')}${withArtifacts(withFleetVariable(named))
    .replaceAll('"$FLEET"', () => jsonText(folder, 0))
    .replaceAll('$FLEETFORM_LOOK == "on"', () => `$FLEETFORM_LOOK == "on" && ${chosen}`)
    .replaceAll(
      /(&& \$FLEETFORM_(?:PAUSE|UNPAUSE|MOVE)) &&/g,
      (_, asked: string) => `${asked} && ${chosen} &&`,
    )}`;
}

/** A pipeline that a person starts names the organization. */
const chosen = `$FLEETFORM_FLEET == "${NAME}"`;

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

/** Jobs that use the ledger have the variables; those that only post have their own. */
function withVariables(text: string, variables: string): string {
  if (variables === '' || /^ {2}variables:/m.test(text)) return text;
  return text.replace(/^ {2}timeout: .*\n/m, (line) => `${line}  variables:\n${variables}`);
}

/** Artifacts are found by the organization, and its plan has a place of its own for the note. */
function withArtifacts(text: string): string {
  return text
    .replace('--find-snapshot\n', () => `--find-snapshot --artifact "fleetform-snapshot-${NAME}"\n`)
    .replace(
      /(ci look [^\n]*--find-reviewed)/,
      (call) => `${call} --artifact "fleetform-plan-${NAME}"`,
    )
    .replace(
      /^( +- )(node "\$FLEETFORM" ci plan (?!--find)[^\n]*)\n/m,
      (_, dash: string, call: string) => {
        const place = `"plans/${NAME}"`;
        return `${dash}mkdir -p ${place}\n${dash}${call}\n`;
      },
    )
    .replaceAll('fleetform-plan.json --report', `"plans/${NAME}/fleetform-plan.json" --report`)
    .replace(
      '      - "fleetform-plan.json"\n',
      () => `      - "plans/${NAME}/fleetform-plan.json"\n`,
    )
    .replace(/( +codequality: .*\n) +dotenv: .*\n/, '$1');
}
