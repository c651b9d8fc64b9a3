import type { ForgeKind } from '../../../model/ports.ts';
import type { InitSummary } from '../../../model/report/output.gen.ts';
import { tint } from '../../sinks/paint.ts';
import { counted } from '../phrase.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';

export type { InitSummary } from '../../../model/report/output.gen.ts';

const FORGE_NAMES: Readonly<Record<ForgeKind, string>> = { github: 'GitHub', gitlab: 'GitLab' };

const FORGE_REASONS: Readonly<Record<NonNullable<InitSummary['ciFrom']>, string>> = {
  flag: 'from --ci',
  remote: 'from the remote',
  files: 'from the CI files of this repository',
};

const NO_CI =
  'CI: none. `fleetform init --ci github` or `--ci gitlab` adds workflows; docs/any-ci.md is for others.';

/** What a person sets up at the forge, in order. Each organization of several has environments and branches of its own. */
function ciSteps(ci: ForgeKind, name: string | undefined): readonly string[] {
  const of = name === undefined ? '' : `-${name}`;
  const own = 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, of one who may write';
  const read =
    'FLEETFORM_READ_CLIENT_ID and FLEETFORM_READ_CLIENT_SECRET, of a user who may only read';
  const ledger = `fleetform${of}-ledger`;
  const branches = `${ledger}, ${ledger}-heads and fleetform${of}-facts`;
  const protect = `Protect the default branch, ${branches} against force pushes and deletion, and ask for a review of all that CODEOWNERS lists.`;
  const end = of === '' ? 'Until then nothing is applied.' : 'They are for all organizations.';
  const reading = of === '' ? 'the repository' : `an environment "fleet-read${of}"`;
  const both = `for the environments "fleet-read${of}" and "fleet-approve${of}" `;
  return {
    github: [
      `Add to ${reading} the secrets ${read}, and to an environment "fleet${of}" ${own}; restrict that one to the default branch, without reviewers, so that scheduled runs do not wait.`,
      `Add an environment "fleet-approve${of}" with reviewers${of && ' and the read-only secrets'}. They let fleet-unpause end a pause and, with \`--approval plan\`, let approved changes start. Without reviewers GitHub lets everyone pass.`,
      protect,
      `When the first plan on a pull request looks right, set the repository variables FLEETFORM_APPLY and FLEETFORM_DRIFT to "on". ${end}`,
    ],
    gitlab: [
      `Add CI/CD variables: ${of && both}${read}; protected, and for the environment "fleet${of}" alone, ${own}; and${of && ' once for all organizations'} GITLAB_TOKEN, a project access token with role Reporter and scope api.`,
      `Allow Git push requests with the job token, or add FLEETFORM_PUSH_TOKEN (docs/gitlab.md). ${protect}`,
      `Where your tier has protected environments, protect "fleet-approve${of}" and require approvals: its jobs end a pause and, with \`--approval plan\`, let approved changes start.`,
      `When the first plan on a merge request looks right, add two pipeline schedules, with FLEETFORM_SCHEDULE=apply each hour and FLEETFORM_SCHEDULE=drift each day, and set FLEETFORM_APPLY to "on". ${end}`,
    ],
  }[ci];
}

/** What a server of its own needs, or does not do. */
const SERVERS: Readonly<Record<NonNullable<InitSummary['server']>['product'], string>> = {
  'GitHub Enterprise Server':
    'Give the jobs a runner with the label ubuntu-latest, Git and `gh`, and let the server use actions of github.com (GitHub Connect).',
  'Gitea or Forgejo':
    'Read docs/any-ci.md before you add a secret: Gitea and Forgejo run only some of these workflows, ignore environments, and show every secret to whoever may push a branch.',
};

const INCLUDE_FLEETS =
  'Include .gitlab/fleetform.gitlab-ci.yml and .gitlab/fleets/*.yml in .gitlab-ci.yml, unless it does; their jobs are in the stages ' +
  'test and deploy.';

const INCLUDE =
  'Include .gitlab/fleetform.gitlab-ci.yml in .gitlab-ci.yml; its jobs are in the stages test and deploy.';

const PIN =
  'Run `npm install --save-dev --save-exact fleetform`, or install a tarball that you keep in vendor/, and commit package.json, ' +
  'package-lock.json and the tarball: the workflows install what the lock file names, with its digest.';

const UNASKED =
  '  without sites (missing: {missing}): write them into sites.yaml. With these set, `fleetform get sites` ' +
  'lists them.';

const FILL_IN = 'Replace each FILL IN: ';

const DESCRIBED = 'Of the fleet of the earlier service. Delete what is not true of this one:';

const UNUSED = '  without effect: {flags}. The documents exist and were kept: edit them.';

/** The file of an incident, and the next steps. */
export function* incidentWords({
  written,
  incident,
  expect,
}: {
  readonly written: string;
  readonly incident: string;
  readonly expect: number;
}): Generator<TerminalText> {
  yield say`Written: ${terminal(written)}, which expects ${terminal(counted(expect, 'device'))}`;
  yield say`next: \`fleetform plan --only ${terminal(incident)} -o plan.json\``;
  yield say`      \`fleetform apply plan.json\`; before the incident is merged, with \`--unmerged --reason WHY\``;
}

/** The files, and the next steps in order. */
export function* initWords(summary: InitSummary, style: TextStyle): Generator<TerminalText> {
  yield tint(style.paint, 'bold', terminal(`Written: ${counted(summary.written.length, 'file')}`));
  for (const path of summary.written) yield say`  ${terminal(path)}`;
  for (const path of summary.changed) yield say`Changed: \`service\` in ${terminal(path)}`;
  if (summary.existing.length > 0) {
    yield terminal(
      `Kept: ${counted(summary.existing.length, 'file')} (--force replaces those that nobody edited)`,
    );
    for (const path of summary.existing) yield say`  ${terminal(path)}`;
  }
  if (summary.described.length > 0) yield terminal(DESCRIBED);
  for (const path of summary.described) yield say`  ${terminal(path)}`;
  if (summary.sites > 0)
    yield say`  with ${terminal(counted(summary.sites, 'site'))} of the service`;
  if (summary.unused.length > 0)
    yield* wrap(terminal(UNUSED.replace('{flags}', summary.unused.join(', '))), style.width, 2);
  if (summary.unasked.length > 0)
    yield* wrap(terminal(UNASKED.replace('{missing}', summary.unasked.join(', '))), style.width, 2);
  yield* wrap(terminal(forgeWords(summary)), style.width, 2);
  const steps = stepsAfter(summary);
  if (steps.length > 0) yield say``;
  for (const [index, step] of steps.entries())
    yield* wrap(say`  ${index + 1}. ${terminal(step)}`, style.width, 5);
  yield say`next: ${terminal(nextWords(summary))}`;
}

function forgeWords({ ci, ciFrom, server }: InitSummary): string {
  if (!ci || !ciFrom) return NO_CI;
  const on = server ? `, for ${server.product} on ${server.host}` : '';
  return `CI: ${FORGE_NAMES[ci]} (${FORGE_REASONS[ciFrom]})${on}`;
}

/** First what only a person knows: a file of another fleet, a placeholder, a time zone. */
function nextWords({ organization: name, described, fillIn, next }: InitSummary): string {
  const folder = name === undefined ? '' : ` --fleet fleet/${name}`;
  const command = (verb: string): string => `\`fleetform ${verb}${folder}\``;
  if (described.length > 0)
    return `delete or keep those ${counted(described.length, 'file')}, then ${command('init')}`;
  const then = command(next === 'commit' || next === 'plan' ? 'plan' : 'import');
  if (fillIn.length > 0) return `replace each FILL IN, then ${then}`;
  if (next === 'check') return `check the time zones in sites.yaml, then ${then}`;
  return next === 'commit' ? `commit and push what was written, then ${then}` : then;
}

/** What only a person can do, in order. */
function stepsAfter({ organization: name, ci, ...summary }: InitSummary): readonly string[] {
  const isOne = name !== undefined;
  return [
    ...(ci && !summary.isPinned ? [PIN] : []),
    ...(summary.fillIn.length > 0 ? [`${FILL_IN}${summary.fillIn.join(', ')}.`] : []),
    ...(summary.existing.some(isPipeline) ? [isOne ? INCLUDE_FLEETS : INCLUDE] : []),
    ...(summary.server ? [SERVERS[summary.server.product]] : []),
    ...(ci ? ciSteps(ci, name) : []),
  ];
}

/** The pipeline of a repository that had one before `init`. */
function isPipeline(path: string): boolean {
  return path === '.gitlab-ci.yml' || path.endsWith('../.gitlab-ci.yml');
}
