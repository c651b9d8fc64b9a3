/** A comment or an issue, as much of it as we look at. */
export interface PostedText {
  readonly id: number;
  /** The number of an issue; 0 for a comment. */
  readonly number: number;
  readonly author: string;
  readonly title: string;
  readonly body: string;
  /** An issue that is a pull request. */
  readonly isPull: boolean;
}

/** A row of a list; undefined for what is none. */
export function postedText(row: unknown): PostedText | undefined {
  if (!isJsonObject(row) || typeof row['id'] !== 'number' || !isJsonObject(row['user']))
    return undefined;
  const { id, number, user, title, body } = row;
  return {
    id,
    number: typeof number === 'number' ? number : 0,
    author: typeof user['login'] === 'string' ? user['login'] : '',
    title: typeof title === 'string' ? title : '',
    body: typeof body === 'string' ? body : '',
    isPull: isJsonObject(row['pull_request']),
  };
}

export function isBy(text: PostedText, author: string): boolean {
  return text.author === author;
}

/** The first line begins so; what stands further down was quoted or forged. */
export function isMarked(text: PostedText, marker: string): boolean {
  return text.body.startsWith(marker);
}

/** Servers change line ends and cut blanks at the end. */
export function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
