import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { certificatePem } from '../../../../src/twin/world/certificate.ts';
import { START, DAY } from '../../../support/twin-rig.ts';

const issue = { serial: 'ff00aa11', notBefore: START, notAfter: START + 365 * DAY };

describe('a certificate of the twin', () => {
  it('is one that node reads, valid for exactly its issue, signed by its own key', () => {
    const certificate = new X509Certificate(certificatePem('door.example', issue));
    expect(certificate.subject).toBe('CN=door.example');
    expect(Date.parse(certificate.validFrom)).toBe(issue.notBefore);
    expect(Date.parse(certificate.validTo)).toBe(issue.notAfter);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  it('reads the same every time', () => {
    expect(certificatePem('door.example', issue)).toBe(certificatePem('door.example', issue));
  });

  it.each([
    ['serial', 'door.example', { ...issue, serial: '01' }],
    ['device', 'gate.example', issue],
  ])('has another fingerprint and key for another %s', (_what, subject, other) => {
    const first = new X509Certificate(certificatePem('door.example', issue));
    const second = new X509Certificate(certificatePem(subject, other));
    expect(second.fingerprint256).not.toBe(first.fingerprint256);
    expect(second.verify(first.publicKey)).toBe(false);
  });

  it('holds with a long name', () => {
    const name = `${'x'.repeat(200)}.example`;
    expect(new X509Certificate(certificatePem(name, issue)).subject).toBe(`CN=${name}`);
  });
});
