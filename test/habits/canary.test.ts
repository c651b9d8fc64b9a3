import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesLeft, search, secretsOf } from '../support/canary.ts';

const SECRET = 'canary/7f+Q2?x-9z';
const bytes = (before: string): Buffer => Buffer.from(`${before}${SECRET}:end`);

describe('the search for secrets', () => {
  it.each([
    ['plain', `the secret is ${SECRET}.`],
    ['url', `?key=${encodeURIComponent(SECRET)}&x`],
    ['hex', bytes('').toString('hex').toUpperCase()],
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
