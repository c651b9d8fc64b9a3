import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { appendTo } from '../../src/ledger/chain.ts';
import { fold } from '../../src/ledger/fold.ts';
import { ledgerRemote } from '../../src/git/ledger-remote.ts';
import type { LedgerRecord, RecordBody } from '../../src/model/ledger/record.ts';
import type { Journal } from '../../src/model/ports.ts';
import { loadDocuments } from '../../src/operations/documents.ts';
import { findMove, recordMove } from '../../src/operations/ground/move.ts';
import { openJournalFor, readLedger } from '../../src/operations/ledger.ts';
import { resolveTarget } from '../../src/operations/target.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { createStopSignal } from '../../src/shell/stop-signal.ts';
import { directoryStore } from '../../src/store/directory.ts';
import { gitStore } from '../../src/store/git-store.ts';
import { gitIn } from './blackbox-record.ts';
import { outputDouble } from './cli-output.ts';
import { scratchFolder } from './scratch.ts';
import { createVirtualClock } from './virtual-clock.ts';

const SERVICE = 'baseUrl: https://api.example.com, organization: acme';

/** Places of rigs that have begun, by their first documents. */
const begun = new Map<string, string>();

/**
 * A rig whose documents were merged and run once. A file of tests makes it once and copies it for each test, to the same
 * path, as the ledger records its place; what a test leaves stands beside it until the file has ended.
 */
export async function begunRig(first = 'ledger: {store: git}'): Promise<GroundRig> {
  const known = begun.get(first);
  if (known !== undefined && existsSync(known)) {
    renameSync(join(known, 'root'), mkdtempSync(join(known, 'left-')));
    cpSync(join(known, 'begun'), join(known, 'root'), { recursive: true });
    return new GroundRig({ place: known });
  }
  const rig = new GroundRig();
  rig.merge(first);
  await rig.run();
  cpSync(rig.root, join(rig.place, 'begun'), { recursive: true });
  begun.set(first, rig.place);
  return rig;
}

/** A bare repository and a clone of it, with documents whose `service` a test chooses. */
export class GroundRig {
  readonly place: string;
  readonly root: string;
  readonly hub: string;
  readonly folder: string;
  readonly env: Record<string, string>;

  /** @param place a folder in which a rig stands already */
  constructor({
    remote = true,
    env = {},
    place,
  }: { remote?: boolean; env?: Record<string, string>; place?: string } = {}) {
    this.place = place ?? scratchFolder('ground');
    this.root = join(this.place, 'root');
    this.hub = join(this.root, 'hub.git');
    this.folder = join(this.root, 'clone');
    this.env = { PATH: process.env['PATH'] ?? '', HOME: this.root, ...env };
    if (place !== undefined) return;
    mkdirSync(this.root);
    gitIn(this.root, 'init', '--quiet', '--bare', '--initial-branch=main', this.hub);
    gitIn(this.root, 'init', '--quiet', '--initial-branch=main', this.folder);
    if (remote) this.git('remote', 'add', 'origin', this.hub);
    mkdirSync(join(this.folder, 'fleet'));
  }

  git(...args: readonly string[]): string {
    return gitIn(
      this.folder,
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.com',
      ...args,
    ).trim();
  }

  /** Writes documents without a commit. */
  write(more: string, service = SERVICE, file = 'fleet/service.yaml'): void {
    writeFileSync(
      join(this.folder, file),
      `service: {${service}${more === '' ? '' : `, ${more}`}}\n`,
    );
  }

  /** Documents in a commit of their own. */
  commit(more: string, service = SERVICE): string {
    this.write(more, service);
    this.git('add', 'fleet');
    this.git('commit', '--quiet', '--allow-empty', '-m', `service ${more}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** Documents in a commit that is merged. */
  merge(more: string, service = SERVICE): string {
    const commit = this.commit(more, service);
    this.git('push', '--quiet', 'origin', 'main');
    this.git('fetch', '--quiet', 'origin');
    return commit;
  }

  /** Another machine. */
  clone(name: string, ...flags: readonly string[]): string {
    const folder = join(this.root, name);
    this.git('clone', '--quiet', ...flags, `file://${this.hub}`, folder);
    return folder;
  }

  /** A process of its own in a folder: what it knows is read again. */
  async open(folder = this.folder, env: Readonly<Record<string, string>> = {}) {
    const err = outputDouble();
    const shell = {
      env: { ...this.env, ...env },
      cwd: folder,
      out: outputDouble(),
      err,
      clock: createVirtualClock(0),
      random: Math.random,
      identity: { host: 'h', pid: 1, startedAt: '1', label: 'me@h', isAlive: () => true },
      stop: createStopSignal(),
    } as unknown as Shell;
    const { documents } = await loadDocuments(shell, 'fleet');
    const target = resolveTarget(documents.service.value, undefined, shell.env);
    return { shell, documents, target, err };
  }

  /** Reads the ledger as a command does. */
  async read(env?: Readonly<Record<string, string>>, folder?: string) {
    const { shell, documents, target } = await this.open(folder, env);
    return (await readLedger({ shell, documents, target })).all();
  }

  /** The types of records that the ledger has, as a command reads them. */
  async types(env?: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return (await this.read(env)).map(({ body }) => body.type);
  }

  async journal(env?: Readonly<Record<string, string>>, folder?: string): Promise<Journal> {
    const { shell, documents, target } = await this.open(folder, env);
    return openJournalFor({ shell, documents, target });
  }

  /** A run that starts nothing. */
  async run(env?: Readonly<Record<string, string>>, folder?: string): Promise<void> {
    const journal = await this.journal(env, folder);
    await journal.take({ waitMs: 0, takeOver: true, label: 'run' });
    await journal.release();
  }

  /** What `ledger move` does; returns the records that it copied, undefined where there is nothing to record. */
  async move(
    { isAdopted = false, ...env }: { isAdopted?: boolean } & Record<string, string | boolean> = {},
    folder?: string,
  ): Promise<number | undefined> {
    const { shell, documents, target } = await this.open(folder, env as Record<string, string>);
    const parts = {
      shell,
      folder: documents.folder ?? '',
      settings: documents.service.value,
      target,
    };
    const move = await findMove(parts, { isAdopted });
    const order = { lockWait: 0, who: 'Ada', why: 'moved' };
    return move && recordMove(parts, move, order);
  }

  /** All records at a place, past all rules. */
  async recordsAt(branch: string, hub?: string): Promise<readonly LedgerRecord[]> {
    return (await this.store(branch, hub).read(0)).records;
  }

  /** The store of a branch of the hub, or of a directory, past all rules. */
  store(branch: string, hub = this.hub) {
    if (branch.startsWith('/')) return directoryStore(branch);
    const options = { folder: this.folder, env: this.env, remote: hub, branch };
    return gitStore(ledgerRemote(options), Math.random);
  }

  /** What somebody appends who may push there. */
  async forge(branch: string, ...bodies: readonly RecordBody[]): Promise<void> {
    const store = this.store(branch);
    const { records, head } = await store.read(0);
    const by = { epoch: fold(records).epoch, at: '2026-11-20T12:00:00Z', tool: '1' };
    await store.append(appendTo(head, bodies, by), head);
  }
}

/** A refusal of the ground. */
export const refused = (code: string, params: object = {}) =>
  expect.objectContaining({ code, params: expect.objectContaining(params) });
