import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtEntry } from '../support/blackbox-build.ts';
import { gitIn } from '../support/blackbox-record.ts';
import type { FakeGitLab } from '../support/fake-gitlab.ts';
import {
  readChild,
  ruleOf,
  type JobRule,
  type Pipeline,
  type PipelineFacts,
  type PipelineJob,
} from './pipeline.ts';

/** How a job ended; a manual one that nobody started is `manual`. */
export type JobStatus = 'success' | 'failed' | 'skipped' | 'manual';

/** A pipeline that is over. */
export interface Played {
  readonly id: number;
  readonly jobs: Readonly<Record<string, JobStatus>>;
  /** What all jobs printed. */
  readonly said: string;
  /** A file that a job has left, as an artifact or a report. */
  file(job: string, path: string): string;
}

export interface PlayOptions {
  readonly facts: PipelineFacts;
  readonly id: number;
  readonly sha: string;
  readonly bare: string;
  readonly fake: FakeGitLab;
  readonly folder: string;
  readonly predefined: Readonly<Record<string, string>>;
  /** Variables of the project, and those of an environment. */
  readonly project: Readonly<Record<string, string>>;
  readonly scoped: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly starts?: readonly string[];
  readonly person?: string;
  readonly before?: Readonly<Record<string, () => Promise<void> | void>>;
  /** The files of the repository that a child pipeline may include, by path. */
  readonly files: Readonly<Record<string, string>>;
}

interface Stage extends PlayOptions {
  readonly statuses: Record<string, JobStatus>;
  /** Variables that jobs pass on in their dotenv reports. */
  readonly passed: Record<string, Readonly<Record<string, string>>>;
  said: string;
}

/** Plays the jobs of a pipeline, each after those that it needs, one at a time. */
export async function playJobs(pipeline: Pipeline, options: PlayOptions): Promise<Played> {
  const stage: Stage = { ...options, statuses: {}, passed: {}, said: '' };
  const started = Object.entries(pipeline.jobs).flatMap(([name, job]) => {
    const rule = ruleOf(job, options.facts);
    return rule ? [{ name, job, rule }] : [];
  });
  const first = started.filter(({ job }) => job.stage === 'test');
  const later = started.filter(({ job }) => job.stage !== 'test');
  // A job that names none waits for all jobs of the stages before, and gets what they keep.
  const before = first.map(({ name }) => name);
  const wanted = [
    ...first,
    ...later.map(({ job, ...turn }) => {
      return { ...turn, job: job.needs.length > 0 ? job : { ...job, needs: before } };
    }),
  ];
  for (const { name, job, rule } of wanted) {
    for (const needed of job.needs)
      if (!(needed in stage.statuses))
        throw new Error(`${name} needs ${needed}, which is not there`);
    stage.statuses[name] = await playJob(name, { job, rule, stage });
  }
  return {
    id: options.id,
    jobs: stage.statuses,
    said: stage.said,
    file: (job, path) => readFileSync(join(options.folder, job, path), 'utf8'),
  };
}

interface Turn {
  readonly job: PipelineJob;
  readonly rule: JobRule;
  readonly stage: Stage;
}

async function playJob(name: string, turn: Turn): Promise<JobStatus> {
  const { job, rule, stage } = turn;
  const isReady = job.needs.every((needed) => stage.statuses[needed] === 'success');
  if (!isReady && rule.when !== 'always') return 'skipped';
  if (rule.when === 'manual' && !stage.starts?.includes(name)) return 'manual';
  await stage.before?.[name]?.();
  if (job.trigger) return playChild(job.trigger, stage);
  const workspace = clone(name, turn);
  const id = stage.id * 100 + Object.keys(stage.statuses).length;
  const env = environment(name, id, workspace, turn);
  if (rule.when === 'manual' && env['CI_ENVIRONMENT_NAME']) recordDeployment(id, env, stage);
  const script = [...job.before_script, ...job.script].flatMap((line) =>
    install(line, env, workspace),
  );
  const isGood = await runScript(script, env, { workspace, stage });
  upload(name, id, { workspace, isGood, turn });
  return isGood ? 'success' : 'failed';
}

/** A pipeline that a job has written: its jobs stand beside those of its parent. */
async function playChild(
  { include: [{ artifact, job }], strategy }: NonNullable<PipelineJob['trigger']>,
  stage: Stage,
): Promise<JobStatus> {
  if (strategy !== 'depend') throw new Error(`not played here: ${strategy}`);
  const child = readChild(readFileSync(join(stage.folder, job, artifact), 'utf8'), stage.files);
  const variables = { ...stage.facts.variables, CI_PIPELINE_SOURCE: 'parent_pipeline' };
  const facts = { ...stage.facts, variables };
  const played = await playJobs(child, { ...stage, facts, id: stage.id + 1000 });
  Object.assign(stage.statuses, played.jobs);
  stage.said += played.said;
  return Object.values(played.jobs).includes('failed') ? 'failed' : 'success';
}

/** A clone of its own, detached at the commit, with the files of the jobs that it needs. */
function clone(name: string, { job, stage }: Turn): string {
  const workspace = join(stage.folder, `${name}.work`);
  mkdirSync(workspace, { recursive: true });
  const git = (...args: readonly string[]): string => gitIn(workspace, ...args);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', stage.bare);
  const depth = job.variables['GIT_DEPTH'] ?? '20';
  if (depth === '0')
    git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*', stage.sha);
  else {
    const branch = stage.facts.variables['CI_COMMIT_BRANCH'];
    const refs = branch ? [`+refs/heads/${branch}:refs/remotes/origin/${branch}`] : [];
    git('fetch', '--quiet', `--depth=${depth}`, 'origin', stage.sha, ...refs);
  }
  git('checkout', '--quiet', '--detach', stage.sha);
  for (const needed of job.needs.filter((each) => !job.bare.includes(each))) {
    const kept = join(stage.folder, needed);
    if (existsSync(kept)) cpSync(kept, workspace, { recursive: true });
  }
  return workspace;
}

/** By GitLab's order: variables of the job, then of reports, then of the project and its environment. */
function environment(
  name: string,
  id: number,
  workspace: string,
  { job, rule, stage }: Turn,
): Record<string, string> {
  const place = typeof job.environment === 'string' ? job.environment : job.environment?.name;
  const passed = job.needs.map((needed) => stage.passed[needed] ?? {});
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: stage.folder,
    ...job.variables,
    ...(Object.assign({}, ...passed) as Record<string, string>),
    ...stage.project,
    ...(place === undefined ? {} : stage.scoped[place]),
    ...stage.predefined,
    ...stage.facts.variables,
    CI_PROJECT_DIR: workspace,
    CI_JOB_NAME: name,
    CI_JOB_ID: String(id),
    CI_JOB_URL: `https://gitlab.example/acme/fleet/-/jobs/${id}`,
    ...(place !== undefined && { CI_ENVIRONMENT_NAME: place }),
    ...(rule.when === 'manual' && { CI_JOB_MANUAL: 'true' }),
  };
}

function recordDeployment(id: number, env: Readonly<Record<string, string>>, stage: Stage): void {
  const user = { id: 1, username: stage.person ?? 'nobody' };
  stage.fake.deployments.push({
    id: stage.fake.deployments.length + 1,
    environment: { name: env['CI_ENVIRONMENT_NAME'] },
    deployable: { id, user },
  });
}

/** Stands for `npm ci`: no registry is asked, and the tool is the one built from these sources. */
function install(line: string, env: Readonly<Record<string, string>>, workspace: string): string[] {
  if (!line.startsWith('npm ')) return [line];
  if (!line.startsWith('npm ci --ignore-scripts ')) throw new Error(`not played here: ${line}`);
  const dist = dirname(join(workspace, env['FLEETFORM'] ?? ''));
  mkdirSync(dirname(dist), { recursive: true });
  symlinkSync(dirname(builtEntry()), dist);
  return [];
}

/** One shell runs all lines and stops at the first that fails, as a runner's does. */
async function runScript(
  lines: readonly string[],
  env: Readonly<Record<string, string>>,
  { workspace, stage }: { readonly workspace: string; readonly stage: Stage },
): Promise<boolean> {
  const child = spawn(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines.join('\n')],
    {
      cwd: workspace,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (stage.said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

/** What the job keeps: its paths, and its reports, of which a dotenv one is passed on. */
function upload(
  name: string,
  id: number,
  { workspace, isGood, turn }: { workspace: string; isGood: boolean; turn: Turn },
): void {
  const { job, stage } = turn;
  const { artifacts } = job;
  if (!artifacts || (!isGood && artifacts.when !== 'always')) return;
  const reports = Object.values(artifacts.reports ?? {});
  const files: Record<string, string> = {};
  for (const path of [...(artifacts.paths ?? []), ...reports]) {
    if (!existsSync(join(workspace, path))) continue;
    mkdirSync(dirname(join(stage.folder, name, path)), { recursive: true });
    cpSync(join(workspace, path), join(stage.folder, name, path));
    if (!reports.includes(path)) files[path] = readFileSync(join(workspace, path), 'utf8');
  }
  const ref = stage.facts.variables['CI_COMMIT_REF_NAME'] ?? '';
  stage.fake.jobs.push({ id, name, ref, pipeline: stage.id, files });
  const dotenv = artifacts.reports?.dotenv;
  const text = dotenv ? join(stage.folder, name, dotenv) : '';
  if (text !== '' && existsSync(text)) stage.passed[name] = variablesIn(readFileSync(text, 'utf8'));
}

/** Lines `NAME=value`, as GitLab reads a dotenv report. */
function variablesIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter(Boolean);
  for (const line of lines)
    if (!/^[A-Z][A-Z0-9_]*=[^\r\n]*$/.test(line)) throw new Error(`no dotenv: ${line}`);
  return Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0], line.replace(/^.*?=/, '')]),
  );
}
