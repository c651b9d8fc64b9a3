import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './blackbox-build.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

interface Found {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

interface Offer {
  readonly label: string;
  readonly insertText?: string;
}

/** An editor's view of one file: its findings, and what a key of it can be asked. */
export interface EditedFile {
  readonly findings: readonly Found[];
  /** What is offered at a place; lines and characters are counted from 0. */
  complete(line: number, character: number): Promise<readonly string[]>;
  /** The text that is inserted for what is offered there by this label, before its places are filled in. */
  snippet(line: number, character: number, label: string): Promise<string | undefined>;
  /** What is shown at a place. */
  hover(line: number, character: number): Promise<string>;
}

const SETTINGS = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
};

/**
 * Runs the language server of editors on a file in a folder, as its own process, and lets `look` ask
 * it. No schema is configured: the server takes the one that the first line of the file names.
 */
export async function inEditor<T>(
  path: string,
  text: string,
  look: (file: EditedFile) => Promise<T>,
): Promise<T> {
  const entry = join(ROOT, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server');
  const child = spawn(process.execPath, [entry, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = new Map<number, (result: unknown) => void>();
  let found: (findings: readonly Found[]) => void = () => undefined;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const receive = ({ id, method, params, result }: Message): void => {
    if (method === 'workspace/configuration') {
      const items = params?.['items'] as readonly { readonly section?: keyof typeof SETTINGS }[];
      send({
        id,
        result: items.map(({ section }) => (section ? (SETTINGS[section] ?? null) : null)),
      });
    } else if (method === 'textDocument/publishDiagnostics') {
      found(params?.['diagnostics'] as readonly Found[]);
    } else if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (id !== undefined) answers.get(id)?.(result);
  };
  child.stdout.on('data', splitMessages(receive));
  let last = 0;
  const ask = (method: string, params: object): Promise<unknown> => {
    const id = ++last;
    const answer = new Promise<unknown>((resolve) => answers.set(id, resolve));
    send({ id, method, params });
    return answer;
  };
  try {
    const capabilities = { workspace: { configuration: true }, textDocument: {} };
    await ask('initialize', { processId: process.pid, rootUri: null, capabilities });
    send({ method: 'initialized', params: {} });
    const uri = pathToFileURL(path).href;
    const findings = await new Promise<readonly Found[]>((resolve) => {
      found = resolve;
      const textDocument = { uri, languageId: 'yaml', version: 1, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
    });
    const at = (line: number, character: number) => ({
      textDocument: { uri },
      position: { line, character },
    });
    const offered = async (line: number, character: number): Promise<readonly Offer[]> => {
      const list = await ask('textDocument/completion', at(line, character));
      return (list as { readonly items: readonly Offer[] }).items;
    };
    return await look({
      findings,
      complete: async (line, character) =>
        (await offered(line, character)).map(({ label }) => label),
      snippet: async (line, character, wanted) =>
        (await offered(line, character)).find(({ label }) => label === wanted)?.insertText,
      async hover(line, character) {
        const shown = await ask('textDocument/hover', at(line, character));
        return JSON.stringify((shown as { readonly contents?: unknown } | null)?.contents ?? '');
      },
    });
  } finally {
    child.kill();
  }
}

/** Cuts the bytes of the server into messages: a header with the length, then JSON. */
function splitMessages(receive: (message: Message) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const [, length] = /Content-Length: (\d+)/.exec(rest.subarray(0, end).toString()) ?? [];
      const start = end + 4;
      if (end === -1 || rest.length < start + Number(length)) return;
      receive(JSON.parse(rest.subarray(start, start + Number(length)).toString()) as Message);
      rest = rest.subarray(start + Number(length));
    }
  };
}
