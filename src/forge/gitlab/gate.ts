import type { ForgeClient } from '../forge-client.ts';
import type { JobVariables } from './merge-request.ts';
import { memberAt, objectsIn } from '../../lib/objects.ts';

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
  const rows = objectsIn(await project.get(path));
  const own = rows.find((row) => String(memberAt(row, 'deployable', 'id')) === run);
  if (typeof own?.['id'] !== 'number') return [];
  const deployment = await project.get(`deployments/${own['id']}`);
  const names = [
    ...approvalsIn(deployment).flatMap(({ status, user }) =>
      status === 'approved' ? nameOf(user) : [],
    ),
    ...(variables['CI_JOB_MANUAL'] === 'true'
      ? nameOf(memberAt(deployment, 'deployable', 'user'))
      : []),
  ];
  return [...new Set(names)].sort();
}

/** The approvals of a deployment: of its environment, and of each of several rules. */
function approvalsIn(deployment: unknown): ReturnType<typeof objectsIn> {
  const rules = objectsIn(memberAt(deployment, 'approval_summary', 'rules'));
  const lists = [
    memberAt(deployment, 'approvals'),
    ...rules.map((rule) => rule['deployment_approvals']),
  ];
  return lists.flatMap(objectsIn);
}

function nameOf(user: unknown): readonly string[] {
  const name = memberAt(user, 'username');
  return typeof name === 'string' ? [name] : [];
}
