import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteGit } from '../../src/git/git.ts';
import { ledgerRemote } from '../../src/git/ledger-remote.ts';
import type { LedgerStore } from '../../src/model/ports.ts';
import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import type { Milliseconds } from '../../src/lib/time.ts';
import { gitStore } from '../../src/store/git-store.ts';
import { postgresDatabase } from '../../src/postgres/database.ts';
import { chooseStore } from '../../src/store/store.ts';
import type { VirtualClock } from '../../src/rehearse/virtual-clock.ts';
import { filesLeft } from '../support/canary.ts';
import { objectsLeft } from '../support/canary-git.ts';
import { searchNow } from '../support/canary-run.ts';
import type { Effects } from '../support/effects.ts';
import { BRANCH, ENV } from '../support/git-place.ts';
import { chance } from '../support/store-double.ts';

/** Time that passes while git pushes: enough for a POST that does not wait to be seen. */
const PUSH_MS: Milliseconds = 50;

/** What a process is, to a ledger. */
export interface Writer {
  /** The machine that it runs on, with what that keeps on its disk. */
  readonly host: string;
  readonly seed: number;
  readonly effects: Effects;
  readonly onEffect: (what: string) => void;
}

/**
 * A ledger in a real bare repository, with a clone for each machine, as the command line puts them
 * together. Every call of the real git is an effect: a process can die before and after each.
 */
export class GitLedger implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'fleetform-crash-'));
  readonly #bare = join(this.#root, 'bare.git');
  readonly #clock: VirtualClock;

  readonly #temporary = process.env['TMPDIR'];

  /** What dead processes leave in the temporary folder goes with all the rest. */
  constructor(clock: VirtualClock) {
    this.#clock = clock;
    process.env['TMPDIR'] = this.#root;
    init(this.#bare, '--bare');
  }

  /** The ledger as one process opens it. */
  async open(writer: Writer): Promise<LedgerStore> {
    const { host, seed, effects } = writer;
    const { store } = await chooseStore(
      { store: 'git', remote: this.#bare, branch: BRANCH },
      {
        env: {},
        fingerprint: 'c0ffee00c0ffee',
        workingDirectory: this.#machine(host),
        random: chance(seed),
        openRemote: async () => this.#remote(host, effects),
        openDatabase: () => postgresDatabase({}, () => Promise.resolve('')),
      },
    );
    return this.#living(store, writer);
  }

  /** What is in the ledger, read by somebody with a machine of his own. */
  async records(): Promise<LedgerRecord[]> {
    const store = gitStore(this.#remote('onlooker'), chance(0));
    return [...(await store.read(0)).records];
  }

  [Symbol.dispose](): void {
    const left = [...filesLeft(this.#root, new Map()), ...objectsLeft(this.#root)];
    if (this.#temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = this.#temporary;
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
    searchNow(left);
  }

  #machine(host: string): string {
    const path = join(this.#root, host);
    if (!existsSync(path)) init(path);
    return path;
  }

  #remote(host: string, effects?: Effects): ReturnType<typeof ledgerRemote> {
    const runner: typeof remoteGit = (...of) => {
      const git = remoteGit(...of);
      if (!effects) return git;
      return (...args) =>
        effects
          .perform(`git ${args[0]}`, () => git(...args), new GitFailed())
          .catch((error: unknown) => {
            if (error instanceof GitFailed) return { exit: -1, out: '', err: error.message };
            throw error;
          });
    };
    const folder = this.#machine(host);
    return ledgerRemote({ folder, env: ENV, remote: this.#bare, branch: BRANCH, runner });
  }

  /** The real git takes no virtual time, and who died waits for none of its answers. */
  #living(store: LedgerStore, { effects, onEffect }: Writer): LedgerStore {
    const real = async <T>(work: Promise<T>): Promise<T> => {
      const first = await this.#clock.track(Promise.race([work, effects.died]));
      return first === 'died' ? new Promise<never>(() => undefined) : first;
    };
    return {
      place: store.place,
      read: (after) => real(store.read(after)),
      append: async (records, onHead) => {
        await this.#clock.sleep(PUSH_MS);
        const answer = await real(store.append(records, onHead));
        onEffect(`append ${records.map(({ body }) => body.type).join(' ')}`);
        return answer;
      },
      probe: () => real(store.probe()),
    };
  }
}

class GitFailed extends Error {
  constructor() {
    super('fatal: the git of this rehearsal was told to fail');
  }
}

function init(path: string, ...flags: readonly string[]): void {
  mkdirSync(path, { recursive: true });
  const plain = ['--quiet', '--template=', '--initial-branch=main'];
  execFileSync('git', ['init', ...plain, ...flags, path], { env: ENV, stdio: 'pipe' });
}
