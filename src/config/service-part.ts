/**
 * The part of a document that decides its entry `service`: two texts with equal parts have equal
 * entries, or one of them is invalid. A text that is not plain enough to tell is its own part.
 */
export function servicePart(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('service:'));
  if (start === -1) return text;
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  const end = length === -1 ? lines.length : start + 1 + length;
  const part = lines.slice(start, end).join('\n');
  const rest = [...lines.slice(0, start), ...lines.slice(end)].join('\n');
  return /[&*]/.test(part) || HOLDS_ANOTHER.test(rest) ? text : part;
}

/** A key `service` in any other form, an escape that could spell one, or a key that is marked as one. */
const HOLDS_ANOTHER = /service["']?\s*:|\\|^\s*\?/m;
