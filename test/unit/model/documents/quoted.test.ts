import { describe, expect, test } from 'vitest';
import { SECRET, SECRET_DOCUMENTS } from '../../../support/secret-documents.ts';
import {
  HIDDEN,
  quotable,
  shownQuote,
  withoutSecretForms,
  quotableEntry,
} from '../../../../src/model/documents/quoted.ts';

describe('a document as it is quoted', () => {
  test.each(Object.entries(SECRET_DOCUMENTS))('hides a secret %s', (_, text) => {
    const quoted = quotable(text);
    expect(shownQuote(quoted)).not.toContain(SECRET);
    expect(quoted).toHaveLength(text.length);
    expect(quoted.split('\n').map(({ length }) => length)).toEqual(
      text.split('\n').map(({ length }) => length),
    );
    expect(text.includes('acme') ? quoted : 'acme').toContain('acme');
  });

  test('hides every line of a key, and nothing behind it', () => {
    const lines = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEow', '-----END RSA PRIVATE KEY-----'];
    const quoted = quotable(`a: |\n  ${lines.join('\n  ')}\nb: shown\n`);
    expect(shownQuote(quoted)).toBe('a: |\n  ***\n  ***\n  ***\nb: shown\n');
  });

  test.each([
    ['rotations:\n  camera-passwords:\n    task: rotatePassword\n    maxAge: 180d\n'],
    ['rotations: {camera-password: {task: rotatePassword, maxAge: 180d}}\n'],
    ['rotations:\n  a: {payload: {password: {fromEnv: NAME}, list: []}, windows: anytime}\n'],
    ['rotations:\n  a:\n    payload:\n      password:\n        fromEnv: NAME\n    windows: x\n'],
    ['service: {baseUrl: https://api.example.com, dialect: {tokenField: access_token}}\n'],
    ['exceptions: {a: {type: pin, select: {device: [x]}, reason: pin it}}\n'],
    ['service: {pace: {tokenRequestsPerMinute: 5}}\n'],
  ])('shows what is no secret: %s', (text) => expect(quotable(text)).toBe(text));

  test('does not tell how long a secret is', () => {
    expect(shownQuote(quotable('password: x\n'))).toBe('password: ***\n');
    expect(shownQuote(quotable('password: a much longer one\n'))).toBe('password: ***\n');
    expect(quotable('password: x')).toBe(`password: ${HIDDEN}`);
  });

  test('takes linear time for hostile texts', () => {
    const count = 40_000;
    for (const text of ['password: ', '//', '{', '"', 'password: [', "password: '", '? '])
      expect(quotable(text.repeat(count))).toHaveLength(text.length * count);
  });
});

test('a value is shown without its user, its query and known forms', () => {
  expect(withoutSecretForms('https://me:a@example.com/?k=b')).toBe('https://***@example.com/?***');
  expect(withoutSecretForms('x AKIAIOSFODNN7EXAMPLE y')).toBe('x *** y');
  expect(withoutSecretForms('11.11.x')).toBe('11.11.x');
});

describe('one entry of a section', () => {
  const ENTRY = '  passwords:\n    task: rotatePassword\n    payload: {login: hunter2pass}\n';

  test('may have the name of a secret, and hides those that it has', () => {
    const shown = shownQuote(quotableEntry('rotations', ENTRY));
    expect(shown).toContain('  passwords:\n    task: rotatePassword\n');
    expect(shown).not.toContain('hunter2pass');
    expect(quotableEntry('rotations', ENTRY)).toHaveLength(ENTRY.length);
    expect(shownQuote(quotable(ENTRY))).not.toContain('rotatePassword');
  });
});
