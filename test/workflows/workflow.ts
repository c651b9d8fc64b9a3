import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A step as its file has it; no other key is known here. */
export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly 'continue-on-error'?: boolean;
}

export interface WorkflowJob {
  readonly name?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly environment?: string;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  /** A job for each value; `fleet` is an expression of a list. */
  readonly strategy?: {
    readonly 'fail-fast'?: boolean;
    /** A number, or an expression of one. */
    readonly 'max-parallel'?: number | string;
    readonly matrix: { readonly fleet: string };
  };
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

const WORKFLOW_KEYS = ['name', 'on', 'permissions', 'env', 'concurrency', 'jobs'];
const JOB_KEYS =
  'name if needs strategy concurrency runs-on timeout-minutes environment permissions outputs env steps'.split(
    ' ',
  );
const STEP_KEYS = 'name id if uses with env run continue-on-error'.split(' ');

/** Reads a workflow; throws at a key that is not played here, so that a new one is seen. */
export function readWorkflow(path: string): Workflow {
  const workflow = parse(readFileSync(path, 'utf8')) as Workflow;
  expectKeys(workflow, WORKFLOW_KEYS, path);
  for (const [name, job] of Object.entries(workflow.jobs)) {
    expectKeys(job, JOB_KEYS, `${path} ${name}`);
    for (const step of job.steps) {
      expectKeys(step, STEP_KEYS, `${path} ${name} ${step.name ?? step.uses}`);
      if ((step.run === undefined) === (step.uses === undefined))
        throw new Error(`${path} ${name}: a step either runs or uses`);
    }
  }
  const jobs = Object.entries(workflow.jobs).map(
    ([name, job]) => [name, { ...job, env: { ...workflow.env, ...job.env } }] as const,
  );
  return { ...workflow, jobs: Object.fromEntries(jobs) };
}

/** The jobs in an order in which each comes after those that it needs. */
export function inOrder({ jobs }: Workflow): readonly (readonly [string, WorkflowJob])[] {
  const left = new Map(Object.entries(jobs));
  const ordered: (readonly [string, WorkflowJob])[] = [];
  while (left.size > 0) {
    const next = [...left].find(([, job]) => needsOf(job).every((name) => !left.has(name)));
    if (!next) throw new Error('jobs that need each other');
    left.delete(next[0]);
    ordered.push(next);
  }
  return ordered;
}

export function needsOf({ needs = [] }: WorkflowJob): readonly string[] {
  return typeof needs === 'string' ? [needs] : needs;
}

function expectKeys(value: object, known: readonly string[], where: string): void {
  const strange = Object.keys(value).filter((key) => !known.includes(key));
  if (strange.length > 0) throw new Error(`${where} has ${strange.join(', ')}: not played here`);
}
