import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../../../src/cli/process/process.ts';

const FULL = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
const GONE = Object.assign(new Error('EPIPE'), { code: 'EPIPE' });

type Write = (text: string) => Error | undefined;

/** An output on a stream that fails as it is told. */
function on(write: Write) {
  const stream = new Writable({
    write: (chunk, _, done) => setImmediate(() => done(write(String(chunk)))),
  });
  return createOutput(stream as unknown as NodeJS.WriteStream);
}

describe('what a command writes', () => {
  it('is not lost where all of it was taken', async () => {
    const taken: string[] = [];
    const out = on((text) => void taken.push(text));
    out.write('one\n');
    out.write('two\n');
    expect([await out.lost?.(), taken]).toEqual([undefined, ['one\n', 'two\n', '']]);
  });

  it('is lost on a full disk, and what is written later changes nothing', async () => {
    const out = on((text) => (text === '' ? undefined : FULL));
    out.write('one\n');
    out.write('two\n');
    expect(await out.lost?.()).toBe(FULL);
    out.write('three\n');
    expect(await out.lost?.()).toBe(FULL);
  });

  it('is not called lost where its reader went away', async () => {
    const out = on(() => GONE);
    out.write('one\n');
    expect([await out.lost?.(), out.isUnread]).toEqual([undefined, true]);
  });

  it('is lost where the stream throws at once, and nobody else hears of it', async () => {
    const stream = new Writable();
    stream.write = () => {
      throw FULL;
    };
    const out = createOutput(stream as unknown as NodeJS.WriteStream);
    expect(() => out.write('one\n')).not.toThrow();
    expect(await out.lost?.()).toBe(FULL);
  });
});
