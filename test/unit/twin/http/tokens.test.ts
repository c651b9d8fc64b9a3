import { SignJWT, UnsecuredJWT, decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { HOUR, basic, rig, type Rig } from '../../../support/twin-rig.ts';
import { CLIENT_SECRETS } from '../../../support/canary.ts';

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const devices = async (one: Rig, token: string): Promise<number> =>
  (await one.send('/v1/devices?limit=1', bearer(token))).status;

describe('the token endpoint', () => {
  it('turns Basic credentials into a JWT of one hour with user, role and sites', async () => {
    const one = rig();
    const answer = await one.send('/v1/auth/acme', { method: 'POST', headers: basic('viewer') });
    const body = (await answer.json()) as { access_token: string; expires_in: number };
    expect(body).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 3600,
    });
    expect(decodeJwt(body.access_token)).toMatchObject({
      sub: 'v',
      name: 'Vera Viewer',
      role: 'viewer',
      sites: [1],
      exp: one.now() / 1000 + 3600,
    });
  });

  it.each([
    ['another organisation', '/v1/auth/other', basic('admin'), 404],
    ['a wrong secret', '/v1/auth/acme', { Authorization: `Basic ${btoa('a:wrong')}` }, 401],
    [
      'an unknown client',
      '/v1/auth/acme',
      { Authorization: `Basic ${btoa(`x:${CLIENT_SECRETS.admin}`)}` },
      401,
    ],
    ['no credentials', '/v1/auth/acme', {}, 401],
    ['a bearer header', '/v1/auth/acme', { Authorization: 'Bearer x' }, 401],
  ])('answers %s with its status', async (_what, path, headers, status) => {
    const answer = await rig().send(path, { method: 'POST', headers });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toHaveProperty('message');
  });

  it('refuses a body that is not a JSON object', async () => {
    const init = { method: 'POST', headers: basic('admin'), body: '{' };
    expect((await rig().send('/v1/auth/acme', init)).status).toBe(400);
  });

  it('issues and takes refresh tokens only where the provider enabled them', async () => {
    const one = rig({ refreshTokens: true });
    const init = { method: 'POST', headers: basic('admin') };
    const { refresh_token } = (await (await one.send('/v1/auth/acme', init)).json()) as Record<
      string,
      string
    >;
    const body = JSON.stringify({ grant_type: 'refresh_token', refresh_token });
    expect((await one.send('/v1/auth/acme', { ...init, body })).status).toBe(200);
    expect(await devices(one, String(refresh_token))).toBe(401);
    const foreign = { method: 'POST', headers: basic('operator'), body };
    expect((await one.send('/v1/auth/acme', foreign)).status).toBe(401);
  });
});

describe('a bearer token', () => {
  it('ends after one hour on the clock of the twin, to the second', async () => {
    const one = rig();
    const token = await one.token();
    one.pass(HOUR - 1000);
    expect(await devices(one, token)).toBe(200);
    one.pass(1000);
    expect(await devices(one, token)).toBe(401);
  });

  it.each([
    '/v1/devices',
    '/v1/sites',
    '/v1/deviceSources',
    '/v1/discoveredDevices',
    '/v1/tasks/x',
  ])('is needed for %s', async (path) => {
    expect((await rig().send(path)).status).toBe(401);
  });

  const claims = { role: 'admin', use: 'access' };
  const key = (text: string): Uint8Array => new TextEncoder().encode(text);
  const jwt = (wrong: { alg?: string; audience?: string; issuer?: string; kid?: string } = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: wrong.alg ?? 'HS256', ...(wrong.kid && { kid: wrong.kid }) })
      .setSubject('a')
      .setIssuer(wrong.issuer ?? 'fleetform-twin')
      .setAudience(wrong.audience ?? 'acme')
      .setExpirationTime('10y');
  const own = (one: Rig): Uint8Array => Buffer.from(one.twin.world.state.signingKey, 'base64url');

  it.each<[string, (one: Rig) => string | Promise<string>]>([
    ['algorithm none', () => new UnsecuredJWT(claims).setSubject('a').encode()],
    ['a foreign key', () => jwt().sign(key('a'.repeat(32)))],
    ['an algorithm off the list', (one) => jwt({ alg: 'HS512' }).sign(own(one))],
    ['a key id that points to a file', () => jwt({ kid: '../../dev/null' }).sign(key(' '))],
    ['another audience', (one) => jwt({ audience: 'other' }).sign(own(one))],
    ['another issuer', (one) => jwt({ issuer: 'other' }).sign(own(one))],
    ['a swapped payload', async (one) => swapped(await one.token('viewer'))],
    ['no dots', () => 'token'],
  ])('is refused with %s', async (_what, forge) => {
    const one = rig();
    expect(await devices(one, await forge(one))).toBe(401);
  });

  it('is taken when nothing of that is wrong', async () => {
    const one = rig();
    expect(await devices(one, await jwt().sign(own(one)))).toBe(200);
  });
});

function swapped(token: string): string {
  const [head, , signature] = token.split('.');
  const payload = { ...decodeJwt(token), role: 'admin', sub: 'a' };
  return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
}
