import type { LedgerCommit } from '../model/ledger/ledger-remote.ts';

/**
 * Reads the output of `git fast-export --show-original-ids --reference-excluded-parents`: the
 * commits of one line of history, oldest first, each with its changed files. No other single
 * command returns many commits with their contents without stdin. Returns undefined for anything
 * else: a merge, a deleted or special file, a wrong length.
 */
export function exportedCommits(text: string): readonly LedgerCommit[] | undefined {
  try {
    return new Exported(Buffer.from(text, 'utf8')).commits();
  } catch (error) {
    if (error instanceof UnexpectedOutput) return undefined;
    throw error;
  }
}

class UnexpectedOutput extends Error {}

interface PartialCommit {
  id: string;
  parent: string;
  readonly files: Map<string, string>;
}

class Exported {
  readonly #bytes: Buffer;
  #at = 0;
  /** The text of a blob or the ID of a commit, by mark. */
  readonly #blobs = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  commits(): readonly LedgerCommit[] {
    const all: LedgerCommit[] = [];
    while (this.#at < this.#bytes.length) {
      const line = this.#line();
      if (line === 'blob') this.#blob();
      else if (line.startsWith('commit ')) all.push(this.#commit());
      else if (line !== '' && !line.startsWith('reset ')) throw new UnexpectedOutput(line);
    }
    return all;
  }

  #blob(): void {
    let mark = '';
    for (;;) {
      const [word, rest] = cut(this.#line());
      if (word === 'mark') mark = rest;
      else if (word === 'data') return void this.#blobs.set(mark, this.#data(rest));
      else if (word !== 'original-oid') throw new UnexpectedOutput(word);
    }
  }

  #commit(): LedgerCommit {
    const draft: PartialCommit = { id: '', parent: '', files: new Map() };
    let mark = '';
    for (let line = this.#line(); line !== ''; line = this.#line()) {
      const [word, rest] = cut(line);
      if (word === 'mark') mark = rest;
      else if (word === 'original-oid') draft.id = rest;
      else if (word === 'from') draft.parent = this.#ids.get(rest) ?? rest;
      else if (word === 'data') this.#data(rest);
      else if (word === 'M') this.#change(draft, rest);
      else if (!['author', 'committer', 'encoding'].includes(word))
        throw new UnexpectedOutput(word);
    }
    if (draft.id === '' || draft.parent.startsWith(':')) throw new UnexpectedOutput('commit');
    this.#ids.set(mark, draft.id);
    return draft;
  }

  #change({ files }: PartialCommit, rest: string): void {
    const match = /^100644 (:\d+) ([^"].*)$/.exec(rest);
    const content = this.#blobs.get(match?.[1] ?? '');
    if (match?.[2] === undefined || content === undefined) throw new UnexpectedOutput(rest);
    files.set(match[2], content);
  }

  /** Reads a number of bytes and an optional line feed. */
  #data(length: string): string {
    const end = this.#at + Number(length);
    if (!/^\d+$/.test(length) || end > this.#bytes.length)
      throw new UnexpectedOutput(`data ${length}`);
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = this.#bytes[end] === LINE_FEED ? end + 1 : end;
    return text;
  }

  #line(): string {
    const end = this.#bytes.indexOf(LINE_FEED, this.#at);
    const line = this.#bytes.toString('utf8', this.#at, end === -1 ? this.#bytes.length : end);
    this.#at = end === -1 ? this.#bytes.length : end + 1;
    return line;
  }
}

const LINE_FEED = 10;

function cut(line: string): readonly [word: string, rest: string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}
