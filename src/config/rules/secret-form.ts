/** Formats that nothing but a secret has. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
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
  /^\$(2[aby]|5|6|argon2id?)\$/,
  /^[a-z][a-z+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/i,
];

const NAMES =
  /(pass(word|phrase|wd|code)?|pwd|secret|token|api[-_]?key|private[-_]?key|credential|pin)$/i;

/** Shorter texts say too little about chance. */
const LEAST_RANDOM = 16;

/** Bits per character from which on a text of that length is hardly a word or a name. */
const MOST_ORDERLY = 3.3;

/** Whether a text holds something that has the form of a key, a token or a hash. */
export function hasSecretForm(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** Whether a field of this name would hold a secret. */
export function namesSecret(key: string): boolean {
  return NAMES.test(key);
}

/** Whether a text looks drawn by chance: long, unbroken, of several kinds of characters, and evenly mixed. */
export function looksRandom(text: string): boolean {
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
