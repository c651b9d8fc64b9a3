import { expect, test } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';

/** The codes of what is found in documents whose one payload sends a variable. */
function found(name: string): readonly string[] {
  const text = `service: {baseUrl: "https://api.example.com", organization: acme}
rotations:
  doors:
    task: rotatePassword
    select: {deviceType: camera}
    maxAge: 180d
    windows: anytime
    payload: {newPassword: {fromEnv: ${name}}}
`;
  const file = { path: 'fleet/fleet.yaml', text };
  return loadTexts([file], [], ['fleet']).diagnostics.map(({ code }) => code);
}

// What a job holds beside the credentials of fleetform: a request must not send it to the service.
test.each(
  [
    'SYSTEM_ACCESSTOKEN AZURE_DEVOPS_EXT_PAT AZURE_CLIENT_SECRET ARM_CLIENT_SECRET BUILD_TOKEN AGENT_TOKEN',
    'ENDPOINT_AUTH_PARAMETER BITBUCKET_STEP_OIDC_TOKEN JENKINS_API_TOKEN GITEA_TOKEN FORGEJO_TOKEN CIRCLE_TOKEN',
    'BUILDKITE_AGENT_ACCESS_TOKEN DRONE_TOKEN TEAMCITY_VERSION VAULT_TOKEN VAULT_ID_TOKEN AWS_SECRET_ACCESS_KEY',
    'aws_session_token GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_AUTH_ACCESS_TOKEN PGPASSWORD PGPASSFILE HTTP_PROXY',
    'https_proxy All_Proxy TF_TOKEN_app_terraform_io DOCKER_AUTH_CONFIG KUBECONFIG KUBERNETES_SERVICE_HOST KUBE_TOKEN',
    'CREDENTIALS_DIRECTORY POSTGRES_PASSWORD npm_config__auth GH_TOKEN CI',
  ].flatMap((line) => line.split(' ')),
)('a payload may not send %s (semantics D8)', (name) => {
  expect(found(name)).toEqual(['reservedVariable']);
});

test.each(['CAMERA_PASSWORD', 'CITY_PASSWORD', 'PG_DOOR', 'ARMORY_PASSWORD', 'SYSTEMS_PASSWORD'])(
  'a payload may send %s',
  (name) => expect(found(name)).toEqual([]),
);
