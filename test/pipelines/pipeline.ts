import { parse } from 'yaml';

/** A rule that adds a job to a pipeline. */
export interface JobRule {
  readonly if?: string;
  readonly changes?: readonly string[];
  readonly when?: 'never' | 'always' | 'manual' | 'on_success';
  readonly allow_failure?: boolean;
}

export interface PipelineJob {
  readonly image?: string;
  readonly stage: string;
  readonly needs: readonly string[];
  readonly timeout: string;
  readonly interruptible?: boolean;
  readonly resource_group?: string;
  readonly environment?: string | { readonly name: string; readonly action: string };
  readonly variables: Readonly<Record<string, string>>;
  readonly rules: readonly JobRule[];
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly artifacts?: {
    readonly when?: 'always';
    readonly expire_in: string;
    readonly paths?: readonly string[];
    readonly reports?: { readonly codequality?: string; readonly dotenv?: string };
  };
}

export interface Pipeline {
  readonly jobs: Readonly<Record<string, PipelineJob>>;
}

const JOB_KEYS =
  'extends image stage needs timeout interruptible resource_group environment variables rules before_script script artifacts'.split(
    ' ',
  );
const RULE_KEYS = ['if', 'changes', 'when', 'allow_failure'];
const ARTIFACT_KEYS = ['when', 'expire_in', 'paths', 'reports'];
const REPORT_KEYS = ['codequality', 'dotenv'];

type Raw = Readonly<Record<string, unknown>>;

/** A file with the input `fleet`, as GitLab includes it with this value. */
export function withInput(text: string, fleet: string): string {
  const [head = '', body] = text.split(/^---\n/m);
  const { spec } = parse(head) as { readonly spec: { readonly inputs: Raw } };
  if (body === undefined || Object.keys(spec.inputs).join() !== 'fleet')
    throw new Error('not played here: other inputs than `fleet`');
  return body.replaceAll('$[[ inputs.fleet ]]', fleet);
}

/**
 * Reads the jobs of files as GitLab merges them; throws at a key or a form that is not played here,
 * so that a new one is seen.
 */
export function readPipeline(...texts: readonly string[]): Pipeline {
  const parsed = texts.map((text) => parse(text) as Readonly<Record<string, Raw>>);
  const file = Object.assign({}, ...parsed) as Readonly<Record<string, Raw>>;
  const names = Object.keys(file).filter((name) => !name.startsWith('.'));
  const jobs = names.map((name) => {
    const job = merged(name, file);
    expectKeys(job, JOB_KEYS, name);
    const { rules, artifacts } = job as Partial<PipelineJob>;
    for (const rule of rules ?? []) expectKeys(rule, RULE_KEYS, `${name} rules`);
    expectKeys(artifacts ?? {}, ARTIFACT_KEYS, `${name} artifacts`);
    expectKeys(artifacts?.reports ?? {}, REPORT_KEYS, `${name} reports`);
    return [
      name,
      { needs: [], variables: {}, rules: [], ...job } as unknown as PipelineJob,
    ] as const;
  });
  return { jobs: Object.fromEntries(jobs) };
}

/** Maps are merged, and everything else is replaced. */
function merged(name: string, file: Readonly<Record<string, Raw>>): Raw {
  const { extends: above = [], ...own } = file[name] ?? {};
  const parents = typeof above === 'string' ? [above] : (above as readonly string[]);
  const all = [...parents.map((parent) => found(parent, file)), own];
  const variables = Object.assign({}, ...all.map((one) => one['variables'] ?? {})) as object;
  return { ...Object.assign({}, ...all), variables } as Raw;
}

function found(parent: string, file: Readonly<Record<string, Raw>>): Raw {
  if (!(parent in file)) throw new Error(`nothing is called ${parent}`);
  return merged(parent, file);
}

function expectKeys(value: object, known: readonly string[], where: string): void {
  const strange = Object.keys(value).filter((key) => !known.includes(key));
  if (strange.length > 0) throw new Error(`${where} has ${strange.join(', ')}: not played here`);
}

/** What a rule is judged by. */
export interface PipelineFacts {
  readonly variables: Readonly<Record<string, string>>;
  /** Files that the push or the merge request changes. */
  readonly changed: readonly string[];
}

/** The first rule that holds; undefined: the job is not in the pipeline. */
export function ruleOf({ rules }: PipelineJob, facts: PipelineFacts): JobRule | undefined {
  const first = rules.find(
    ({ if: condition = '"a" == "a"', changes }) =>
      holds(condition, facts.variables) &&
      (!changes || changes.some((glob) => facts.changed.some((file) => matches(glob, file)))),
  );
  return first?.when === 'never' ? undefined : first;
}

/** `$A == "x"`, `$A != $B` and `$A` alone, with `&&` before `||`. */
export function holds(condition: string, variables: Readonly<Record<string, string>>): boolean {
  return condition
    .split(' || ')
    .some((all) => all.split(' && ').every((one) => isTrue(one.trim(), variables)));
}

function isTrue(text: string, variables: Readonly<Record<string, string>>): boolean {
  const value = (word = ''): string => {
    const [, name, quoted] = /^(?:\$(\w+)|"([^"$]*)")$/.exec(word) ?? [];
    if (name === undefined && quoted === undefined) throw new Error(`not played here: ${text}`);
    return name === undefined ? (quoted ?? '') : (variables[name] ?? '');
  };
  const [left, sign, right, ...rest] = text.split(' ');
  if (rest.length > 0) throw new Error(`not played here: ${text}`);
  if (sign === undefined) return value(left) !== '';
  if (sign !== '==' && sign !== '!=') throw new Error(`not played here: ${text}`);
  return (value(left) === value(right)) === (sign === '==');
}

/** A pattern that ends in two stars and one is everything below a folder; others are names. */
function matches(glob: string, file: string): boolean {
  return glob.endsWith('/**/*') ? file.startsWith(glob.slice(0, -4)) : glob === file;
}
