import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ciPublish } from '../../../../../src/cli/commands/ci/publish.ts';
import {
  OUTCOMES,
  type Ending,
  type RunReport,
} from '../../../../../src/model/ledger/run-report.ts';
import { outcomeJson } from '../../../../../src/render/outputs/outcome.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { JOB_TOKEN } from '../../../../support/canary.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import {
  BOT,
  createFakeGitHub,
  REPOSITORY,
  type FakeGitHub,
} from '../../../../support/fake-github.ts';
import { scratchFolder } from '../../../../support/scratch.ts';
import { change } from '../../../../support/render-plan.ts';
import { overFetch } from '../../../../../src/model/http.ts';

const folder = scratchFolder('outcome');

const SHA = 'b'.repeat(40);
const OLDER = 'c'.repeat(40);
const OLDEST = 'd'.repeat(40);
const MARKER = '<!-- fleetform plan 0123456789abcdef -->';
const PLAN = `${MARKER}\n<!-- commit ${'a'.repeat(40)} -->\n### 155 changes on 12 sites\n\ntext\n`;

const ROW = {
  policy: 'firmware.axis|p32',
  done: 3,
  failed: 1,
  open: 0,
  later: 12,
  person: 2,
  unchanged: 5,
};

const OUTCOME = {
  format: 1,
  kind: 'outcome',
  commit: SHA,
  at: '2026-11-24T03:10:00Z',
  exit: 4,
  policies: [ROW],
  next: 'Run `fleetform get task task-7 --steps`.',
};

/** The command on this file, with pull request 7 merged by its commit. */
async function outcome(
  fake: FakeGitHub,
  left: unknown,
  command: (shell: Shell) => Promise<number> = (shell) =>
    ciPublish.run({ to: 'request', run: 'outcome.json', fleet: 'fleet' }, shell),
): Promise<number> {
  fake.merged[SHA] ??= [
    { number: 7, merged_at: '2026-11-24T01:00:00Z' },
    { number: 8, merged_at: null },
  ];
  writeFileSync(join(folder, 'event.json'), '{}');
  writeFileSync(
    join(folder, 'outcome.json'),
    typeof left === 'string' ? left : JSON.stringify(left),
  );
  const shell = {
    cwd: folder,
    env: {
      GITHUB_TOKEN: JOB_TOKEN,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_API_URL: 'https://api.github.example',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
    },
    out: outputDouble(),
    err: outputDouble(),
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
  return command(shell);
}

const issue = (fake: FakeGitHub, left: unknown): Promise<number> =>
  outcome(fake, left, (shell) =>
    ciPublish.run({ to: 'issue', run: 'outcome.json', fleet: 'fleet' }, shell),
  );

describe('ci publish --run, to the request', () => {
  it('puts what became of the plan above it, and replaces that after the next run', async () => {
    const fake = createFakeGitHub();
    const ours = fake.comment(BOT, PLAN);
    const other = fake.comment('mallory', PLAN);
    expect(await outcome(fake, OUTCOME)).toBe(0);
    expect(ours.body).toBe(
      [
        MARKER,
        `<!-- commit ${'a'.repeat(40)} -->`,
        '<!-- fleetform outcome -->',
        '### Applied at `bbbbbbbbbbbb`, last run Tue 24 Nov 2026 03:10 UTC: 3 verified, 1 failed, 12 later, 3 need you (exit 4).',
        '',
        '| Policy | Now | Later | Needs you | Done |',
        '| :-- | --: | --: | --: | --: |',
        '| `firmware.axis\\u{7c}p32` | - | 12 | 3 | 8 (3 new) |',
        '',
        '**Next:** ``Run `fleetform get task task-7 --steps`.``',
        '',
        '<!-- end of outcome -->',
        '',
        '### 155 changes on 12 sites',
        '',
        'text',
        '',
      ].join('\n'),
    );
    expect(other.body).toBe(PLAN);
    const done = { ...OUTCOME, exit: 0, policies: [{ ...ROW, done: 13, failed: 0, later: 0 }] };
    await outcome(fake, done);
    expect(ours.body.match(/### Applied/g)).toHaveLength(1);
    expect(ours.body).toContain(': 13 verified, 2 need you.');
    expect(ours.body.endsWith('\n### 155 changes on 12 sites\n\ntext\n')).toBe(true);
  });

  it('has a comment of its own where the plan is a row of one comment', async () => {
    const fake = createFakeGitHub();
    const row = (service: string): string =>
      `<!-- fleetform plan fleets -->\n<!-- commit ${'a'.repeat(40)} -->\n<!-- of ${service} -->\n### 7 fleets`;
    const rows = fake.comment(BOT, row(`${'e'.repeat(16)} 0123456789abcdef`));
    const before = rows.body;
    const made = { ...OUTCOME, service: '0123456789abcdef' };
    const idle = { ...made, exit: 0, policies: [{ ...ROW, done: 0, failed: 0 }] };
    await outcome(fake, idle);
    expect(fake.comments).toHaveLength(1);
    for (const _ of [1, 2]) await outcome(fake, made);
    expect(fake.comments).toHaveLength(2);
    expect(rows.body).toBe(before);
    expect(fake.comments[1]?.body.startsWith(`${MARKER}\n<!-- fleetform outcome -->`)).toBe(true);
    const other = createFakeGitHub();
    other.comment(BOT, row('e'.repeat(16)));
    await outcome(other, made);
    expect(other.comments).toHaveLength(1);
  });

  it('leaves an outcome where the next run did nothing', async () => {
    const fake = createFakeGitHub();
    const ours = fake.comment(BOT, PLAN);
    await outcome(fake, OUTCOME);
    const before = ours.body;
    await outcome(fake, { ...OUTCOME, exit: 0, policies: [{ ...ROW, done: 0, failed: 0 }] });
    expect(ours.body).toBe(before);
  });

  it('reaches each request that was merged since the run before, once', async () => {
    const fake = createFakeGitHub();
    const at = '2026-11-24T01:00:00Z';
    fake.merged[OLDER] = [{ number: 9, merged_at: at }];
    fake.merged[OLDEST] = [
      { number: 9, merged_at: at },
      { number: 11, merged_at: null },
    ];
    const asked = (): readonly string[] =>
      fake.calls.splice(0).flatMap(({ path }) => /issues\/(\d+)\/comments/.exec(path)?.[1] ?? []);
    const commits = [OLDEST, OLDER, SHA];
    await outcome(fake, { ...OUTCOME, commits });
    expect(asked()).toEqual(['9', '7']);
    // A run that did nothing has no news for the earlier ones.
    await outcome(fake, { ...OUTCOME, commits, policies: [{ ...ROW, done: 0, failed: 0 }] });
    expect(asked()).toEqual(['7']);
  });

  it('edits the comment of its own service alone', async () => {
    const fake = createFakeGitHub();
    const ours = fake.comment(BOT, PLAN);
    const other = fake.comment(BOT, PLAN.replace('0123456789abcdef', 'f'.repeat(16)));
    await outcome(fake, { ...OUTCOME, service: '0123456789abcdef' });
    expect(ours.body).toContain('3 verified');
    expect(other.body).not.toContain('3 verified');
  });

  it('drops the plan where both do not fit into one comment', async () => {
    const fake = createFakeGitHub();
    const ours = fake.comment(BOT, `${PLAN}${'x'.repeat(65_300 - PLAN.length)}`);
    await outcome(fake, OUTCOME);
    expect(ours.body.length).toBeLessThan(2_000);
    expect(ours.body.startsWith(`${MARKER}\n`)).toBe(true);
    expect(ours.body).toContain('3 verified');
  });

  it('edits nothing for a commit of no pull request', async () => {
    const fake = createFakeGitHub();
    fake.merged[SHA] = [];
    const ours = fake.comment(BOT, PLAN);
    expect(await outcome(fake, OUTCOME)).toBe(0);
    expect(ours.body).toBe(PLAN);
  });

  it.each([
    ['no JSON', 'gibberish'],
    ['another format', { ...OUTCOME, format: 2 }],
    ['a commit that is a path', { ...OUTCOME, commit: '../../pulls/1' }],
    ['another commit that is a path', { ...OUTCOME, commits: ['../../pulls/1'] }],
    ['too many commits', { ...OUTCOME, commits: Array.from({ length: 51 }, () => SHA) }],
    ['a count that is text', { ...OUTCOME, policies: [{ ...ROW, done: '3' }] }],
    ['a row without its policy', { ...OUTCOME, policies: [{ ...ROW, policy: undefined }] }],
    [
      'more policies than anybody has',
      { ...OUTCOME, policies: Array.from({ length: 60_000 }, () => ROW) },
    ],
    ['a service that is markup', { ...OUTCOME, service: '-->' }],
    ['too much text', { ...OUTCOME, next: 'x'.repeat(2_001) }],
  ])('refuses a file with %s', async (_, left) => {
    await expect(outcome(createFakeGitHub(), left)).rejects.toMatchObject({
      code: 'artifactRefused',
    });
  });
});

describe('ci publish --run, to the issue', () => {
  const SERVICE = '0123456789abcdef';
  const FAILED = { ...OUTCOME, service: SERVICE };
  const row = (exit: number, counts: object) => ({
    ...FAILED,
    exit,
    policies: [{ ...ROW, failed: 0, person: 0, ...counts }],
  });

  it('opens one issue after a run that failed, edits it in place, and closes it', async () => {
    const fake = createFakeGitHub();
    await issue(fake, FAILED);
    await issue(fake, FAILED);
    const [one] = fake.issues;
    expect(fake.issues).toHaveLength(1);
    expect(one?.title).toBe('fleetform: a run needs a person');
    expect(one?.body.split('\n')[0]).toBe(`<!-- fleetform run ${SERVICE} -->`);
    expect(one?.body).toContain('| `firmware.axis\\u{7c}p32` | - | 12 | 3 |');
    await issue(fake, row(5, { open: 2 }));
    expect(one?.title).toBe('fleetform: some outcomes are in doubt');
    await issue(fake, row(7, { later: 3 }));
    expect(fake.issues).toHaveLength(1);
    expect(one?.state).toBe('closed');
  });

  it('leaves it open while changes need a person, or another run holds the lock', async () => {
    const fake = createFakeGitHub();
    await issue(fake, FAILED);
    await issue(fake, row(0, { person: 1 }));
    await issue(fake, row(6, {}));
    expect(fake.issues.map(({ state }) => state)).toEqual(['open']);
  });

  it('leaves it open for the last of a thousand policies, as the run has left them', async () => {
    const fake = createFakeGitHub();
    await issue(fake, FAILED);
    const endings = Array.from({ length: 1_000 }, (_, nth): readonly Ending[] => {
      const at = { policy: `firmware.p${nth}`, file: 'fleet/a.yaml', line: 1, column: 1 };
      const one = (id: string) => change({ id: `${id}${nth}` }, { at });
      if (nth === 999)
        return [{ change: one('a'), outcome: 'skipped', reason: { code: 'quarantined' } }];
      return [one('a'), one('b')].map((each) => ({ change: each, outcome: 'verified' }));
    }).flat();
    const counts = Object.fromEntries(OUTCOMES.map((each) => [each, 0])) as RunReport['counts'];
    const report = { planId: 'p', endings, notes: [], counts, anomalies: [], attempts: 1_998 };
    const how = { now: 0, exit: 0, commit: SHA, commits: [SHA], service: SERVICE };
    const left = outcomeJson(report, how);
    await issue(fake, left);
    expect(fake.issues.map(({ state }) => state)).toEqual(['open']);
    expect(await outcome(fake, left)).toBe(0);
  });

  it('keeps an issue for each service, and opens none for a run without trouble', async () => {
    const fake = createFakeGitHub();
    await issue(fake, row(0, {}));
    expect(fake.issues).toEqual([]);
    await issue(fake, FAILED);
    await issue(fake, { ...FAILED, service: 'f'.repeat(16) });
    expect(fake.issues).toHaveLength(2);
    await issue(fake, row(0, {}));
    expect(fake.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  it('wants exactly one file', async () => {
    const wrong = (flags: object) => () =>
      outcome(createFakeGitHub(), FAILED, (shell) =>
        ciPublish.run({ fleet: 'fleet', ...flags }, shell),
      );
    await expect(wrong({})).rejects.toMatchObject({ code: 'usage' });
    await expect(wrong({ drift: 'a', run: 'b' })).rejects.toMatchObject({ code: 'usage' });
    await expect(wrong({ drift: 'a', to: 'issue' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('publishes in both places; an issue that fails changes nothing', async () => {
    const fake = createFakeGitHub();
    const both = (shell: Shell) => ciPublish.run({ run: 'outcome.json', fleet: 'fleet' }, shell);
    expect(await outcome(fake, FAILED, both)).toBe(0);
    expect(fake.issues).toHaveLength(1);
  });
});
