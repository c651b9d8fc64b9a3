import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createPlain, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openTransport } from '../../../../src/api/transport/transport.ts';
import { bodyText } from '../../../../src/model/http.ts';
import { request } from '../../../support/http.ts';

const servers: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server | ReturnType<typeof createPlain>): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/tasks`;
}

/** A service that answers in these pieces, each by itself. */
async function answering(pieces: readonly string[]): Promise<string> {
  const server = createPlain((socket) => {
    socket.once('data', () => {
      const [first, ...rest] = pieces;
      const write = (piece: string | undefined): void => {
        if (piece === undefined) return void socket.end();
        socket.write(piece, () => setImmediate(() => write(rest.shift())));
      };
      write(first);
    });
    socket.on('error', () => undefined);
  });
  return listening(server);
}

async function post(url: string): Promise<string> {
  const { transport, close } = openTransport();
  try {
    const answer = await transport(request(url, { method: 'POST', body: '{"taskType":"x"}' }));
    return `${answer.status} ${bodyText(answer)}`;
  } catch (error) {
    return String(error);
  } finally {
    await close();
  }
}

const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"taskId":"t-1"}';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

describe('P03 an informational answer before the final one of a POST', () => {
  it.each<readonly [string, RequestListener]>([
    ['100 Continue', (_, response) => response.writeContinue()],
    ['102 Processing', (_, response) => response.writeProcessing()],
    ['103 Early Hints', (_, response) => response.writeEarlyHints({ link: '</a>; rel=preload' })],
  ])('is passed over: %s', async (_, inform) => {
    const server = createServer((request, response) => {
      inform(request, response);
      request.resume().on('end', () => response.end('{"taskId":"t-1"}'));
    });
    expect(await post(await listening(server))).toBe('200 {"taskId":"t-1"}');
  });

  it.each([
    ['at once', [`${CONTINUE}${FINAL}`]],
    ['twice', [CONTINUE, `${CONTINUE}${FINAL}`]],
    ['byte by byte', [...CONTINUE, ...FINAL]],
    ['after 103', [`HTTP/1.1 103 Early Hints\r\n\r\n${CONTINUE}`, FINAL]],
    ['with a header', [`HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\n${FINAL}`]],
    ['not at all', [...FINAL]],
  ])('is passed over: 100 %s', async (_, pieces) => {
    expect(await post(await answering(pieces))).toBe('200 {"taskId":"t-1"}');
  });

  it.each([
    ['alone', [CONTINUE]],
    ['cut', ['HTTP/1.1 100 Con']],
    ['without an end', [`HTTP/1.1 100 Continue\r\n${'x-a: b\r\n'.repeat(20_000)}`]],
    ['after the answer began', ['HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n', CONTINUE]],
  ])('leaves the POST sent, without an answer: 100 %s', async (_, pieces) => {
    expect(await post(await answering(pieces))).toMatch(/^TransportError/u);
  });
});
