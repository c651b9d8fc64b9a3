/** The fields of a comment or issue that fleetform reads. */
export interface PostedText {
  readonly id: number;
  /** The number of an issue; 0 for a comment. */
  readonly number: number;
  readonly author: string;
  readonly title: string;
  readonly body: string;
  /** Whether the issue is a pull request. */
  readonly isPull: boolean;
}

/** Reads a row of a list; undefined if it is no comment or issue. */
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

/** Whether the first line starts with the marker. Further down it may be quoted or forged. */
export function isMarked(text: PostedText, marker: string): boolean {
  return text.body.startsWith(marker);
}

/** Whether two texts are equal, ignoring line ends and trailing blanks, which servers change. */
export function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
