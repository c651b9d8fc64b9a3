import { join, posix } from 'node:path';
import { forServer } from './other-server.ts';
import { jsonText } from '../lib/json-text.ts';
import {
  FLEETS,
  fleetName,
  ownersText,
  pinVariables,
  readTemplate,
  readWorkflow,
  sharedPins,
  variableLines,
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
  'fleet-pause',
  'fleet-unpause',
  'fleet-move',
] as const;

const INSTALL = /^( +)uses: \.\/\.github\/actions\/setup-fleetform\b.*\n/gm;

/** The workflow of the gate, where a plan is the approval (semantics N74). */
const GATE = 'fleet-approve';

/** Workflows of GitHub Actions, updates of what they use, and who reviews what. */
export function githubFiles(found: RepositoryFacts): readonly FirstFile[] {
  const files = [...workflowFiles(found), actionFile(), ...repositoryFiles(found)];
  return files.map((file) => ({ ...file, text: forServer(file.text, found.host) }));
}

/** The composite action by which every job installs fleetform. */
export function actionFile(): FirstFile {
  const path = 'actions/setup-fleetform/action.yml';
  return { path: join('.github', path), text: readTemplate(path) };
}

/** Updates of the tool and of the actions, and who reviews what. */
function repositoryFiles(found: RepositoryFacts): readonly FirstFile[] {
  const updates = readTemplate('github/dependabot.yml');
  const npm = jsonText(`/${found.home}`, 0);
  return [
    {
      path: join('.github', 'dependabot.yml'),
      text: updates.replace(/(npm\n +directory: )"\/"/, (_, key: string) => key + npm),
    },
    { path: join('.github', 'CODEOWNERS'), text: ownersText('github/CODEOWNERS', found) },
  ];
}

type Workflows = Pick<RepositoryFacts, 'approval' | 'branch' | 'home' | 'fleet' | 'isOwn' | 'pins'>;

/**
 * Only the workflows. Documents in `fleet/NAME` are those of one organization of several: the same
 * workflows then find each folder beside it, and its gate is a workflow of its own.
 */
export function workflowFiles(found: Workflows): readonly FirstFile[] {
  const name = fleetName(found);
  const isOfAll = name !== undefined;
  const all = WORKFLOWS.map((workflow) => ({
    name: workflow,
    text: workflowText(readWorkflow(workflow, isOfAll), found, { isOfAll }),
  }));
  // The gate of one fleet has environments and artifacts of its own.
  const gateText = readWorkflow(GATE, isOfAll).replaceAll('FLEET_NAME', () => name ?? '');
  const gate = {
    name: isOfAll ? `${GATE}-${name}` : GATE,
    text: workflowText(gateText, found, { isOfAll: false }),
  };
  return (found.approval === 'plan' ? [...all, gate] : all).map((file) => ({
    path: join('.github', 'workflows', `${file.name}.yml`),
    text: file.text,
  }));
}

function workflowText(
  text: string,
  found: Workflows,
  { isOfAll }: { readonly isOfAll: boolean },
): string {
  const { branch, home, fleet, isOwn } = found;
  const housed = home === '' ? text : withHome(text, home);
  const place = { home, fleet: isOfAll ? posix.dirname(fleet) : fleet };
  const named = isOfAll ? withFleets(housed, place) : withFolder(housed, place);
  const branched =
    branch === 'main'
      ? named
      : named.replaceAll('branches: [main]', () => `branches: [${jsonText(branch, 0)}]`);
  const pinned = withPins(branched, found, { isOfAll });
  return withInputs(isOwn ? withOwnTool(pinned) : pinned, { home, isOwn });
}

function withPins(
  text: string,
  found: Workflows,
  { isOfAll }: { readonly isOfAll: boolean },
): string {
  const { branch, pins } = found;
  if (!pins) return text;
  const own = isOfAll ? {} : pinVariables(pins);
  const lines = variableLines('  ', { ...own, FLEETFORM_BRANCH: branch });
  const each = sharedPins(found, '${{ matrix.fleet.name }}');
  return text
    .replace(
      'permissions: {}\n',
      (line) => `${line}env: # documents that differ stop the jobs\n${lines}`,
    )
    .replaceAll(
      /^( +)FLEET: \$\{\{.*\n/gm,
      (line, indent: string) => `${line}${variableLines(indent, each)}`,
    );
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
  if (fleet === 'fleet') return text;
  return withFleetVariable(text)
    .replaceAll(folderPattern(home, 'fleet'), () => folderPattern(home, fleet))
    .replace(/^( +)(FLEETFORM: .*\n)/gm, (line, indent: string) => {
      return `${line}${indent}FLEET: ${jsonText(fleet, 0)}\n`;
    });
}

/** Adapts a workflow of several fleets to a folder of them other than `fleet`. */
function withFleets(
  text: string,
  { home, fleet }: Pick<RepositoryFacts, 'home' | 'fleet'>,
): string {
  if (fleet === FLEETS) return text;
  return text
    .replaceAll(folderPattern(home, FLEETS), () => folderPattern(home, fleet))
    .replaceAll(/(FLEETS: )fleet\n/g, (_, key: string) => `${key}${jsonText(fleet, 0)}\n`);
}
