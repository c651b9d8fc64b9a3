import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteGit } from '../../../src/git/git.ts';
import { JOB_TOKEN } from '../../support/canary.ts';
import { scratchFolder } from '../../support/scratch.ts';

const TOKEN = JOB_TOKEN;
const folder = scratchFolder('access');
const heard: (string | undefined)[] = [];
let server: Server;
let url = '';

beforeAll(async () => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  server = createServer(({ headers }, answer) => {
    heard.push(headers.authorization);
    answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

async function headersSent(more: Readonly<Record<string, string>>): Promise<typeof heard> {
  heard.length = 0;
  const env = { PATH: process.env['PATH'], HOME: folder, GITHUB_TOKEN: TOKEN, ...more };
  await remoteGit(folder, env, { silence: 10_000 })('ls-remote', '--', `${url}/a/b`);
  return heard;
}

describe('the token of a job', () => {
  const sent = `basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

  it('opens the server that the job belongs to', async () => {
    const job = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: url };
    expect(new Set(await headersSent(job))).toEqual(new Set([sent]));
  });

  it('takes the place of one that the clone kept', async () => {
    const kept = ['config', `http.${url}/.extraheader`, 'AUTHORIZATION: basic a2VwdA=='];
    execFileSync('git', kept, { cwd: folder });
    const job = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: url };
    expect(new Set(await headersSent(job))).toEqual(new Set([sent]));
    execFileSync('git', ['config', '--unset', `http.${url}/.extraheader`], { cwd: folder });
  });

  it('opens the server of a job of GitLab, and one made for pushing comes first', async () => {
    const job = { GITLAB_CI: 'true', CI_SERVER_URL: `${url}/`, CI_JOB_TOKEN: TOKEN };
    const basic = (login: string) => `basic ${Buffer.from(login).toString('base64')}`;
    expect(new Set(await headersSent(job))).toEqual(new Set([basic(`gitlab-ci-token:${TOKEN}`)]));
    const pushing = { ...job, CI_JOB_TOKEN: 'other', FLEETFORM_PUSH_TOKEN: TOKEN };
    expect(new Set(await headersSent(pushing))).toEqual(new Set([basic(`fleetform:${TOKEN}`)]));
  });

  it.each([
    [
      'another server of GitLab',
      { GITLAB_CI: 'true', CI_SERVER_URL: 'https://gitlab.example', CI_JOB_TOKEN: TOKEN },
    ],
    ['no job of GitLab', { CI_SERVER_URL: 'URL', CI_JOB_TOKEN: TOKEN }],
    ['another server', { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.example' }],
    ['no job', { GITHUB_SERVER_URL: 'URL' }],
  ])('is not shown to %s', async (_, env) => {
    const named = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replace('URL', url)]),
    );
    expect(new Set(await headersSent(named))).toEqual(new Set([undefined]));
  });
});
