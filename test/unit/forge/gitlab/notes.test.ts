import { describe, expect, it } from 'vitest';
import {
  gitlabForge,
  openGitLab,
  withoutQuickActions,
} from '../../../../src/forge/gitlab/gitlab.ts';
import { keepComment, supersede, keepIssue } from '../../../../src/forge/sticky-comment.ts';
import { TransportError } from '../../../../src/model/ports.ts';
import {
  ADA,
  BOT_TOKEN,
  CI_TOKEN,
  createFakeGitLab,
  PROJECT,
  PROJECT_BOT,
  type FakeGitLab,
} from '../../../support/fake-gitlab.ts';
import { quickActionsIn } from '../../../support/gitlab-markdown.ts';
import { overFetch } from '../../../../src/model/http.ts';

const MARKER = '<!-- fleetform plan 0123456789abcdef -->';
const OTHER = '<!-- fleetform plan fedcba9876543210 -->';
const at = { number: 7, marker: MARKER };

function open(fake: FakeGitLab, more: { token?: string; author?: string; waits?: number[] } = {}) {
  const { token = BOT_TOKEN, author = '', waits = [] } = more;
  const gitlab = openGitLab({
    transport: overFetch((request) => fake.handle(request)),
    clock: { sleep: async (ms) => void waits.push(ms) },
    apiUrl: 'https://gitlab.example/sub/api/v4/',
    project: PROJECT,
    jobToken: CI_TOKEN,
    token,
  });
  return gitlabForge(gitlab, { variables: {}, author, folder: '' });
}

const bodies = (fake: FakeGitLab): readonly string[] => fake.notes.map(({ body }) => body);

describe('the note with a plan', () => {
  it('is made once and edited from then on', async () => {
    const fake = createFakeGitLab();
    const forge = open(fake);
    expect(await keepComment(forge, { ...at, body: `${MARKER}\none` })).toBe('created');
    expect(await keepComment(forge, { ...at, body: `${MARKER}\ntwo` })).toBe('edited');
    expect(await keepComment(forge, { ...at, body: `${MARKER}\ntwo\n` })).toBe('same');
    expect(bodies(fake)).toEqual([`${MARKER}\ntwo`]);
    expect(fake.calls.filter(({ path }) => path.endsWith('/user'))).toHaveLength(1);
  });

  it.each([250, 300])('is found behind %d others, on any page', async (count) => {
    const fake = createFakeGitLab();
    for (let n = 1; n < count; n++) fake.note(ADA, `talk ${n}`);
    fake.note(PROJECT_BOT, `${MARKER}\nold`);
    expect(await keepComment(open(fake), { ...at, body: `${MARKER}\nnew` })).toBe('edited');
    expect([fake.notes.length, bodies(fake).at(-1)]).toEqual([count, `${MARKER}\nnew`]);
    expect(fake.calls.filter(({ method }) => method === 'GET')).toHaveLength(4);
  });

  it.each([
    ['a stranger with our marker', ADA, false, `${MARKER}\nApproved!`],
    ['a note that GitLab itself wrote in our name', PROJECT_BOT, true, `${MARKER}\nchanged`],
    ['ours that quotes the marker', PROJECT_BOT, false, `Somebody wrote:\n${MARKER}\nApproved!`],
    ['ours for another service', PROJECT_BOT, false, `${OTHER}\nold`],
  ])('leaves alone: %s', async (_, author, system, body) => {
    const fake = createFakeGitLab();
    fake.note(author, body, system);
    expect(await keepComment(open(fake), { ...at, body: `${MARKER}\nplan` })).toBe('created');
    expect(bodies(fake)).toEqual([body, `${MARKER}\nplan`]);
  });

  it('is one again where two jobs made two', async () => {
    const fake = createFakeGitLab();
    for (const text of [`${MARKER}\na`, `${MARKER}\nb`, `${OTHER}\nc`])
      fake.note(PROJECT_BOT, text);
    await keepComment(open(fake), { ...at, body: `${MARKER}\nplan` });
    expect(bodies(fake)).toEqual([`${MARKER}\nplan`, `${OTHER}\nc`]);
  });

  it('is by the author that the job names', async () => {
    const fake = createFakeGitLab();
    fake.note(ADA, `${MARKER}\nold`);
    const forge = open(fake, { author: ADA.username });
    expect(await keepComment(forge, { ...at, body: `${MARKER}\nnew` })).toBe('edited');
    expect(fake.calls.some(({ path }) => path.endsWith('/user'))).toBe(false);
  });

  it('is as long as GitLab takes, and renders within its time', () => {
    expect(open(createFakeGitLab()).maxLength).toBeLessThanOrEqual(1_000_000);
  });
});

describe('a line that GitLab would obey', () => {
  const orders = ['/close', '/approve', '  /merge', '/label ~secret', '/assign @ada'];

  it.each(orders)('is text in a note and in an issue: %s', async (order) => {
    const fake = createFakeGitLab();
    const forge = open(fake);
    await keepComment(forge, { ...at, body: `${MARKER}\n${order}\nrest` });
    await supersede(forge, { number: 7, markers: '<!-- fleetform plan ' }, `\n${order}`);
    for (const isOpen of [true, false])
      await keepIssue(forge, { marker: MARKER, title: 't', body: `${MARKER}\n${order}`, isOpen });
    expect(fake.obeyed).toEqual([]);
    expect(fake.issues.map(({ state }) => state)).toEqual(['closed']);
  });

  it('is obeyed in what a person writes, which the fake sees', () => {
    expect(quickActionsIn('hello\n/close\n/path/to\n```\n/merge\n```\n')).toEqual(['/close']);
    expect(withoutQuickActions('a / b\n/c')).toBe('a / b\n\\/c');
  });
});

describe('tokens', () => {
  it('of a project write, and reach the API alone', async () => {
    const fake = createFakeGitLab();
    await keepComment(open(fake), { ...at, body: `${MARKER}\nplan` });
    expect(new Set(fake.calls.map(({ tokens }) => JSON.stringify(tokens)))).toEqual(
      new Set([JSON.stringify({ job: '', private: BOT_TOKEN })]),
    );
  });

  it('of a job read requests, and are not tried on what they may not write', async () => {
    const fake = createFakeGitLab();
    const forge = open(fake, { token: '' });
    const merged = { iid: 7, state: 'merged', merged_at: '2026-11-23T12:00:00Z' };
    fake.merged['abc'] = [{ ...merged, iid: 9 }, merged, { iid: 8, state: 'opened' }, merged];
    expect(await forge.mergedRequests('abc')).toEqual([
      { number: 7, name: '!7' },
      { number: 9, name: '!9' },
    ]);
    const before = fake.calls.length;
    const missing = { code: 'forgeMissing', params: { missing: 'GITLAB_TOKEN' } };
    await expect(forge.comments(7)).rejects.toMatchObject(missing);
    await expect(forge.openIssues()).rejects.toMatchObject(missing);
    await expect(forge.addComment(7, 'x')).rejects.toMatchObject(missing);
    await expect(forge.addIssue({ title: 't', body: 'x' })).rejects.toMatchObject(missing);
    expect(fake.calls).toHaveLength(before);
  });
});

describe('what GitLab answers', () => {
  const limited = (after: string) => () =>
    new Response('{"message":"hush-hush"}', { status: 429, headers: { 'retry-after': after } });

  it('is waited for as long as it says, and a note it did not take is sent again', async () => {
    const fake = createFakeGitLab();
    const waits: number[] = [];
    fake.trouble.push({ method: 'GET', answer: limited('3') });
    for (const after of ['7', '99999'])
      fake.trouble.push({ method: 'POST', answer: limited(after) });
    const body = `${MARKER}\nplan`;
    expect(await keepComment(open(fake, { waits }), { ...at, body })).toBe('created');
    expect([waits, fake.notes.length]).toEqual([[3_000, 7_000, 120_000], 1]);
  });

  it('is one note where the answer to its making got lost and the job ran again', async () => {
    const fake = createFakeGitLab();
    fake.trouble.push({
      method: 'POST',
      answer: () => {
        fake.note(PROJECT_BOT, `${MARKER}\nplan`);
        throw new TransportError('sent', 'ECONNRESET');
      },
    });
    const keep = () => keepComment(open(fake), { ...at, body: `${MARKER}\nplan` });
    const lost = { code: 'forgeUnreachable', params: { forge: 'GitLab' } };
    await expect(keep()).rejects.toMatchObject(lost);
    expect(await keep()).toBe('same');
  });

  it.each([401, 403, 404, 400, 302])(
    '%d is said with its status and without its text',
    async (status) => {
      const fake = createFakeGitLab();
      const location = { location: 'https://elsewhere.example/' };
      const answer = () => new Response('{"message":"hush-hush"}', { status, headers: location });
      fake.trouble.push({ method: 'POST', answer });
      const kept = keepComment(open(fake), { ...at, body: `${MARKER}\nx` });
      const error = await kept.catch((each: unknown) => each);
      expect(error).toMatchObject({ code: 'forgeRefused', params: { forge: 'GitLab', status } });
      expect(String(error)).not.toMatch(/hush|canary/);
    },
  );
});
