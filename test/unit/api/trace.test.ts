import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/api/redact.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { TransportError } from '../../../src/model/ports.ts';
import { fakeService, json, type Answer } from '../../support/api-service.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { watch } from '../../support/canary-watch.ts';

interface Line {
  readonly [name: string]: unknown;
}

function traced(answer: Answer, tokens?: Answer) {
  const texts: string[] = [];
  watch('trace', () => texts.join(''));
  const trace = (line: string) => void texts.push(line);
  const service = fakeService(answer, { trace, ...(tokens && { tokens }) });
  return { ...service, texts, lines: () => texts.map((text) => JSON.parse(text) as Line) };
}

describe('a trace', () => {
  it('has a line for each request that left: what, when, how it ended, how large', async () => {
    const { client, lines } = traced(() => json({ id: 'd-1', name: 'lobby' }));
    await client.device('d-1');
    expect(lines()).toMatchObject([
      { method: 'POST', path: '/v1/auth/acme', status: 200, sentBytes: 0 },
      {
        at: '2026-11-20T20:00:00Z',
        method: 'GET',
        path: '/v1/devices/d-1',
        query: {},
        status: 200,
        ms: 0,
        receivedBytes: 27,
        received: { id: 'd-1', name: 'lobby' },
      },
    ]);
  });

  it('has every try, and the failures', async () => {
    const { client, lines } = traced((_, nth) => {
      if (nth === 1) return json({}, 503);
      if (nth === 2) throw new TransportError('sent', 'ECONNRESET');
      return json({ id: 'd-1' });
    });
    await client.device('d-1');
    expect(lines().slice(1)).toMatchObject([
      { status: 503 },
      { failure: { phase: 'sent', code: 'ECONNRESET' } },
      { status: 200 },
    ]);
  });

  it('has no secret in any form', async () => {
    const secrets = [CLIENT_SECRETS.admin, 'issued-token-9', 'refresh-9', 'hunter2-very-secret'];
    const { client, texts } = traced(
      ({ body }) =>
        json({
          taskId: 't-1',
          echo: body,
          message: 'set password hunter2-very-secret with issued-token-9',
          apiKey: 'key-77',
          nested: { userPassword: 'p-77', clientSecret: 's-77' },
        }),
      () => json({ access_token: 'issued-token-9', refresh_token: 'refresh-9', expires_in: 60 }),
    );
    await client.createTask({
      task: 'rotatePassword',
      devices: [{ deviceId: 'd-1', payload: { password: { fromEnv: 'CAMERA_PASSWORD' } } }],
      defaultPayload: { note: 'plain-value', list: ['a-value'] },
    });
    const text = texts.join('');
    const basic = Buffer.from(`ci:${CLIENT_SECRETS.admin}`).toString('base64');
    const all = [...secrets, basic, 'plain-value', 'a-value', 'key-77', 'p-77', 's-77'];
    for (const secret of [...all, 'Bearer', 'Basic']) expect(text).not.toContain(secret);
    expect(text).toContain('"deviceId":"d-1"');
  });

  it('has nothing of the answer that brings a token, whatever its fields are called', async () => {
    const texts: string[] = [];
    const { client } = fakeService(() => json({ id: 'd-1' }), {
      trace: (line) => void texts.push(line),
      dialect: resolveDialect({ tokenField: 'grant' }),
      tokens: () => json({ grant: 'opaque-1', other: 'opaque-2' }),
    });
    await client.device('d-1');
    expect(texts.join('')).not.toMatch(/opaque/);
  });

  it('has no certificate, but the times of it', async () => {
    const certificate = selfSigned.cert;
    const notAfter = '2027-01-01T00:00:00Z';
    const { client, texts } = traced(() =>
      json({ certificates: [{ type: 'ssl', certificate, blob: certificate, notAfter }], total: 1 }),
    );
    await client.certificates('d-1');
    expect(texts.join('')).not.toContain('BEGIN');
    expect(texts.join('')).toContain(notAfter);
  });

  it('leaves answers whole for their readers', async () => {
    const { client } = traced(() => json({ id: 'd-1', vendor: 'Axis' }));
    expect((await client.device('d-1')).value).toMatchObject({ vendor: 'Axis' });
  });
});

describe('a body without its secrets', () => {
  const { body } = createRedactor();

  it('keeps what is no secret', () => {
    const plain = {
      passwords: [{ userName: 'root', lastChanged: '2026-01-01T00:00:00Z' }],
      compliance: { passwordExpiry: '2027-01-01T00:00:00Z', sslCertificateStatus: 'compliant' },
      password: '2027-01-01T00:00:00Z',
      availableTask: { rotatePassword: true },
      defaultPayload: null,
    };
    expect(body(JSON.stringify(plain))).toEqual(plain);
  });

  it.each([
    { access_token: 'abc' },
    { client_secret: 'abc' },
    { note: 'Bearer abc' },
    { note: 'x eyJhbGciOiJIUzI1.eyJzdWIi.sig' },
    { payload: { pin: 1234, deep: { flag: true } } },
  ])('removes %j', (value) => {
    const text = JSON.stringify(body(JSON.stringify(value)));
    expect(text).toContain('(removed)');
    expect(text).not.toMatch(/abc|eyJ|1234|true/);
  });

  it('shows of what is not JSON the size and digest alone', () => {
    expect(body('<html>secret</html>')).toEqual({
      bytes: 19,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('reaches no prototype', () => {
    body('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
