import { describe, expect, it } from 'vitest';
import { githubForge, openGitHub } from '../../../../src/forge/github/github.ts';
import { keepIssue } from '../../../../src/forge/sticky-comment.ts';
import {
  BOT,
  createFakeGitHub,
  REPOSITORY,
  type FakeGitHub,
} from '../../../support/fake-github.ts';
import { JOB_TOKEN } from '../../../support/canary.ts';
import { overFetch } from '../../../../src/model/http.ts';

const MARKER = '<!-- fleetform drift 0123456789abcdef -->';

function keep(fake: FakeGitHub, text: string, isOpen = true) {
  const github = openGitHub({
    transport: overFetch((request) => fake.handle(request)),
    clock: { sleep: async () => undefined },
    apiUrl: 'https://api.github.example/',
    token: JOB_TOKEN,
    repository: REPOSITORY,
  });
  const body = `${MARKER}\n${text}`;
  const job = { repository: REPOSITORY, event: undefined, author: BOT, server: '', run: undefined };
  return keepIssue(githubForge(github, job), {
    marker: MARKER,
    title: `Drift ${text}`,
    body,
    isOpen,
  });
}

describe('the issue about drift', () => {
  it('is opened, edited, closed, and opened anew', async () => {
    const fake = createFakeGitHub();
    expect(await keep(fake, 'none', false)).toBe('none');
    expect(await keep(fake, '3 devices')).toBe('opened');
    expect(await keep(fake, '3 devices')).toBe('same');
    expect(await keep(fake, '4 devices')).toBe('edited');
    expect(await keep(fake, 'gone', false)).toBe('closed');
    expect(await keep(fake, '1 device')).toBe('opened');
    expect(fake.issues.map(({ state, title }) => `${state} ${title}`)).toEqual([
      'closed Drift gone',
      'open Drift 1 device',
    ]);
  });

  it('is not taken from a stranger, a pull request or a quotation', async () => {
    const fake = createFakeGitHub();
    fake.issue('mallory', `${MARKER}\nmine`);
    fake.issue(BOT, `${MARKER}\na pull request`, true);
    fake.issue(BOT, `quoted\n${MARKER}`);
    const before = structuredClone(fake.issues);
    expect(await keep(fake, '3 devices')).toBe('opened');
    expect(fake.issues.slice(0, 3)).toEqual(before);
  });

  it('is one again where two jobs opened two', async () => {
    const fake = createFakeGitHub();
    for (const text of ['a', 'b']) fake.issue(BOT, `${MARKER}\n${text}`);
    expect(await keep(fake, '3 devices')).toBe('edited');
    expect(fake.issues.map(({ state }) => state)).toEqual(['open', 'closed']);
  });
});
