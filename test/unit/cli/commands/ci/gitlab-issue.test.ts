import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ciPublish } from '../../../../../src/cli/commands/ci/publish.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import {
  ADA,
  BOT_TOKEN,
  CI_TOKEN,
  createFakeGitLab,
  PROJECT_BOT,
  type FakeGitLab,
} from '../../../../support/fake-gitlab.ts';
import { scratchFolder } from '../../../../support/scratch.ts';
import { overFetch } from '../../../../../src/model/http.ts';

const folder = scratchFolder('gitlab-issue');
const SHA = 'b'.repeat(40);
const MARKER = '<!-- fleetform plan 0123456789abcdef -->';
const PLAN = `${MARKER}\n<!-- commit ${'a'.repeat(40)} -->\n### 155 changes on 12 sites\n\ntext\n`;
const COUNTS = { done: 3, failed: 1, open: 0, later: 12, person: 0, unchanged: 5 };
const OUTCOME = {
  format: 1,
  kind: 'outcome',
  commit: SHA,
  service: '0123456789abcdef',
  at: '2026-11-24T03:10:00Z',
  exit: 4,
  policies: [{ policy: 'firmware.axis\n/close\n@all', ...COUNTS }],
  next: '/merge\n@ada',
};

function shellFor(fake: FakeGitLab, outcome: object): Shell {
  writeFileSync(join(folder, 'outcome.json'), JSON.stringify(outcome));
  return {
    cwd: folder,
    env: {
      GITLAB_CI: 'true',
      GITLAB_TOKEN: BOT_TOKEN,
      CI_JOB_TOKEN: CI_TOKEN,
      CI_API_V4_URL: 'https://gitlab.example/api/v4',
      CI_PROJECT_ID: '42',
      CI_PIPELINE_URL: 'https://gitlab.example/acme/fleet/-/pipelines/31',
    },
    out: outputDouble(),
    err: outputDouble(),
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
}

describe('ci publish --run on GitLab, to the issue', () => {
  const keep = (fake: FakeGitLab, outcome: object) =>
    ciPublish.run({ to: 'issue', run: 'outcome.json', fleet: 'fleet' }, shellFor(fake, outcome));

  it('opens one issue with the pipeline of the run, edits it, and closes it', async () => {
    const fake = createFakeGitLab();
    const stranger = fake.issue(ADA, '<!-- fleetform run 0123456789abcdef -->\nmine');
    for (const _ of [1, 2]) await keep(fake, OUTCOME);
    expect(fake.issues).toHaveLength(2);
    expect(fake.issues[1]?.body).toContain(
      '[Log of that run](https://gitlab.example/acme/fleet/-/pipelines/31)',
    );
    const policies = [{ policy: 'firmware.axis', ...COUNTS, failed: 0 }];
    await keep(fake, { ...OUTCOME, exit: 0, policies });
    expect(fake.issues.map(({ state }) => state)).toEqual(['opened', 'closed']);
    expect(stranger.body).toContain('mine');
    expect([fake.obeyed, fake.mentioned]).toEqual([[], []]);
  });
});

describe('ci publish --run on GitLab, to the request', () => {
  it('puts what became of a plan into its note, and obeys nothing that a person added there', async () => {
    const fake = createFakeGitLab();
    fake.merged[SHA] = [{ iid: 7, state: 'merged', merged_at: '2026-11-24T01:00:00Z' }];
    const note = fake.note(PROJECT_BOT, `${PLAN}/close\n`);
    const other = fake.note(ADA, PLAN);
    const command = (): Promise<number> =>
      ciPublish.run(
        { to: 'request', run: 'outcome.json', fleet: 'fleet' },
        shellFor(fake, OUTCOME),
      );
    expect([await command(), await command()]).toEqual([0, 0]);
    expect(note.body.match(/<!-- fleetform outcome -->/g)).toHaveLength(1);
    expect(note.body).toContain('3 verified');
    expect(other.body).toBe(PLAN);
    expect([fake.obeyed, fake.mentioned]).toEqual([[], []]);
  });
});
