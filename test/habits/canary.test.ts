import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { htmlJson } from '../../src/render/sinks/html-sink.ts';
import { CLIENT_SECRETS, filesLeft, search, secretsOf } from '../support/canary.ts';
import { objectsLeft } from '../support/canary-git.ts';
import { settleWatched, watch } from '../support/canary-watch.ts';
import { outputDouble } from '../support/cli-output.ts';
import { GitPlace, PERSON } from '../support/git-place.ts';

const SECRET = 'canary/7f+Q2?x-9z"&<é';
const bytes = (before: string): Buffer => Buffer.from(`${before}${SECRET}:end`);

describe('the search for secrets', () => {
  it.each([
    ['plain', `the secret is ${SECRET}.`],
    ['json, byte by byte', Buffer.from(JSON.stringify([SECRET])).toString('latin1')],
    ['script', String(htmlJson({ key: SECRET }))],
    ['url', `?key=${encodeURIComponent(SECRET)}&x`],
    ['hex', bytes('').toString('hex').toUpperCase()],
    ['json', JSON.stringify({ key: `"${SECRET}\\` })],
    ['page', '<p>canary/7f+Q2?x-9z&quot;&amp;&lt;é</p>'],
    ['form', new URLSearchParams({ key: SECRET }).toString()],
    ['base64', bytes('').toString('base64')],
    ['base64 after one letter', bytes('a').toString('base64')],
    ['base64 after two letters', bytes('ab').toString('base64')],
    ['base64 of a pair', bytes('client-id:').toString('base64')],
    ['base64 for addresses', bytes('a:').toString('base64url')],
  ])('finds it in a text: %s', (_, text) => {
    const found = search([{ name: 'out', text }], [SECRET]);
    expect(found.hits).not.toEqual([]);
    expect(found.hits.join()).not.toContain(SECRET);
  });

  it.each([
    ['a token', `x eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhYmMifQ.c2lnbmF0dXJlLXh5eg y`],
    ['a key', '-----BEGIN RSA PRIVATE KEY-----'],
    ['a header', 'Authorization: Basic YWJjOmRlZmdoaWpr'],
  ])('finds %s that nobody planted', (_, text) => {
    expect(search([{ name: 'out', text }], []).hits).toHaveLength(1);
  });

  it('finds nothing in what is clean, and counts it', () => {
    const found = search([{ name: 'out', text: 'authorization: [removed] é' }], [SECRET]);
    expect(found).toEqual({ files: 1, bytes: 27, hits: [] });
  });

  it('knows secrets by the names of variables, and the password of a proxy', () => {
    const env = {
      FLEETFORM_CLIENT_SECRET: 'client-secret-1',
      FLEETFORM_CLIENT_SECRET_FILE: '/run/secret-file',
      CAMERA_PASSWORD: 'camera-password',
      GITHUB_TOKEN: 'job-token-1',
      HTTPS_PROXY: 'http://user:proxy%2Dpassword@proxy.example:8080',
      HOME: '/home/somebody-else',
      OTHER_TOKEN: 'short',
    };
    expect(secretsOf(env)).toEqual([
      'client-secret-1',
      'camera-password',
      'job-token-1',
      'proxy-password',
    ]);
  });

  it('looks into every file but what a test wrote and nobody changed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetform-canary-'));
    for (const name of ['given', 'changed', 'made']) writeFileSync(join(folder, name), SECRET);
    const given = new Map([
      ['given', SECRET],
      ['changed', ''],
    ]);
    const { hits } = search(filesLeft(folder, given), [SECRET]);
    rmSync(folder, { recursive: true });
    expect([...new Set(hits)].sort()).toEqual(['changed: plain', 'made: plain']);
  });
});

/** What the search says of a secret that was planted, without a line in the sum of `npm test`. */
function complaintOf(settle: () => void): string {
  const report = process.env['FLEETFORM_CANARIES'];
  delete process.env['FLEETFORM_CANARIES'];
  try {
    settle();
    return 'nothing';
  } catch (error) {
    return String(error);
  } finally {
    if (report !== undefined) process.env['FLEETFORM_CANARIES'] = report;
  }
}

describe('a planted secret', () => {
  it('is found in what a command prints in this process', () => {
    outputDouble().write(`logged in with ${CLIENT_SECRETS.viewer}\n`);
    expect(complaintOf(settleWatched)).toContain('what a command printed: plain');
    expect(complaintOf(settleWatched)).toBe('nothing');
  });

  it('is found in a ledger or a report, as JSON writes it', () => {
    watch('ledger', () => JSON.stringify([{ body: { why: CLIENT_SECRETS.admin } }]));
    expect(complaintOf(settleWatched)).toContain('ledger: json');
  });

  it.each(['loose', 'packed', 'in a note', 'on no branch'])('is found in git: %s', (how) => {
    const place = new GitPlace();
    const git = (...args: readonly string[]): string => place.git(place.clone, ...args);
    writeFileSync(join(place.clone, 'file'), `key: ${CLIENT_SECRETS.operator}\n`);
    if (how === 'in a note')
      git(...PERSON, 'notes', '--ref=fleetform', 'add', '-F', 'file', 'HEAD');
    else {
      git('add', 'file');
      git(...PERSON, 'commit', '--quiet', '-m', 'oops');
      git('rm', '--quiet', 'file');
      if (how === 'packed') git('gc', '--quiet');
      if (how === 'on no branch') git('reset', '--quiet', '--hard', 'HEAD^');
    }
    rmSync(join(place.clone, 'file'), { force: true });
    const { hits } = search(objectsLeft(place.root), [CLIENT_SECRETS.operator]);
    expect(hits).toContain('objects of clone/.git: plain');
    expect(complaintOf(() => place[Symbol.dispose]())).toContain('objects of clone/.git: plain');
  });
});
