import { join } from 'node:path';
import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ciPublish } from '../../../../../src/cli/commands/ci/publish.ts';
import { planLines } from '../../../../../src/plan/saved/save.ts';
import { exitOfThrown } from '../../../../../src/shell/exit.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { writeStream } from '../../../../../src/store/local-file.ts';
import { gitIn } from '../../../../support/blackbox-record.ts';
import { JOB_TOKEN } from '../../../../support/canary.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import { createClone, serviceText, type Clone } from '../../../../support/clone.ts';
import { BOT, createFakeGitHub, REPOSITORY } from '../../../../support/fake-github.ts';
import { change, comparedPlan } from '../../../../support/render-plan.ts';
import { overFetch } from '../../../../../src/model/http.ts';

/** A repository with a request, and the clone of the job that comments: the newest commit of `main`, and no more. */
function createRequest(name: string, write: (clone: Clone) => void, service = serviceText()) {
  const clone = createClone(name, { branch: 'main', service });
  const base = clone.git('rev-parse', 'HEAD');
  clone.git('checkout', '--quiet', '-b', 'feature');
  write(clone);
  const head = clone.commit('request');
  clone.push('feature');
  gitIn(clone.place, 'clone', '--quiet', '--depth=1', `file://${clone.bare}`, 'job');
  const fake = createFakeGitHub();
  const at = { sha: head, ref: 'feature', repo: { full_name: REPOSITORY } };
  fake.pulls.push({ number: 7, head: at });
  fake.mergeBase = (branch, commit) => {
    try {
      return gitIn(clone.bare, 'merge-base', branch, commit).trim();
    } catch {
      return undefined;
    }
  };
  const folder = join(clone.place, 'job');
  const comment = async (plan?: string): Promise<number> => {
    rmSync(join(folder, 'plan.json'), { force: true });
    const made = comparedPlan([change({ id: 'dev-1' })], plan);
    if (plan !== undefined) await writeStream(join(folder, 'plan.json'), planLines(made));
    const run = { event: 'pull_request', head_sha: head, head_branch: 'feature' };
    const event = { workflow_run: { ...run, head_repository: at.repo } };
    writeFileSync(join(clone.place, 'event.json'), JSON.stringify(event));
    const shell = {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: clone.place,
        GITHUB_TOKEN: JOB_TOKEN,
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_API_URL: 'https://api.github.example',
        GITHUB_EVENT_PATH: join(clone.place, 'event.json'),
      },
      out: outputDouble(),
      err: outputDouble(),
      clock: { sleep: async () => undefined },
      openTransport: async () => ({
        transport: overFetch(fake.handle),
        close: async () => undefined,
      }),
    };
    return ciPublish.run({ fleet: 'fleet', plan: ['plan.json'] }, shell as unknown as Shell);
  };
  /** What people read of a comment. */
  const lines = (): readonly string[] =>
    (fake.comments.at(-1)?.body ?? '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('<!--'));
  return { clone, base, head, fake, at, comment, lines };
}

const moved = (clone: Clone): void =>
  clone.write('fleet/fleet.yaml', serviceText().replace('remote: origin', 'branch: team-ledger'));

describe('M5 what a request changes besides its plan', () => {
  it('names both branches of the ledger first, from commits that the clone lacks', async () => {
    const { base, comment, lines, clone, head } = createRequest('change-branch', moved);
    expect(() => gitIn(join(clone.place, 'job'), 'cat-file', '-e', head)).toThrow();
    expect(await comment(base)).toBe(0);
    expect(lines()[0]).toBe(
      'GROUND CHANGE: ledger branch `fleetform-ledger` -> `team-ledger`. After a merge nothing runs until `fleetform ledger move` is recorded.',
    );
    expect(lines()[1]).toMatch(/^### /);
  });

  it('is said without a plan, too, and once there is one beside it', async () => {
    const { base, comment, lines, fake } = createRequest('change-unplanned', moved);
    for (const _ of [1, 2]) await comment();
    expect(fake.comments).toHaveLength(1);
    expect(lines()).toEqual([
      expect.stringMatching(/^GROUND CHANGE: ledger branch/),
      expect.stringMatching(/^### No plan for commit/),
      expect.any(String),
    ]);
    await comment(base);
    expect(fake.comments).toHaveLength(1);
    expect(lines()[0]).toMatch(/^GROUND CHANGE: ledger branch/);
    await comment();
    expect(lines()[0]).toMatch(/^GROUND CHANGE: ledger branch/);
  });

  it('is service, organization, place, approval, notifications and secrets, and nothing else', async () => {
    const { base, comment, lines } = createRequest('change-all', (clone) => {
      clone.write(
        'fleet/fleet.yaml',
        `service:
  baseUrl: https://api.evil.example/v1
  organization: evil
  approval: plan
  pace: {requestsPerSecond: 7}
  ledger: {store: directory, path: /srv/ledger}
  notifications: {webhook: {url: "https://evil.example/x", secret: {fromEnv: HOOK_KEY}}}
`,
      );
    });
    await comment(base);
    expect(
      lines()[0]
        ?.split('; ')
        .map((part) => part.replace(/\..*/su, '')),
    ).toEqual([
      'GROUND CHANGE: service `https://api',
      'organization `acme` -> `evil`',
      'ledger store `git` -> `directory`',
      'ledger path none -> `/srv/ledger`',
      'ledger remote `origin` -> none',
      'ledger branch `fleetform-ledger` -> none',
      'approval `commit` -> `plan`',
      'notifications none -> `json https://evil',
      'secrets none -> `HOOK_KEY`',
    ]);
  });

  it('names the receivers of notifications by the variables that they read', async () => {
    const { base, comment, lines } = createRequest('change-receivers', (clone) => {
      const list =
        '[{kind: slack, url: {fromEnv: CHAT_URL}}, {kind: json, url: {fromEnv: CALL}, secret: {fromEnv: KEY}}]';
      clone.write('fleet/fleet.yaml', serviceText(`, notifications: ${list}`));
    });
    await comment(base);
    expect(lines()[0]).toContain(
      'notifications none -> `slack from CHAT_URL, json from CALL`; secrets none -> `CALL, CHAT_URL, KEY`',
    );
  });

  it('is code that makes plans, on the next line', async () => {
    const { base, comment, lines } = createRequest('change-code', (clone) => {
      moved(clone);
      for (const path of ['.github/workflows/x.yml', 'sub/package-lock.json', '.npmrc', 'src/a.ts'])
        clone.write(path, 'x\n');
    });
    await comment(base);
    expect(lines()[0]).toMatch(/^GROUND CHANGE/);
    expect(lines()[1]).toMatch(
      /^CODE CHANGE: `\.github\/workflows\/x\.yml`, `\.npmrc`, `sub\/package-lock\.json`\./,
    );
  });

  it('is nothing where only policies change, or the target branch has moved on', async () => {
    const { base, comment, lines, clone } = createRequest('change-none', (own) =>
      own.write('fleet/windows.yaml', 'windows: {}\n'),
    );
    clone.git('checkout', '--quiet', 'main');
    moved(clone);
    clone.commit('the ledger moves');
    clone.push('main');
    await comment(base);
    expect(lines()[0]).toMatch(/^### /);
  });

  it('is of each of several fleets', async () => {
    const { base, comment, lines } = createRequest('change-fleets', (clone) => {
      clone.git('mv', 'fleet/fleet.yaml', 'fleet.yaml');
      clone.write('fleet/acme/fleet.yaml', serviceText());
    });
    await comment(base);
    expect(lines()[0]).toContain('`fleet/acme`: service none -> `https://api.example.com`');
    expect(lines()[0]).toContain('service `https://api.example.com` -> none');
  });

  it.each<readonly [string, (request: ReturnType<typeof createRequest>) => void]>([
    ['the forge knows no common commit', ({ fake }) => (fake.mergeBase = () => undefined)],
    [
      'the commit cannot be fetched',
      ({ clone }) => gitIn(join(clone.place, 'job'), 'remote', 'remove', 'origin'),
    ],
  ])('is not compared where %s, and line 1 says so', async (_, spoil) => {
    const request = createRequest(`change-spoilt-${_.length}`, moved);
    spoil(request);
    await request.comment().catch(() => undefined);
    expect(request.lines()[0]).toMatch(/^ground not compared: /);
  });

  it('is not compared where its documents are elsewhere, or have no valid service', async () => {
    for (const [name, write] of [
      ['change-elsewhere', (clone: Clone) => void clone.git('mv', 'fleet', 'other')],
      [
        'change-invalid',
        (clone: Clone) => clone.write('fleet/fleet.yaml', 'service: {baseUrl: 7}\n'),
      ],
    ] as const) {
      const { base, comment, lines } = createRequest(name, write);
      await comment(base);
      const [first = ''] = lines();
      if (name === 'change-invalid') expect(first).toMatch(/^ground not compared: .*`service`/);
      else expect(first).toMatch(/^GROUND CHANGE: service `.*` -> none/);
    }
  });
});

describe('M6 a plan belongs to one request', () => {
  const plain = (clone: Clone): void => clone.write('fleet/windows.yaml', 'windows: {}\n');
  const posted = '<!-- fleetform plan 0123456789abcdef -->\n### Plan: of an older commit';

  /** How a comment was refused: its exit code and why. */
  const refusal = async (comment: Promise<number>): Promise<readonly unknown[]> =>
    comment.then(
      (exit) => [exit],
      (error) => [exitOfThrown(error), error.params?.why],
    );

  it('of two with one head and two bases neither has a plan', async () => {
    const { base, comment, fake, at, lines } = createRequest('target-two', plain);
    fake.pulls.push({ number: 8, head: at, base: { ref: 'release' } });
    const older = fake.comment(BOT, posted);
    expect(await refusal(comment(base))).toEqual([8, 'several']);
    expect(older.body).toContain('### No plan for commit');
    expect(fake.comments).toHaveLength(1);
    expect(lines().join()).not.toContain('of an older commit');
  });

  it('a request to another branch that was closed with this head counts, a merged one does not', async () => {
    const { base, comment, fake, at } = createRequest('target-closed', plain);
    const other = { number: 6, head: at, base: { ref: 'release' }, state: 'closed' };
    fake.pulls.push(other);
    expect(await refusal(comment(base))).toEqual([8, 'closed']);
    fake.pulls.splice(1, 1, { ...other, merged_at: '2026-01-01T00:00:00Z' });
    expect(await refusal(comment(base))).toEqual([0]);
    fake.pulls.splice(1, 1, { ...other, base: { ref: 'main' } });
    expect(await refusal(comment(base))).toEqual([0]);
  });

  it('a plan that compares with another branch is not posted', async () => {
    const { clone, comment, fake, base } = createRequest('target-base', plain);
    clone.git('checkout', '--quiet', '-b', 'evil', base);
    moved(clone);
    const evil = clone.commit('a base that hides the move');
    clone.push('evil');
    const older = fake.comment(BOT, posted);
    expect(await refusal(comment(evil))).toEqual([8, 'base']);
    expect(older.body).toContain('### No plan for commit');
    expect(await refusal(comment('c'.repeat(40)))).toEqual([8, 'base']);
  });
});
