/** An answer with its value in place of bytes. Read as text, it is the JSON that a service sends. */
export class ParsedAnswer extends Response {
  readonly value: unknown;

  /** @param value what JSON can hold, read-only; a member that is undefined is absent */
  constructor(value: unknown, { status, headers }: ParsedInit) {
    super(null, { status, headers: { 'content-type': 'application/json', ...headers } });
    this.value = value;
  }

  override readonly text = (): Promise<string> => Promise.resolve(JSON.stringify(this.value));

  override readonly json = (): Promise<unknown> =>
    this.text().then((text) => JSON.parse(text) as unknown);

  override readonly arrayBuffer = (): Promise<ArrayBuffer> =>
    this.text().then((text) => new Uint8Array(Buffer.from(text)).buffer);
}

interface ParsedInit {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
