import type { ForgeClient } from '../forge-client.ts';
import type { JobVariables } from './merge-request.ts';
import { isObject } from '../../lib/objects.ts';

/**
 * Who let the job of a gate run, by GitLab's own record, sorted: those who approved its deployment (a
 * protected environment with approvals), and who started the job by hand. None where GitLab has no
 * such record (semantics N75).
 */
export async function deploymentApprovers(
  project: ForgeClient,
  { run, variables }: { readonly run: string; readonly variables: JobVariables },
): Promise<readonly string[]> {
  const environment = variables['CI_ENVIRONMENT_NAME'];
  if (!environment || run === '') return [];
  const name = encodeURIComponent(environment);
  const path = `deployments?environment=${name}&order_by=id&sort=desc&per_page=100`;
  const rows = await project.get(path);
  const own = (Array.isArray(rows) ? rows.filter(isObject) : []).find(
    ({ deployable }) => isObject(deployable) && String(deployable['id']) === run,
  );
  if (typeof own?.['id'] !== 'number') return [];
  const deployment = await project.get(`deployments/${own['id']}`);
  if (!isObject(deployment)) return [];
  const starter = isObject(deployment['deployable']) ? deployment['deployable']['user'] : {};
  const names = [
    ...approvalsIn(deployment).flatMap(({ status, user }) =>
      status === 'approved' ? nameOf(user) : [],
    ),
    ...(variables['CI_JOB_MANUAL'] === 'true' ? nameOf(starter) : []),
  ];
  return [...new Set(names)].sort();
}

type Row = Readonly<Record<string, unknown>>;

/** The approvals of a deployment: of its environment, and of each of several rules. */
function approvalsIn({ approvals, approval_summary: summary }: Row): readonly Row[] {
  const rules = isObject(summary) ? rowsIn(summary['rules']) : [];
  return [...rowsIn(approvals), ...rules.flatMap(({ deployment_approvals: each }) => rowsIn(each))];
}

function rowsIn(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function nameOf(user: unknown): readonly string[] {
  const name = isObject(user) ? user['username'] : undefined;
  return typeof name === 'string' ? [name] : [];
}
