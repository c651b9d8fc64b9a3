import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { identifyProcess, processScope } from '../../../src/shell/identity.ts';

const { startedAt, isAlive } = identifyProcess(process.pid, {});

/** The pid of a process that has ended. */
function ended(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

describe('whether a process still runs', () => {
  it('is known of one on this machine', () => {
    expect(isAlive(process.pid, startedAt)).toBe(true);
    expect(isAlive(ended(), startedAt)).toBe(false);
  });

  it('is not the case for one whose pid another has now', () => {
    expect(isAlive(process.pid, startedAt.replace(/\d+$/, '1'))).toBe(false);
  });

  it('is not said of one that cannot be seen from here, whatever its host is called', () => {
    expect(isAlive(ended(), 'another-place:1')).toBe(true);
    expect(isAlive(ended(), '')).toBe(true);
  });
});

describe('where a pid means something', () => {
  it('is nowhere on a system that tells no machine from another', () => {
    expect(processScope('', '')).toBe('');
    expect(processScope('', 'pid:[4026531836]')).toBe('');
    expect(processScope('a machine', '')).toBe('');
  });

  it('is one place for each machine and space of processes', () => {
    const scopes = [
      processScope('a', 'x'),
      processScope('b', 'x'),
      processScope('a', 'y'),
      processScope('a', 'x'),
    ];
    expect(new Set(scopes).size).toBe(3);
  });
});

describe('a label', () => {
  it('is the address of the run in CI, else a user at a host', () => {
    const env = {
      GITHUB_SERVER_URL: 'https://git.example.com',
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_RUN_ID: '7',
    };
    expect(identifyProcess(1, env).label).toBe('https://git.example.com/acme/fleet/actions/runs/7');
    const job = { GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.example/acme/fleet/-/jobs/7' };
    expect(identifyProcess(1, job).label).toBe(job.CI_JOB_URL);
    expect(identifyProcess(1, {}).label).toMatch(/^[^@]+@.+$/);
  });
});
