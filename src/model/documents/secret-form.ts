import { DIALECT_ROWS } from '../../dialect.gen.ts';

/** Formats that only secrets have. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[\s\S]*)/,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  /\bgithub_pat_\w{22,}\b/,
  /\bglpat-[\w-]{20,}\b/,
  /\bxox[abeoprs]-[\w-]{10,}\b/,
  /\b[rs]k_(live|test)_[A-Za-z0-9]{16,}\b/,
  /\bsk-[A-Za-z0-9_-]{20,}\b/,
  /\bAIza[\w-]{35}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/,
  /(?<![\w$])\$(2[aby]|5|6|argon2id?)\$[^\s"']*/,
];

/** A URL with a user and a password. */
const ADDRESS = /\b[a-z][a-z+.-]*:\/\/[^/\s:@"']+:[^/\s@"']+@/i;

const GLOBAL: readonly RegExp[] = FORMS.map(({ source, flags }) => new RegExp(source, `${flags}g`));

/**
 * Ends of key names, without the separators of their words; includes the most common misspelling.
 */
const NAMES = new RegExp(
  `(${[
    'pas+(w?(or|ro)d|wort|phrase|wd|code|key)?|kennwort|pwd?|psk|pin(code)?|secret(key)?|token',
    '(api|private|access|shared|auth)key|credential|authorization|basicauth|bearer|community',
  ].join('|')})s?$`,
  'i',
);

/** Names that are those of a secret only as a whole: `authority` and `lastLogin` are none. */
const WHOLE = /^(auth|login)s?$/i;

/** Shorter strings are too short to measure randomness. */
const LEAST_RANDOM = 16;

/** A string with at least this many bits per character is rarely a word or a name. */
const MOST_ORDERLY = 3.3;

/** Whether a text contains something in the form of a key, a token or a hash. */
export function hasSecretForm(text: string): boolean {
  return [...FORMS, ADDRESS].some((form) => form.test(text));
}

/** Every part of a text in such a form; in a URL only a part is secret. */
export function secretForms(text: string): readonly RegExpExecArray[] {
  return GLOBAL.flatMap((form) => [...text.matchAll(form)]);
}

/** Keys of ours: `filterRotatePassword` holds the name of a filter. */
const OURS: ReadonlySet<string> = new Set(DIALECT_ROWS.map(({ key }) => key));

/** Whether the name of a field is that of a secret. */
export function namesSecret(key: string): boolean {
  if (OURS.has(key)) return false;
  const name = key.replaceAll(/[\s_-]/g, '');
  return NAMES.test(name) || WHOLE.test(name);
}

/**
 * Whether a string looks random: long, unbroken, of several character classes, and evenly mixed.
 */
export function isRandomLike(text: string): boolean {
  if (text.length < LEAST_RANDOM || /\s/.test(text)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length;
  const isHex = /^[0-9a-f]{32,}$/i.test(text);
  return isHex || (kinds >= 3 && bitsPerCharacter(text) > MOST_ORDERLY);
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
