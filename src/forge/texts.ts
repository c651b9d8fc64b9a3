/** Whether two texts are equal, ignoring line ends and trailing blanks, which servers change. */
export function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}

export function firstLine(text: string): string {
  return text.split(/\r?\n/)[0]?.trim() ?? '';
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
