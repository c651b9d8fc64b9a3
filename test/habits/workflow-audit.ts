/** What an audit of a workflow looks at: the parts that decide whose code runs with whose rights. */
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: unknown;
  readonly 'runs-on'?: unknown;
  readonly secrets?: unknown;
  readonly container?: unknown;
  readonly services?: unknown;
  readonly steps?: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

/** Triggers that a stranger sets off with rights of this repository; `workflow_run` has rules of its own. */
const DANGEROUS = ['pull_request_target', 'issue_comment', 'issues', 'discussion', 'fork', 'watch'];

/** Contexts that whoever opens a pull request writes. */
const FOREIGN =
  /\$\{\{[^}]*\b(?:github\.head_ref|github\.event\.[\w.]*(?:title|body|label|message|email|name|ref|head_branch))\b/;

type Rule = (workflow: Workflow, text: string) => boolean;

const steps = ({ jobs }: Workflow): readonly Step[] =>
  Object.values(jobs).flatMap((job) => job.steps ?? []);
const grants = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [value];

/** By the names that public audits of workflows have for them. */
const RULES: Readonly<Record<string, Rule>> = {
  'template-injection': (workflow) =>
    steps(workflow).some(({ run = '', with: inputs = {} }) => {
      const script = inputs['script'];
      return run.includes('${{') || (typeof script === 'string' && script.includes('${{'));
    }),
  'foreign-context': (workflow) =>
    steps(workflow).some((step) => FOREIGN.test(JSON.stringify([step.with, step.env, step.if]))),
  artipacked: (workflow) =>
    steps(workflow).some(
      ({ uses = '', with: inputs }) =>
        uses.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false,
    ),
  'dangerous-triggers': ({ on }) => Object.keys(on).some((name) => DANGEROUS.includes(name)),
  'excessive-permissions': ({ permissions, jobs }) => {
    const all = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
    const isWide = ['write-all', 'read-all', undefined, null];
    return (
      all.some((one) => isWide.includes(one as string)) || grants(permissions).includes('write')
    );
  },
  'unpinned-uses': (workflow) =>
    steps(workflow).some(
      ({ uses }) =>
        uses !== undefined && !uses.startsWith('./.github/') && !/@[0-9a-f]{40}$/.test(uses),
    ),
  'cache-poisoning': (workflow) =>
    steps(workflow).some(
      ({ uses = '', with: inputs = {} }) => uses.includes('actions/cache') || 'cache' in inputs,
    ),
  'secrets-inherit': ({ jobs }) => Object.values(jobs).some(({ secrets }) => secrets === 'inherit'),
  'overprovisioned-secrets': (_, text) => /toJSON\(\s*secrets\s*\)|secrets\[/i.test(text),
  'github-env': (workflow) =>
    steps(workflow).some(({ run = '' }) =>
      // A fixed word tells the next steps nothing of what an author wrote.
      /GITHUB_(?:ENV|PATH|OUTPUT)/.test(run.replaceAll(/echo [\w=]+ >> "\$GITHUB_OUTPUT"/g, '')),
    ),
  'insecure-commands': (_, text) => text.includes('ACTIONS_ALLOW_UNSECURE_COMMANDS'),
  'self-hosted-runner': ({ jobs }) =>
    Object.values(jobs).some((job) => JSON.stringify(job['runs-on'] ?? '').includes('self-hosted')),
  'unpinned-images': ({ jobs }) =>
    Object.values(jobs).some((job) => 'container' in job || 'services' in job),
  'bot-conditions': (_, text) => /github\.actor\b/.test(text),
};

/** The names of all rules. */
export const AUDITS: readonly string[] = Object.keys(RULES);

/** The audits that a workflow does not pass, by name. */
export function auditsOf(workflow: unknown, text: string): readonly string[] {
  return AUDITS.filter((name) => RULES[name]?.(workflow as Workflow, text));
}
