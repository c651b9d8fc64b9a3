import { expect, it } from 'vitest';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doctor } from '../../src/index.ts';
import { completeDialect } from '../../src/twin/dialect/dialect.ts';
import { CLIENT_SECRETS } from '../support/canary.ts';
import { scratchFolder } from '../support/scratch.ts';
import { rig } from '../support/twin-rig.ts';
import { overFetch } from '../../src/model/http.ts';

const SERVICE = `service:
  baseUrl: https://twin.test
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
`;

it('the library examines a service as the command does', async () => {
  const directory = scratchFolder('doctor-library');
  mkdirSync(join(directory, 'fleet'));
  writeFileSync(join(directory, 'fleet/service.yaml'), SERVICE);
  const { twin } = rig({ dialect: completeDialect({ tokenField: 'data.token' }) });
  const checkup = await doctor({
    directory,
    env: { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin },
    transport: overFetch((request) => twin.handle(request)),
  });
  expect(checkup.dialect).toEqual({ tokenField: 'data.token' });
});
