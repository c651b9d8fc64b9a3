import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitIn } from '../support/blackbox-record.ts';
import { playAction } from './actions.ts';
import { inputsOf, readComposite } from './composite.ts';
import { bash, install } from './script.ts';
import { fillIn, holds, type Context, type Scope } from './expression.ts';
import { inOrder, needsOf, readWorkflow, type Step, type WorkflowJob } from './workflow.ts';

/** The machine that workflows are played on: what it is connected to, and what it keeps. */
export interface Machine {
  /** A folder of its own. */
  readonly root: string;
  /** The repository on GitHub: a bare one on this disk. */
  readonly bare: string;
  readonly repository: string;
  /** The address of the GitHub API. */
  readonly api: string;
  readonly token: string;
  readonly onUpload: (run: number, name: string) => void;
  /** What every step finds in its environment, too. */
  readonly env: Readonly<Record<string, string>>;
}

/** What starts a run. */
export interface Trigger {
  readonly event:
    'push' | 'pull_request' | 'merge_group' | 'schedule' | 'workflow_dispatch' | 'workflow_run';
  readonly ref: string;
  /** The commit that started it, where its branch has moved since: a run that is run again. */
  readonly sha?: string;
  readonly payload: Context;
  readonly secrets: Readonly<Record<string, string>>;
  /** The secrets of environments, which a job that names one has as well. */
  readonly environments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars: Readonly<Record<string, string>>;
  /** What a person entered who started it by hand. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Before a job with this environment is let through. */
  readonly onGate?: (environment: string) => void | Promise<void>;
  /** The branch that a pull request goes to. */
  readonly base?: string;
}

export type Conclusion = 'success' | 'failure' | 'skipped';

/** What became of one run of a workflow. */
export interface Run {
  readonly id: number;
  readonly conclusion: Conclusion;
  readonly jobs: Readonly<Record<string, Conclusion>>;
  /** Every step that was played, with how it ended: `plan/Plan success`. */
  readonly steps: readonly string[];
  /** All that its steps printed. */
  readonly said: string;
  readonly summary: string;
}

let lastRun = 40;

/**
 * Plays a workflow from its file: its jobs in the order of `needs`, each on a clone of its own, and
 * every `run:` as it stands, with bash. Rejects at anything in the file that is not known here.
 */
export async function play(file: string, machine: Machine, trigger: Trigger): Promise<Run> {
  const workflow = readWorkflow(file);
  if (!Object.hasOwn(workflow.on, trigger.event))
    throw new Error(`${file} is not started by ${trigger.event}`);
  const id = (lastRun += 1);
  const folder = join(machine.root, `run-${id}`);
  mkdirSync(folder);
  const jobs: Record<string, Conclusion> = {};
  const outputs: Record<string, Readonly<Record<string, string>>> = {};
  const told: Told = { steps: [], said: '' };
  const sha = trigger.sha ?? gitIn(machine.bare, 'rev-parse', trigger.ref);
  const github = dirname(dirname(file));
  const run = { id, sha, folder, machine, trigger, told, github };
  const anywhere = { steps: {}, workspace: folder };
  if (workflow.concurrency) fillIn(workflow.concurrency.group, scopeOf(run, anywhere));
  for (const [name, job] of inOrder(workflow)) {
    const isReady = needsOf(job).every((needed) => jobs[needed] === 'success');
    const results = needsOf(job).map(
      (needed) => [needed, { result: jobs[needed] ?? '', outputs: outputs[needed] ?? {} }] as const,
    );
    const needs = Object.fromEntries(results);
    const scope = scopeOf(run, { steps: {}, workspace: folder }, needs);
    const isAsked = isReady || asksForStatus(job.if);
    const isWanted = isAsked && (job.if === undefined || holds(job.if, scope));
    const played = isWanted ? await playEach(name, job, { ...run, needs }) : SKIPPED;
    jobs[name] = played.conclusion;
    outputs[name] = played.outputs;
  }
  const all = Object.values(jobs);
  const conclusion = all.includes('failure')
    ? 'failure'
    : all.includes('success')
      ? 'success'
      : 'skipped';
  const summary = join(folder, 'summary.md');
  return {
    id,
    conclusion,
    jobs,
    ...told,
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
  };
}

interface Told {
  steps: string[];
  said: string;
}

interface Playing {
  readonly id: number;
  /** The commit that started it. */
  readonly sha: string;
  readonly folder: string;
  /** The folder of the workflows and the actions. */
  readonly github: string;
  readonly machine: Machine;
  readonly trigger: Trigger;
  readonly told: Told;
  readonly needs?: Context;
  /** The value of the matrix. */
  readonly matrix?: Context;
  /** With those of its environment. */
  readonly secrets?: Readonly<Record<string, string>>;
}

interface JobState {
  readonly workspace: string;
  readonly steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }>;
}

/** How a job ended, and what it put out for the jobs after it. */
interface Played {
  readonly conclusion: Conclusion;
  readonly outputs: Readonly<Record<string, string>>;
}

const SKIPPED: Played = { conclusion: 'skipped', outputs: {} };

/** A job with a matrix is played for each value, one after another; one that fails stops no other. */
async function playEach(name: string, job: WorkflowJob, run: Playing): Promise<Played> {
  const { strategy } = job;
  if (!strategy) return playGated(name, job, run);
  const [, list = ''] = /^\$\{\{ fromJSON\((.*)\) \}\}$/.exec(strategy.matrix.fleet) ?? [];
  const scope = scopeOf(run, { steps: {}, workspace: run.folder });
  const values = JSON.parse(fillIn(`\${{ ${list} }}`, scope)) as readonly { name: string }[];
  if (values.length === 0) throw new Error(`${name} has a matrix without a value`);
  if (strategy['fail-fast'] !== false && values.length > 1)
    throw new Error(`${name}: a fleet that fails would stop the others`);
  const { 'max-parallel': most = 1 } = strategy;
  const [, asked] = /^\$\{\{ fromJSON\((.*)\) \}\}$/.exec(String(most)) ?? [];
  const atOnce = asked === undefined ? String(most) : fillIn(`\${{ ${asked} }}`, scope);
  if (!/^[1-9]$/.test(atOnce)) throw new Error(`${name}: ${atOnce} jobs at once`);
  const all: Played[] = [];
  for (const fleet of values)
    all.push(await playGated(`${name}-${fleet.name}`, job, { ...run, matrix: { fleet } }));
  return all.find(({ conclusion }) => conclusion === 'failure') ?? all[0] ?? SKIPPED;
}

async function playGated(name: string, job: WorkflowJob, run: Playing): Promise<Played> {
  const { trigger } = run;
  const scope = scopeOf(run, { steps: {}, workspace: run.folder });
  if (job.concurrency) fillIn(job.concurrency.group, scope);
  if (job.environment === undefined) return playJob(name, job, run);
  const environment = fillIn(job.environment, scope);
  await trigger.onGate?.(environment);
  const secrets = { ...trigger.secrets, ...trigger.environments?.[environment] };
  return playJob(name, job, { ...run, secrets });
}

async function playJob(name: string, job: WorkflowJob, run: Playing): Promise<Played> {
  const workspace = join(run.folder, name);
  mkdirSync(workspace);
  const state: JobState = { workspace, steps: {} };
  let isGood = true;
  for (const step of job.steps) {
    const label = step.name ?? step.uses?.split('@')[0] ?? '';
    const scope = scopeOf(run, state);
    const isWanted =
      (isGood || asksForStatus(step.if)) && (step.if === undefined || holds(step.if, scope));
    if (!isWanted) {
      run.told.steps.push(`${name}/${label} skipped`);
      continue;
    }
    const problem = await playStep(step, job, { run, state, scope });
    run.told.steps.push(`${name}/${label} ${problem === undefined ? 'success' : 'failure'}`);
    if (problem !== undefined) run.told.said += `\n[${name}/${label}: ${problem}]\n`;
    if (problem !== undefined && step['continue-on-error'] !== true) isGood = false;
  }
  const scope = scopeOf(run, state);
  const outputs = Object.entries(job.outputs ?? {}).map(
    ([key, value]) => [key, fillIn(value, scope)] as const,
  );
  return { conclusion: isGood ? 'success' : 'failure', outputs: Object.fromEntries(outputs) };
}

/** Without a word about status an `if` means: and nothing before it has failed. */
function asksForStatus(condition = ''): boolean {
  return /\b(?:cancelled|always|failure|success)\(/.test(condition);
}

/** Where a step is played. */
export interface Stage {
  readonly run: Playing;
  readonly state: JobState;
  readonly scope: Scope;
}

/** Why the step failed; undefined where it did not. What is not known here is thrown. */
async function playStep(step: Step, job: WorkflowJob, stage: Stage): Promise<string | undefined> {
  const { run, state, scope } = stage;
  const filled = (all: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(all).map(([key, text]) => [key, fillIn(String(text), scope)]),
    );
  if (step.uses?.startsWith('./')) return playComposite(step, filled, { job, run, state });
  if (step.uses !== undefined) {
    const { machine, id, trigger } = run;
    const artifacts = join(machine.root, 'artifacts');
    const { workspace } = state;
    const onUpload = (kept: string): void => machine.onUpload(id, kept);
    const { bare } = machine;
    try {
      playAction(step.uses, filled(step.with), {
        workspace,
        bare,
        artifacts,
        onUpload,
        run: id,
        ref: trigger.ref,
        sha: run.sha,
      });
      return undefined;
    } catch (error) {
      if (String(error).includes('not played here')) throw error;
      return String(error);
    }
  }
  const script = step.run ?? '';
  if (script.includes('${{')) throw new Error(`an expression in a script: ${script}`);
  const env = { ...filled(job.env), ...filled(step.env) };
  return bash(script, env, step, stage);
}

/** Plays the action of the repository that installs the tool, which the player puts in its place. */
function playComposite(
  step: Step,
  filled: (all?: Readonly<Record<string, unknown>>) => Record<string, string>,
  {
    job,
    run,
    state,
  }: { readonly job: WorkflowJob; readonly run: Playing; readonly state: JobState },
): undefined {
  const action = readComposite(run.github, step.uses ?? '');
  const inputs = inputsOf(action, filled(step.with));
  for (const { uses, run: script } of action.runs.steps) {
    if (uses === undefined && !script?.includes('npm ci --ignore-scripts '))
      throw new Error(`${action.name}: a script that is not played here`);
  }
  install(inputs['from'] ?? '', job.env?.['FLEETFORM'] ?? '', state.workspace);
  return undefined;
}

function scopeOf(
  { machine, trigger, needs: before = {}, matrix, secrets = trigger.secrets }: Playing,
  { steps, workspace }: JobState,
  needs: Context = before,
): Scope {
  return {
    names: {
      github: {
        // Each event has its own; what another one has is empty.
        event: { merge_group: { base_sha: '' }, pull_request: { number: '' }, ...trigger.payload },
        event_name: trigger.event,
        ref: trigger.ref,
        ref_name: trigger.ref.replace(/^refs\/heads\//, ''),
        token: machine.token,
      },
      secrets,
      ...(matrix && { matrix }),
      vars: trigger.vars,
      inputs: trigger.inputs ?? {},
      steps,
      needs,
    },
    open: ['secrets', 'vars', 'steps', 'inputs'],
    functions: {
      always: () => true,
      cancelled: () => false,
      hashFiles: (name = '') => (existsSync(join(workspace, name)) ? 'f'.repeat(64) : ''),
    },
  };
}
