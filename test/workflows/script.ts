import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtEntry } from '../support/blackbox-build.ts';
import type { Stage } from './runner.ts';
import type { Step } from './workflow.ts';

/**
 * Stands for the action that installs the tool: no registry is asked, and the command line is the one
 * built from these sources, where the workflow looks for it.
 */
export function install(from: string, entry: string, workspace: string): void {
  const place = from === 'checkout' ? 'dist/main.js' : 'node_modules/fleetform/dist/main.js';
  if (entry !== place) throw new Error(`from ${from} the tool is not in ${entry}`);
  const dist = dirname(join(workspace, entry));
  mkdirSync(dirname(dist), { recursive: true });
  symlinkSync(dirname(builtEntry()), dist);
}

/** Runs a script as a runner does; why it failed, or undefined. */
export async function bash(
  script: string,
  env: Readonly<Record<string, string>>,
  step: Step,
  { run, state }: Stage,
): Promise<string | undefined> {
  const { folder, machine, trigger, told, id } = run;
  const at = (name: string): string => join(folder, name);
  const output = at(`output-${told.steps.length}`);
  writeFileSync(at('step.sh'), script);
  writeFileSync(output, '');
  writeFileSync(at('event.json'), JSON.stringify(trigger.payload));
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', at('step.sh')], {
    cwd: state.workspace,
    env: {
      PATH: `${fakeGh(machine.root)}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      ARTIFACTS: join(machine.root, 'artifacts'),
      HOME: folder,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: state.workspace,
      GITHUB_REPOSITORY: machine.repository,
      GITHUB_API_URL: machine.api,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_EVENT_NAME: trigger.event,
      GITHUB_EVENT_PATH: at('event.json'),
      GITHUB_REF: trigger.ref,
      GITHUB_BASE_REF: trigger.base ?? '',
      GITHUB_RUN_ID: String(id),
      GITHUB_STEP_SUMMARY: at('summary.md'),
      GITHUB_OUTPUT: output,
      ...machine.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told.said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told.said += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (step.id !== undefined) state.steps[step.id] = { outputs: outputsIn(output) };
  return code === 0 ? undefined : `exit ${code ?? signal}`;
}

/**
 * A folder with a `gh` that stands for the one of the runners: it knows `run download` of one artifact,
 * into a folder, with a token, and nothing else.
 */
function fakeGh(root: string): string {
  const folder = join(root, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'gh'), GH, { mode: 0o755 });
  return folder;
}

const GH = `#!/bin/bash
set -e
[ "$1 $2" = "run download" ] && [ "$4 $6 $8" = "--repo --name --dir" ] && [ $# = 9 ] && [ -n "\${GH_HOST:+$GH_ENTERPRISE_TOKEN}\${GH_TOKEN:-}" ]
[ -d "$ARTIFACTS/$3/$7" ] || { echo "no artifact matches any of the names or patterns provided" >&2; exit 1; }
mkdir -p "$9"
cp -R "$ARTIFACTS/$3/$7/." "$9"
`;

/** Lines `name=value`; the form of many lines is not played here. */
function outputsIn(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0], line.replace(/^.*?=/, '')]),
  );
}
