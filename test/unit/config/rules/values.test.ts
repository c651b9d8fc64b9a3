import { describe, expect, test } from 'vitest';
import { DIALECT_ROWS } from '../../../../src/dialect.gen.ts';
import {
  hasSecretForm,
  isRandomLike,
  namesSecret,
} from '../../../../src/model/documents/secret-form.ts';
import { isIntlZone, isZoneName, urlProblem } from '../../../../src/config/rules/values.ts';

test('the zones that Intl lists are those that a date formatter takes', () => {
  const listed = Intl.supportedValuesOf('timeZone');
  const others = ['UTC', 'CET', 'Etc/GMT+5', 'europe/berlin', 'Europe/Nowhere', '+02:00', 'GMT'];
  expect(listed.length).toBeGreaterThan(400);
  for (const zone of [...listed, ...others])
    expect([zone, isZoneName(zone)]).toEqual([zone, isIntlZone(zone)]);
});

describe('a base URL', () => {
  test.each([
    ['https://api.example.com'],
    ['https://api.example.com:8443/v2'],
    ['http://localhost:8080'],
    ['http://127.0.0.1'],
    ['http://[::1]:9'],
  ])('%s is fine', (text) => expect(urlProblem(text)).toBeUndefined());

  test.each([
    ['http://api.example.com', 'scheme'],
    ['http://localhost.example.com', 'scheme'],
    ['http://127.0.0.1.example.com', 'scheme'],
    ['ftp://localhost', 'scheme'],
    ['https://me@api.example.com', 'userInfo'],
    ['https://@api.example.com', 'userInfo'],
    ['https://api.example.com?', 'query'],
    ['https://api.example.com#', 'fragment'],
    ['api.example.com', 'pattern'],
    ['https://', 'pattern'],
    ['https://api.example.com /', 'pattern'],
    ['javascript:alert(1)', 'pattern'],
    ['https:///api.example.com', 'pattern'],
    ['https:////api.example.com', 'pattern'],
    ['https:\\\\api.example.com', 'pattern'],
    ['https:api.example.com', 'pattern'],
    ['data:,x', 'pattern'],
    ['file:///etc/passwd', 'scheme'],
    ['file://host/x', 'scheme'],
  ])('%s is refused: %s', (text, problem) => expect(urlProblem(text)).toBe(problem));
});

describe('a secret', () => {
  test.each([
    ['AKIAIOSFODNN7EXAMPLE'],
    [`ghp_${'a1B2'.repeat(9)}`],
    ['-----BEGIN EC PRIVATE KEY-----'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl'],
    ['$2b$12$abcdefghijklmnopqrstuv'],
    ['https://me:word@example.com/'],
  ])('has a form of its own: %s', (text) => expect(hasSecretForm(text)).toBe(true));

  test.each([
    ['HQ Berlin'],
    ['V5.7.3 build 220315'],
    ['https://api.example.com'],
    ['2027-01-31T00:00:00Z'],
    ['AC:CC:8E:01:02:03'],
    ['sk-short'],
  ])('%s is none', (text) => {
    expect(hasSecretForm(text)).toBe(false);
    expect(isRandomLike(text)).toBe(false);
  });

  test('looks random where it is long, unbroken and mixed', () => {
    expect(isRandomLike('xK9#mQ2$vL7pTz4!')).toBe(true);
    expect(isRandomLike('d41d8cd98f00b204e9800998ecf8427e')).toBe(true);
    expect(isRandomLike('CameraProfileNumberSeven')).toBe(false);
    expect(isRandomLike('minimum-length-of-a-password')).toBe(false);
  });

  test('is named like one', () => {
    for (const key of [
      'password',
      'newPassword',
      'apiKey',
      'client_secret',
      'PIN',
      'auth',
      'Login',
    ])
      expect(namesSecret(key), key).toBe(true);
    for (const key of ['passwordLength', 'keyType', 'user', 'profile', 'authority', 'lastLogin'])
      expect(namesSecret(key), key).toBe(false);
  });

  test('is not named by a key of the dialect, whatever it ends with', () => {
    expect(DIALECT_ROWS.map(({ key }) => key).filter(namesSecret)).toEqual([]);
    expect(namesSecret('rotatePassword')).toBe(true);
  });
});
