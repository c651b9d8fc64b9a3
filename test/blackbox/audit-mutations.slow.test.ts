import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditVerify } from '../../src/cli/commands/audit-verify.ts';
import { exitOfError } from '../../src/shell/exit.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { WorldError } from '../../src/model/error.ts';
import {
  appendTo,
  encodeRecord,
  headAfter,
  EMPTY_HEAD,
  hashRecord,
} from '../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../src/ledger/checkpoint.ts';
import { continueDraft, fold, foldMore } from '../../src/ledger/fold.ts';
import { sha256 } from '../../src/lib/canonical.ts';
import type { LedgerRecord, RecordBody } from '../../src/model/ledger/record.ts';
import { directoryStore } from '../../src/store/directory.ts';
import { pinnedStore } from '../../src/store/head-pin.ts';
import { appendText } from '../../src/store/layout.ts';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { applied, gitIn, offline } from '../support/blackbox-record.ts';
import { outputDouble } from '../support/cli-output.ts';
import { lock, RELEASE } from '../support/ledger-records.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { scratchFolder } from '../support/scratch.ts';

const place = createPlace();
const copies = scratchFolder('mutations');
let env: Env;

beforeAll(async () => {
  ({ env } = await applied(place, 20));
  await withCheckpoints(place.folder);
}, PATIENCE.timeout);
afterAll(() => {
  place[Symbol.dispose]();
});

/** Two more runs that do nothing, each of which leaves a checkpoint. */
async function withCheckpoints(folder: string): Promise<void> {
  const { files, seen } = ledgerOf({ folder });
  const [root = ''] = (files[0] ?? '').split('/records/');
  const store = pinnedStore(directoryStore(join(folder, root)), [join(folder, seen)]);
  for (const nonce of ['next', 'last']) {
    const { records, head } = await store.read(0);
    const before = fold(records);
    const by = { epoch: before.epoch + 1, at: records.at(-1)?.at ?? '', tool: '1' };
    const taken = appendTo(head, [lock(nonce)], by);
    await store.append(taken, head);
    const memory = foldMore(before, taken);
    const { body, text } = writeCheckpoint(continueDraft(memory).finish());
    await store.append(appendTo(memory.head, [body, RELEASE], by), memory.head, text);
  }
}

/** A history of its own to spoil, with chance of its own. */
interface Spoilt {
  readonly folder: string;
  readonly pick: (below: number) => number;
  read(name: string): string;
  write(name: string, text: string): void;
}

type Spoil = (history: Spoilt) => void;

const dice = (seed: number) => {
  let state = seed * 2_654_435_761 + 1;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return state % below;
  };
};

async function exitAfter(spoil: Spoil, seed: number): Promise<number> {
  const folder = join(copies, String(seed));
  cpSync(place.folder, folder, { recursive: true });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  spoil({ folder, pick: dice(seed), read, write });
  const shell = {
    env: { ...offline(env), PATH: process.env['PATH'], HOME: folder },
    cwd: folder,
    out: outputDouble(),
    err: outputDouble(),
    clock: createVirtualClock(0),
    random: () => 0.5,
  } as unknown as Shell;
  const files = { snapshot: 'fleet.snapshot', plan: 'plan.json' };
  const flags = { fleet: 'fleet', format: 'text', ...files } as const;
  const code = await auditVerify.run(flags, shell).catch(codeOf);
  return code;
}

/** What the command line makes of a ledger that it does not even open. */
function codeOf(error: unknown): number {
  if (error instanceof WorldError) return exitOfError(error.code);
  throw error;
}

/** The appends of the ledger, file by file, and the file in which this machine says what it saw. */
function ledgerOf({ folder }: Pick<Spoilt, 'folder'>): {
  readonly files: readonly string[];
  readonly seen: string;
} {
  const all = readdirSync(join(folder, '.fleetform'), { recursive: true }).map(String).sort();
  const files = all.filter((name) => /records.*\d{9}\.json$/.test(name));
  const seen = all.find((name) => name.endsWith('.head')) ?? '';
  return { files: files.map((name) => join('.fleetform', name)), seen: join('.fleetform', seen) };
}

/** Another character in a random place. */
function changed(text: string, pick: Spoilt['pick']): string {
  for (;;) {
    const at = pick(text.length);
    const now = text.charAt(at);
    if (!/[0-9a-zA-Z]/.test(now)) continue;
    const other = now === 'x' ? 'y' : /\d/.test(now) ? String((Number(now) + 1) % 10) : 'x';
    return text.slice(0, at) + other + text.slice(at + 1);
  }
}

/** A history that somebody wrote anew who knows how: every record spoilt as said, the chain and the checkpoints whole again. */
function forge(
  history: Spoilt,
  spoil: (records: LedgerRecord[][]) => LedgerRecord[][],
  digest = (before: readonly LedgerRecord[]): RecordBody =>
    writeCheckpoint(continueDraft(fold(before)).finish()).body,
): void {
  const { files, seen } = ledgerOf(history);
  const appends = files.map((file) => {
    return (JSON.parse(history.read(file)) as { records: LedgerRecord[] }).records;
  });
  let head = EMPTY_HEAD;
  const all: LedgerRecord[] = [];
  for (const file of files) rmSync(join(history.folder, file));
  for (const [index, records] of spoil(appends).entries()) {
    const chained: LedgerRecord[] = [];
    for (const record of records) {
      const last = chained.at(-1);
      const prev = last ? hashRecord(last) : head.hash;
      const seq = (last?.seq ?? head.seq) + 1;
      const body = record.body.type === 'CHECKPOINT' ? digest(all) : record.body;
      chained.push({ ...record, body, prev, seq });
      all.push({ ...record, body, prev, seq });
    }
    head = headAfter(chained, head);
    history.write(files[index] ?? '', appendText({ lines: chained.map(encodeRecord), head }));
  }
  rmSync(join(history.folder, seen));
}

/** Appends since the note on the commit: whoever forges them and takes the pin of this machine along leaves no witness. */
const UNSEEN = 4;

const LIES: Readonly<Record<string, Spoil>> = {
  'a byte of the ledger': (history) => {
    const { files } = ledgerOf(history);
    const file = files[history.pick(files.length)] ?? '';
    history.write(file, changed(history.read(file), history.pick));
  },
  'an append taken away': (history) => {
    const { files } = ledgerOf(history);
    rmSync(join(history.folder, files[history.pick(files.length)] ?? ''));
  },
  'the end of the ledger cut off': (history) => {
    const { files } = ledgerOf(history);
    for (const file of files.slice(history.pick(files.length))) rmSync(join(history.folder, file));
  },
  'two appends in each other’s place': (history) => {
    const { files } = ledgerOf(history);
    const at = history.pick(files.length - 1);
    const [one = '', two = ''] = [files[at], files[at + 1 + history.pick(files.length - at - 1)]];
    const held = history.read(one);
    history.write(one, history.read(two));
    history.write(two, held);
  },
  'a record edited and the chain forged': (history) =>
    forge(history, (appends) => {
      const at = history.pick(appends.length - UNSEEN);
      return appends.with(at, (appends[at] ?? []).map(later));
    }),
  'an append dropped and the chain forged': (history) =>
    forge(history, (appends) => appends.toSpliced(history.pick(appends.length - UNSEEN), 1)),
  'two appends swapped and the chain forged': (history) =>
    forge(history, (appends) => {
      const at = history.pick(appends.length - 1);
      return appends.with(at, appends[at + 1] ?? []).with(at + 1, appends[at] ?? []);
    }),
  'a checkpoint of another state and the chain forged': (history) =>
    forge(
      history,
      (appends) => appends,
      (before) => {
        const parts = continueDraft(fold(before)).finish();
        const isLast = before.some(({ body }) => body.type === 'CHECKPOINT');
        const epoch = parts.epoch + (isLast ? 1 + history.pick(9) : 0);
        return writeCheckpoint({ ...parts, epoch }).body;
      },
    ),
  'a byte of the snapshot': (history) =>
    history.write('fleet.snapshot', changed(history.read('fleet.snapshot'), history.pick)),
  'a line of the snapshot taken away, and its end forged': (history) => {
    const lines = history.read('fleet.snapshot').trimEnd().split('\n').slice(0, -1);
    const left = lines.toSpliced(1 + history.pick(lines.length - 1), 1);
    history.write('fleet.snapshot', signed(left));
  },
  'another moment of the snapshot, and its end forged': (history) => {
    const [header = '', ...rows] = history
      .read('fleet.snapshot')
      .trimEnd()
      .split('\n')
      .slice(0, -1);
    const of = JSON.parse(header) as { takenAt: number };
    const moved = JSON.stringify({ ...of, takenAt: of.takenAt + 1 + history.pick(1000) });
    history.write('fleet.snapshot', signed([moved, ...rows]));
  },
  'a byte of the plan': (history) =>
    history.write('plan.json', changed(history.read('plan.json'), history.pick)),
  'a word of the plan, and its end forged': (history) => {
    const text = history.read('plan.json');
    const risks = [...text.matchAll(/"risk":"(\w+)"/g)];
    const found = risks[history.pick(risks.length)];
    const [index, word = ''] = [found?.index ?? 0, found?.[1]];
    const other = word === 'low' ? 'high' : 'low';
    const lied =
      text.slice(0, index) + text.slice(index).replace(`"risk":"${word}"`, `"risk":"${other}"`);
    const body = lied.slice(0, lied.indexOf('"digest":"', lied.lastIndexOf('],"count"')));
    history.write('plan.json', `${body}"digest":"${sha256(body)}"}\n`);
  },
  'the note on the commit': (history) => {
    const note = gitIn(history.folder, 'notes', '--ref=fleetform', 'show', 'HEAD');
    // A note that names another ledger is that one's: as if it were taken away, which leaves a run unproved.
    const of = /Ledger-Head: \w{12} /.exec(note)?.[0] ?? '';
    let lied = changed(note, history.pick);
    while (!lied.includes(of)) lied = changed(note, history.pick);
    history.write('note', lied);
    const by = ['-c', 'user.name=M', '-c', 'user.email=m@example.com'];
    gitIn(history.folder, ...by, 'notes', '--ref=fleetform', 'add', '-f', '-F', 'note', 'HEAD');
  },
  'the documents, and their commit written anew': (history) => {
    const files = ['limits', 'exceptions', 'sites'].map((name) => `fleet/${name}.yaml`);
    const file = files[history.pick(files.length)] ?? '';
    history.write(file, `${history.read(file)}# ${history.pick(1000)}\n`);
    const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    gitIn(history.folder, ...by, 'commit', '--quiet', '--all', '--amend', '--no-edit');
    gitIn(history.folder, 'reflog', 'expire', '--expire=now', '--all');
    gitIn(history.folder, 'update-ref', '-d', 'refs/notes/fleetform');
    gitIn(history.folder, 'prune', '--expire=now');
  },
};

/** Some way to change what a record says without breaking its shape. */
function later(record: LedgerRecord): LedgerRecord {
  return { ...record, at: new Date(Date.parse(record.at) + 60_000).toISOString() };
}

function signed(lines: readonly string[]): string {
  const digest = sha256(lines.map((line) => `${line}\n`).join(''));
  return [...lines, JSON.stringify({ count: lines.length - 1, digest }), ''].join('\n');
}

/** Two hundred lies and twelve, or 64 of them where `AUDIT_LIES=all` does not ask for every one. */
const ALL = process.env['AUDIT_LIES'] === 'all';
const TRIED = ALL ? [20, 12] : [5, 4];

const KINDS = Object.entries(LIES).map(([name, spoil], index) => ({
  name,
  spoil,
  seeds: Array.from({ length: TRIED[index < 4 ? 0 : 1] ?? 0 }, (_, n) => index * 100 + n + 1),
}));

describe('audit verify', { timeout: 900_000 }, () => {
  it('finds nothing in a history that nobody touched', async () => {
    expect(await exitAfter(() => undefined, 0)).toBe(0);
  });

  it('is tried on as many lies as are said', () => {
    expect(KINDS.flatMap(({ seeds }) => seeds)).toHaveLength(ALL ? 212 : 64);
  });

  it.each(KINDS)('finds $name, every time', async ({ spoil, seeds }) => {
    const missed: number[] = [];
    for (const seed of seeds) if ((await exitAfter(spoil, seed)) !== 9) missed.push(seed);
    expect(missed).toEqual([]);
  });
});
