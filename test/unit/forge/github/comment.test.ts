import { describe, expect, it } from 'vitest';
import { githubForge, openGitHub } from '../../../../src/forge/github/github.ts';
import { keepComment, supersede } from '../../../../src/forge/sticky-comment.ts';
import { TransportError } from '../../../../src/model/ports.ts';
import {
  BOT,
  createFakeGitHub,
  REPOSITORY,
  type FakeGitHub,
} from '../../../support/fake-github.ts';
import { JOB_TOKEN } from '../../../support/canary.ts';
import { overFetch } from '../../../../src/model/http.ts';

const MARKER = '<!-- fleetform plan 0123456789abcdef -->';
const OTHER = '<!-- fleetform plan fedcba9876543210 -->';
const at = { number: 7, marker: MARKER };

const JOB = {
  repository: REPOSITORY,
  event: undefined,
  author: BOT,
  server: 'https://github.com',
  run: undefined,
};

function open(fake: FakeGitHub, waits: number[] = []) {
  const github = openGitHub({
    transport: overFetch((request) => fake.handle(request)),
    clock: { sleep: async (ms) => void waits.push(ms) },
    apiUrl: 'https://api.github.example',
    token: JOB_TOKEN,
    repository: REPOSITORY,
  });
  return githubForge(github, JOB);
}

const bodies = (fake: FakeGitHub): readonly string[] => fake.comments.map(({ body }) => body);
const busy = (status: number) => () => new Response('{"message":"hush-hush"}', { status });

describe('the comment with a plan', () => {
  it('is made once and edited from then on', async () => {
    const fake = createFakeGitHub();
    const github = open(fake);
    expect(await keepComment(github, { ...at, body: `${MARKER}\none` })).toBe('created');
    expect(await keepComment(github, { ...at, body: `${MARKER}\ntwo` })).toBe('edited');
    expect(await keepComment(github, { ...at, body: `${MARKER}\ntwo\n` })).toBe('same');
    expect(bodies(fake)).toEqual([`${MARKER}\ntwo`]);
    expect(fake.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it('is found behind hundreds of others', async () => {
    const fake = createFakeGitHub();
    for (let n = 0; n < 250; n++) fake.comment('ada', `talk ${n}`);
    fake.comment(BOT, `${MARKER}\nold`);
    expect(await keepComment(open(fake), { ...at, body: `${MARKER}\nnew` })).toBe('edited');
    expect(fake.comments).toHaveLength(251);
    expect(bodies(fake).at(-1)).toBe(`${MARKER}\nnew`);
  });

  it.each([
    ['a stranger with our marker', 'mallory', `${MARKER}\nApproved!`],
    ['a bot whose name is longer', `${BOT}s`, `${MARKER}\nApproved!`],
    ['ours that quotes the marker', BOT, `Somebody wrote:\n${MARKER}\nApproved!`],
    ['ours for another service', BOT, `${OTHER}\nold`],
    ['ours with more in the first line', BOT, `${MARKER} <b>hi</b>\nold`],
  ])('leaves alone: %s', async (_, author, body) => {
    const fake = createFakeGitHub();
    fake.comment(author, body);
    expect(await keepComment(open(fake), { ...at, body: `${MARKER}\nplan` })).toBe('created');
    expect(bodies(fake)).toEqual([body, `${MARKER}\nplan`]);
  });

  it('is one again where two jobs made two', async () => {
    const fake = createFakeGitHub();
    const oldest = fake.comment(BOT, `${MARKER}\na`);
    fake.comment(BOT, `${MARKER}\nb`);
    fake.comment(BOT, `${OTHER}\nc`);
    await keepComment(open(fake), { ...at, body: `${MARKER}\nplan` });
    expect(bodies(fake)).toEqual([`${MARKER}\nplan`, `${OTHER}\nc`]);
    expect(fake.comments[0]?.id).toBe(oldest.id);
  });

  it('is one where another job made one meanwhile', async () => {
    const fake = createFakeGitHub();
    const github = open(fake);
    const racing = {
      ...github,
      addComment: async (number: number, body: string) => {
        fake.comment(BOT, `${MARKER}\ntheirs`);
        await github.addComment(number, body);
      },
    };
    await keepComment(racing, { ...at, body: `${MARKER}\nours` });
    expect(bodies(fake)).toEqual([`${MARKER}\nours`]);
  });

  it('is one where the answer to its making got lost and the job ran again', async () => {
    const fake = createFakeGitHub();
    fake.trouble.push({
      method: 'POST',
      answer: () => {
        fake.comment(BOT, `${MARKER}\nplan`);
        throw new TransportError('sent', 'ECONNRESET');
      },
    });
    const keep = () => keepComment(open(fake), { ...at, body: `${MARKER}\nplan` });
    await expect(keep()).rejects.toMatchObject({ code: 'forgeUnreachable' });
    expect(await keep()).toBe('same');
    expect(fake.comments).toHaveLength(1);
  });

  it('gives way to a word on a commit without a plan, for all services at once', async () => {
    const fake = createFakeGitHub();
    for (const marker of [MARKER, OTHER]) fake.comment(BOT, `${marker}\nplan`);
    fake.comment('mallory', `${MARKER}\nApproved!`);
    const where = { number: 7, markers: '<!-- fleetform plan ' };
    expect(await supersede(open(fake), where, 'none')).toBe(2);
    expect(bodies(fake)).toEqual([`${MARKER}\nnone`, `${OTHER}\nnone`, `${MARKER}\nApproved!`]);
  });
});

describe('what GitHub answers', () => {
  it('is asked for again while it is busy, and a change never', async () => {
    const fake = createFakeGitHub();
    const waits: number[] = [];
    fake.trouble.push({ method: 'GET', answer: busy(502) }, { method: 'GET', answer: busy(429) });
    await keepComment(open(fake, waits), { ...at, body: `${MARKER}\nplan` });
    expect(waits).toEqual([2_000, 4_000]);
    fake.trouble.push({ method: 'PATCH', answer: busy(502) });
    const edit = keepComment(open(fake), { ...at, body: `${MARKER}\nother` });
    const failed = { code: 'forgeUnreachable', params: { status: 502 } };
    await expect(edit).rejects.toMatchObject(failed);
  });

  it.each([{ 'retry-after': '3' }, { 'x-ratelimit-remaining': '0' }])(
    'with 403 and %o is a limit of its rate, and no lack of permissions',
    async (headers) => {
      const fake = createFakeGitHub();
      const waits: number[] = [];
      for (let n = 0; n < 3; n += 1)
        fake.trouble.push({
          method: 'POST',
          answer: () => new Response('{}', { status: 403, headers }),
        });
      const kept = keepComment(open(fake, waits), { ...at, body: `${MARKER}\nplan` });
      const limited = { code: 'forgeUnreachable', params: { status: 403 } };
      await expect(kept).rejects.toMatchObject(limited);
      expect(waits).toEqual('retry-after' in headers ? [3_000, 3_000] : [2_000, 4_000]);
    },
  );

  it('is waited for as long as it says, and a change it did not take is sent again', async () => {
    const fake = createFakeGitHub();
    const waits: number[] = [];
    const limited = (after: string) => () =>
      new Response('{}', { status: 429, headers: { 'retry-after': after } });
    for (const after of ['7', '99999'])
      fake.trouble.push({ method: 'POST', answer: limited(after) });
    expect(await keepComment(open(fake, waits), { ...at, body: `${MARKER}\nplan` })).toBe(
      'created',
    );
    expect([waits, fake.comments.length]).toEqual([[7_000, 120_000], 1]);
  });

  it.each([401, 403, 404, 422, 301])(
    '%d is said with its status and without its text',
    async (status) => {
      const fake = createFakeGitHub();
      fake.trouble.push({ method: 'GET', answer: busy(status) });
      const error = await keepComment(open(fake), { ...at, body: 'x' }).catch(
        (each: unknown) => each,
      );
      expect(error).toMatchObject({ code: 'forgeRefused', params: { status } });
      expect(String(error)).not.toMatch(/hush|token-1/);
    },
  );

  it.each(['{}', 'no json'])('that is no list (%s) is refused', async (text) => {
    const fake = createFakeGitHub();
    fake.trouble.push({ method: 'GET', answer: () => new Response(text) });
    const kept = keepComment(open(fake), { ...at, body: 'x' });
    await expect(kept).rejects.toMatchObject({ code: 'forgeRefused', params: { why: 'shape' } });
  });
});
