/**
 * An answer whose whole body has been received. A `Response` made of bytes copies them twice and reads
 * them as a stream, which costs a short answer more than the rest of the client does.
 */
export class BufferedAnswer extends Response {
  /** The body; not to be changed. */
  readonly received: Buffer;

  constructor(received: Buffer, init: { readonly status: number; readonly headers: Headers }) {
    super(null, init);
    this.received = received;
  }

  override readonly text = (): Promise<string> =>
    Promise.resolve(new TextDecoder().decode(this.received));

  override readonly json = (): Promise<unknown> =>
    this.text().then((text) => JSON.parse(text) as unknown);

  override readonly arrayBuffer = (): Promise<ArrayBuffer> =>
    Promise.resolve(new Uint8Array(this.received).buffer);

  override readonly clone = (): Response => {
    const { status, headers } = this;
    return new BufferedAnswer(this.received, { status, headers });
  };
}
