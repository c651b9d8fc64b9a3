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
  /** Those of them whose files it does not get. */
  readonly bare: readonly string[];
  /** The job that writes a child pipeline, and its file. */
  readonly trigger?: {
    readonly include: readonly [{ readonly artifact: string; readonly job: string }];
    readonly strategy: 'depend';
  };
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
  'extends image stage needs timeout interruptible resource_group environment variables rules before_script script artifacts trigger'.split(
    ' ',
  );
const RULE_KEYS = ['if', 'changes', 'when', 'allow_failure'];
const ARTIFACT_KEYS = ['when', 'expire_in', 'paths', 'reports'];
const REPORT_KEYS = ['codequality', 'dotenv'];

type Raw = Readonly<Record<string, unknown>>;

interface Need {
  readonly job: string;
  readonly optional?: boolean;
  readonly artifacts?: boolean;
}

type Inputs = Readonly<Record<string, string>>;

/** A file with inputs, as GitLab includes it with these values. */
export function withInput(text: string, inputs: Inputs): string {
  const [head = '', body] = text.split(/^---\n/m);
  const { spec } = parse(head) as {
    readonly spec: { readonly inputs: Readonly<Record<string, { readonly regex: string }>> };
  };
  if (body === undefined || Object.keys(spec.inputs).join() !== Object.keys(inputs).join())
    throw new Error('not played here: other inputs than those of the file');
  for (const [name, { regex }] of Object.entries(spec.inputs))
    if (!new RegExp(regex.slice(1, -1)).test(inputs[name] ?? ''))
      throw new Error(`the input ${name} is not ${regex}`);
  return body.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    const value = inputs[name];
    if (value === undefined) throw new Error(`no input ${name}`);
    return value;
  });
}

/** A pipeline that a job has written: a job of its own, or files of the repository with inputs. */
export function readChild(text: string, files: Readonly<Record<string, string>>): Pipeline {
  const { include, ...own } = parse(text) as {
    readonly include?: readonly { readonly local: string; readonly inputs?: Inputs }[];
  };
  if (!include)
    return readPipeline(
      JSON.stringify(
        Object.fromEntries(
          Object.entries(own).map(([name, job]) => [
            name,
            {
              stage: 'test',
              before_script: [],
              timeout: '1h',
              rules: [{ when: 'on_success' }],
              ...(job as object),
            },
          ]),
        ),
      ),
    );
  const texts = include.map(({ local, inputs }) => {
    const file = files[local];
    if (file === undefined) throw new Error(`${local} is not there`);
    return inputs ? withInput(file, inputs) : file;
  });
  return readPipeline(...texts);
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
    const needs = (job['needs'] ?? []) as readonly (string | Need)[];
    const known = needs
      .map((need) => (typeof need === 'string' ? { job: need } : need))
      .filter((need) => need.optional !== true || names.includes(need.job));
    const wanted = {
      needs: known.map((need) => need.job),
      bare: known.filter((need) => need.artifacts === false).map((need) => need.job),
    };
    return [
      name,
      { variables: {}, rules: [], ...job, ...wanted } as unknown as PipelineJob,
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
