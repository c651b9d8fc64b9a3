/**
 * Controls, formats (bidi, zero width, tags), lone surrogates, private use, line and paragraph
 * separators, and everything else that a terminal hides or interprets.
 */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Plain data as JSON text: a parser restores every character, and a terminal interprets none. */
export function jsonText(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, null, indent);
  if (!/[^\n -~]/.test(text)) return text;
  return text.replace(HIDDEN, (found) => (found === '\n' ? found : escapedUnits(found)));
}

/** The value of a JSON text; undefined for a text that is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function escapedUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
