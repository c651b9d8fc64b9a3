import { join, posix } from 'node:path';
import { jsonText } from '../render/sinks/sinks.ts';
import {
  readTemplate,
  withFleetVariable,
  withOwnTool,
  type FirstFile,
  type RepositoryFacts,
} from './template.ts';

const WORKFLOWS = [
  'fleet-plan',
  'fleet-comment',
  'fleet-apply',
  'fleet-drift',
  'fleet-resume',
] as const;

/** The step that installs fleetform. */
const INSTALL = /^( +)uses: \.\/\.github\/actions\/setup-fleetform\b.*\n/gm;

/** The workflow of the gate, where a plan is the approval (semantics N74). */
const GATE = 'fleet-approve';

/** Workflows of GitHub Actions, updates of what they use, and who reviews what. */
export function githubFiles(found: RepositoryFacts): readonly FirstFile[] {
  return [...workflowFiles(found), actionFile(), ...repositoryFiles(found)];
}

/** The composite action by which every job installs fleetform. */
export function actionFile(): FirstFile {
  const path = 'actions/setup-fleetform/action.yml';
  return { path: join('.github', path), text: readTemplate(path) };
}

/** Updates of the tool and of the actions, and who reviews what. */
function repositoryFiles({ home, fleet }: RepositoryFacts): readonly FirstFile[] {
  const updates = readTemplate('github/dependabot.yml');
  const owners = readTemplate('github/CODEOWNERS');
  const folder = `/${posix.join(home, fleet)}/`;
  const npm = jsonText(`/${home}`, 0);
  return [
    {
      path: join('.github', 'dependabot.yml'),
      text: updates.replace(/(npm\n +directory: )"\/"/, (_, key: string) => key + npm),
      isShared: true,
    },
    {
      path: join('.github', 'CODEOWNERS'),
      text: owners.replace('/fleet/', () => folder.replaceAll(' ', '\\ ')),
      isShared: true,
    },
  ];
}

type Workflows = Pick<RepositoryFacts, 'approval' | 'branch' | 'home' | 'fleet' | 'isOwn'>;

/** Only the workflows. */
export function workflowFiles(found: Workflows): readonly FirstFile[] {
  const names = found.approval === 'plan' ? [...WORKFLOWS, GATE] : WORKFLOWS;
  return names.map((name) => ({
    path: join('.github', 'workflows', `${name}.yml`),
    text: workflowText(readTemplate(`workflows/${name}.yml`), found),
  }));
}

function workflowText(text: string, { branch, home, fleet, isOwn }: Workflows): string {
  const housed = home === '' ? text : withHome(text, home);
  const named = fleet === 'fleet' ? housed : withFolder(housed, { home, fleet });
  const branched =
    branch === 'main'
      ? named
      : named.replaceAll('branches: [main]', () => `branches: [${jsonText(branch, 0)}]`);
  return withInputs(isOwn ? withOwnTool(branched) : branched, { home, isOwn });
}

/** Tells the action what to install, and where. */
function withInputs(text: string, { home, isOwn }: Pick<Workflows, 'home' | 'isOwn'>): string {
  const inputs = [
    ...(isOwn ? ['from: checkout'] : []),
    ...(home === '' ? [] : [`working-directory: ${jsonText(home, 0)}`]),
  ];
  if (inputs.length === 0) return text;
  return text.replaceAll(INSTALL, (step, indent: string) => {
    return `${step}${indent}with:\n${inputs.map((input) => `${indent}  ${input}\n`).join('')}`;
  });
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
  return withFleetVariable(text)
    .replaceAll(folderPattern(home, 'fleet'), () => folderPattern(home, fleet))
    .replace(/^( +)(FLEETFORM: .*\n)/gm, (line, indent: string) => {
      return `${line}${indent}FLEET: ${jsonText(fleet, 0)}\n`;
    });
}
