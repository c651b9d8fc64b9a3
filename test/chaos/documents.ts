import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import type { Place } from '../support/blackbox.ts';
import { PAYLOAD_VARIABLE } from '../support/canary-run.ts';
import type { LaneSettings } from './lane.ts';

/** The branch that a lane with a ledger in git keeps it on. */
export const LEDGER_BRANCH = 'fleetform-ledger';

/** Documents that give every device one task, in small batches, and a ledger. */
export function prepare(place: Place, { store, seed }: LaneSettings): void {
  const ledger =
    store === 'git'
      ? `{store: git, remote: origin, branch: ${LEDGER_BRANCH}}`
      : '{store: directory, path: ledger}';
  const task = seed % 2 === 0 ? 'rotateSslCertificate' : 'rotatePassword';
  rmSync(place.path('fleet'), { recursive: true });
  mkdirSync(place.path('fleet'));
  place.write(
    'fleet/fleet.yaml',
    `service:
  baseUrl: https://api.example.com
  organization: acme
  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 600, pollEvery: 1s}
  ledger: ${ledger}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
guardrails:
  default: {maxPercentOfFleet: 100%, maxChanges: 2000}
rollouts:
  at-once:
    canary: none
    batch: 2
    maxInFlight: 6
    waves: [{name: all, percent: 100%}]
    stopOn: {wave: 100%, model: 100%}
rotations:
  all: {task: ${task}, select: {vendor: "*"}, maxAge: 3650d, generation: 2, rollout: at-once, windows: anytime, payload: {password: {fromEnv: ${PAYLOAD_VARIABLE}}}}
`,
  );
  if (store === 'git') prepareGit(place);
}

function prepareGit(place: Place): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: place.folder, stdio: 'pipe' });
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git('init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  git('init', '--quiet', '--initial-branch=main', '.');
  git('add', 'fleet');
  git(...person, 'commit', '--quiet', '-m', 'first');
  git('remote', 'add', 'origin', place.path('origin.git'));
  git('push', '--quiet', 'origin', 'main');
}
