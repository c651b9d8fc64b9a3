import { checkChain, isSameHead } from '../ledger/chain.ts';
import {
  type HeadFile,
  NO_HEAD_FILE,
  headFileAfter,
  headText,
  parseHeadFile,
} from '../ledger/head-file.ts';
import { sha256 } from '../lib/canonical.ts';
import { WorldError } from '../model/error.ts';
import type { LedgerCommit, LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { LedgerRead, LedgerStore, Random } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import { randomText } from './locking.ts';
import { parseAppend, appendText } from './layout.ts';

/** The only files of a commit. It contains no workflow, so a push starts no job. */
const HEAD = 'head.json';
const RECORDS = 'records.json';

/**
 * A ledger as a branch of a git remote (protocol J3), for CI and for several machines: each append
 * is a commit on the append before, pushed only if the branch is still at that parent. `random`
 * makes every commit unique; otherwise two writers could push the same commit and both believe that
 * they won.
 */
export function gitStore(remote: LedgerRemote, random: Random): LedgerStore {
  return new GitStore(remote, random);
}

interface Position {
  readonly commit: string;
  readonly file: HeadFile;
  /** Its append says that the branch of heads has to be there. */
  readonly kept?: true | undefined;
}

/** How often the branch is read where its heads are newer. */
const LOOKS = 3;

const START: Position = { commit: '', file: NO_HEAD_FILE };

class GitStore implements LedgerStore {
  readonly place: string;
  readonly #remote: LedgerRemote;
  readonly #random: Random;
  /** How far this process has read or written. */
  #known = START;
  /** An append whose push is unclear. It is pushed again unchanged until the branch moves. */
  #pending: { readonly onto: string; readonly at: Position } | undefined;
  #isProbed = false;
  /** The branch of heads was there when the ledger was last read. */
  #hasHeads = false;

  constructor(remote: LedgerRemote, random: Random) {
    this.place = remote.place;
    this.#remote = remote;
    this.#random = random;
  }

  async read(afterSeq: number) {
    const read = await this.#readOn(afterSeq >= this.#known.file.seq ? this.#known : START);
    return { ...read, records: read.records.filter(({ seq }) => seq > afterSeq) };
  }

  async readLatest(): Promise<LedgerRead> {
    const isNew = this.#known === START;
    if (!isNew) await this.read(this.#known.file.seq);
    const tip = isNew ? await this.#remote.tip() : this.#known.commit;
    const latest = tip === '' ? undefined : await this.#latest(tip);
    if (!latest) return this.read(0);
    const { at, records, checkpoint } = latest;
    if (isNew) this.#known = at;
    const read = await this.#readOn(at, tip);
    return { ...read, records: [...records, ...read.records], checkpoint };
  }

  /** The append with the newest CHECKPOINT, where its commit has the text. */
  async #latest(tip: string) {
    const { commit, files } = await this.#hinted(tip);
    const { state, kept } = parseHeadFile(files?.get(HEAD));
    const text = files?.get(RECORDS) ?? '';
    // A commit with anything else is no append: whoever reads all of them refuses it.
    if (commit === undefined || state === undefined || files?.size !== 2) return undefined;
    const where = { place: this.place, file: `${commit.slice(0, 12)}:${RECORDS}` };
    const first = parseAppend(Buffer.from(text, 'utf8'), where);
    const [{ body, epoch } = {}] = first.records;
    if (body?.type !== 'CHECKPOINT') return undefined;
    const before = { ...NO_HEAD_FILE, epoch: epoch ?? 0 };
    const file = headFileAfter(before, first.records, first.head);
    return { at: { commit, file, kept }, records: first.records, checkpoint: state };
  }

  /** Where the newest `head.json` says that the last CHECKPOINT is: it may say anything. */
  async #hinted(tip: string) {
    let commit = await this.#remote.before?.(tip, 0);
    let files = commit === undefined ? undefined : await this.#remote.files?.(commit);
    const { back = 0 } = parseHeadFile(files?.get(HEAD));
    if (back === 0) return { commit, files };
    commit = await this.#remote.before?.(tip, back);
    files = commit === undefined ? undefined : await this.#remote.files?.(commit);
    return { commit, files };
  }

  async #readOn(from: Position, seen?: string): Promise<LedgerRead> {
    for (let looks = 1; ; looks += 1) {
      const tip = looks === 1 && seen !== undefined ? seen : await this.#remote.tip();
      const records: LedgerRecord[] = [];
      const end = await this.#follow(from, tip, records);
      this.#known = end;
      const { seq, hash } = end.file;
      const kept = await this.#keptHead(end);
      // An append between two refs of one answer: the heads are newer than the branch was.
      if (kept && kept.seq > seq && looks < LOOKS) continue;
      return { records, head: { seq, hash }, ...(kept && { kept }) };
    }
  }

  /**
   * The head that the branch of heads names; nothing without such a branch, unless the newest append says that there was
   * one (protocol M12): whoever took it away may have taken records, too.
   */
  async #keptHead({ commit, file, kept }: Position): Promise<LedgerRead['kept']> {
    const heads = await this.#remote.heads?.(HEAD, commit);
    this.#hasHeads = heads !== undefined && heads.commit !== '';
    if (!heads || (heads.commit === '' && !kept)) return undefined;
    if (heads.commit === commit) return { seq: file.seq, hash: file.hash };
    const damaged = { seq: 1, hash: sha256(heads.commit || commit), isDamaged: true } as const;
    return parseHeadFile(heads.text).head ?? damaged;
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead, checkpoint?: string) {
    if (!isSameHead(this.#known.file, onHead)) await this.read(onHead.seq);
    if (!isSameHead(this.#known.file, onHead)) return 'lost';
    const onto = this.#known.commit;
    const at = await this.#committed(records, onto, checkpoint);
    this.#pending = { onto, at };
    const answer = await this.#remote.move(onto, at.commit);
    if (answer === 'unclear') return 'unknown';
    this.#pending = undefined;
    if (answer === 'elsewhere') return 'lost';
    this.#known = at;
    return 'acknowledged';
  }

  async probe(): Promise<void> {
    // A ledger of which this process has read records has taken them already.
    if (this.#isProbed || this.#known.file.seq > 0) return;
    const { head } = await this.read(this.#known.file.seq);
    if (head.seq === 0) await probeRemote(this.#remote, this.#random);
    this.#isProbed = true;
  }

  async #committed(
    records: readonly LedgerRecord[],
    onto: string,
    checkpoint: string | undefined,
  ): Promise<Position> {
    const chained = checkChain(records, this.#known.file);
    const { head } = chained;
    const again = this.#pending;
    if (again?.onto === onto && isSameHead(again.at.file, head)) return again.at;
    const file = headFileAfter(this.#known.file, records, head);
    const isAccepted = records.some(
      ({ body }) => body.type === 'LOCK' && (body.lost ?? body.rejected) !== undefined,
    );
    const kept = this.#hasHeads || (isAccepted ? undefined : this.#known.kept);
    const said = headText(file, { state: checkpoint, kept });
    const files = { [HEAD]: said, [RECORDS]: appendText(chained) };
    // The commit message: record types and a sequence number. It names no person of a record.
    const types = [...new Set(records.map(({ body }) => body.type))].join(' ');
    const message = `fleetform ledger ${head.seq}: ${types}\n\nwriter: ${randomText(this.#random, 16)}`;
    return { commit: await this.#remote.commit({ parent: onto, files, message }), file, kept };
  }

  /**
   * Reads the branch from a known position to its tip. The position must be an ancestor of the tip.
   */
  async #follow(from: Position, tip: string, records: LedgerRecord[]): Promise<Position> {
    const known = this.#known;
    const commits = tip === '' || tip === from.commit ? [] : await this.#commits(from.commit, tip);
    let at = from;
    let isPassed = from.commit === known.commit;
    for (const commit of commits) {
      if (commit.parent !== at.commit) throw await this.#rolledBack(tip);
      at = readCommit(commit, at, this.place, records);
      isPassed ||= at.commit === known.commit;
    }
    if (!isPassed || at.commit !== tip) throw await this.#rolledBack(tip);
    return at;
  }

  async #commits(after: string, upTo: string): Promise<readonly LedgerCommit[]> {
    const commits = await this.#remote.commits(after, upTo);
    if (commits) return commits;
    throw new WorldError('ledgerBroken', { place: this.place, why: 'notALedger' });
  }

  /** The error for a branch that no longer contains what this process has read. */
  async #rolledBack(tip: string): Promise<WorldError> {
    let found = START;
    for (const commit of tip === '' ? [] : await this.#commits('', tip))
      found = readCommit(commit, found, this.place, []);
    const { seq } = this.#known.file;
    return new WorldError('ledgerRolledBack', {
      place: this.place,
      found: found.file.seq,
      seen: seq,
    });
  }
}

function readCommit(
  { id, parent, files }: LedgerCommit,
  from: Position,
  place: string,
  records: LedgerRecord[],
): Position {
  const commit = id.slice(0, 12);
  const where = { place, file: `${commit}:${RECORDS}` };
  const text = files.get(RECORDS);
  if (text === undefined || !files.has(HEAD) || files.size !== 2 || parent !== from.commit) {
    const changes = [...files.keys()].slice(0, 3).join(', ');
    const about = { place, seq: from.file.seq + 1, file: `commit ${commit}`, changes };
    throw new WorldError('ledgerBroken', { ...about, why: 'notALedger' });
  }
  const next = parseAppend(Buffer.from(text, 'utf8'), where, from.file);
  for (const record of next.records) records.push(record);
  const { kept } = parseHeadFile(files.get(HEAD));
  return { commit: id, file: headFileAfter(from.file, next.records, next.head), kept };
}

/** How often the probe repeats a race without a winner. */
const ROUNDS = 3;

type Answer = Awaited<ReturnType<LedgerRemote['move']>>;

/**
 * Checks that a remote moves a branch for exactly one of two writers (protocol J7, A1): it pushes
 * two children of one commit at once to a branch of its own, and deletes that branch if the remote
 * allows it. Only a race can provoke the refusal of a stale write. Throws `ledgerUnfit` if both
 * pushes win, none does, or a read does not return the winner.
 */
export async function probeRemote(ledger: LedgerRemote, random: Random): Promise<void> {
  const scratch = ledger.beside(`-probe-${randomText(random, 8)}`);
  const commit = (parent: string) => {
    const files = { 'probe.json': `"${randomText(random, 8)}"\n` };
    return scratch.commit({ parent, files, message: 'fleetform probe' });
  };
  let at = await commit('');
  if ((await scratch.move('', at)) !== 'moved') throw unfit(ledger, 'create');
  try {
    for (let round = 1; ; round += 1) {
      const children = [await commit(at), await commit(at)] as const;
      const answers = await Promise.all(children.map((child) => scratch.move(at, child)));
      const tip = await scratch.tip();
      const why = faultIn(answers, children.indexOf(tip), tip === at);
      at = tip;
      if (why === undefined) return;
      if (why !== 'noneWon' || round === ROUNDS) throw unfit(ledger, why);
    }
  } finally {
    await scratch.remove(at);
  }
}

/** An unclear push counts by the position of the branch, since the other one is then refused. */
function faultIn(answers: readonly Answer[], winner: number, isUnmoved: boolean) {
  if (answers.every((answer) => answer === 'moved')) return 'bothWon';
  if (winner === -1) return isUnmoved && !answers.includes('moved') ? 'noneWon' : 'readBack';
  const isReadBack = answers[winner] !== 'elsewhere' && answers[1 - winner] !== 'moved';
  return isReadBack ? undefined : 'readBack';
}

function unfit({ place }: LedgerRemote, why: string): WorldError {
  return new WorldError('ledgerUnfit', { place, why });
}
