import { dirname, join } from 'node:path';
import type { Files, NewFile } from '../../src/store/files.ts';

interface Node {
  readonly isFolder: boolean;
  text: string;
  /** What a power cut leaves of the content. */
  synced: string;
}
type Names = Map<string, Node>;

/** A process that was stopped: nothing that it does after this has any effect. */
export class Stopped extends Error {}

/**
 * A disk that keeps only what was flushed: content by `sync`, names by `syncFolder`. Whatever was
 * not may be there after a power cut or not, name by name.
 */
export class Disk {
  readonly #now: Names;
  readonly #lasting: Names;

  constructor(names: Names = new Map()) {
    this.#now = new Map(names);
    this.#lasting = new Map(names);
    for (const root of ['/', '.']) this.#both(root, { isFolder: true, text: '', synced: '' });
  }

  /**
   * The disk after a power cut; `keeps` says for each thing that was not flushed whether it is
   * there.
   */
  afterPowerCut(keeps: (path: string) => boolean): Disk {
    const names: Names = new Map();
    const paths = [...new Set([...this.#now.keys(), ...this.#lasting.keys()])].sort();
    for (const path of paths) {
      const node = (keeps(path) ? this.#now : this.#lasting).get(path);
      if (node === undefined || (path.length > 1 && !names.has(dirname(path)))) continue;
      const text = keeps(path) ? node.text : node.synced;
      names.set(path, { isFolder: node.isFolder, text, synced: text });
    }
    return new Disk(names);
  }

  /**
   * The file system of a process on this disk; `before` runs ahead of every step and may throw to
   * stop it.
   */
  files(before: (step: string, path: string) => void = () => undefined): Files {
    const step = async <T>(name: string, path: string, run: () => T): Promise<T> => {
      before(name, path);
      return run();
    };
    return {
      makeFolder: (path) => step('makeFolder', path, () => this.#makeFolder(path)),
      create: (path) => step('create', path, () => this.#create(path, step)),
      link: (from, to) => step('link', to, () => this.#link(from, to)),
      rename: (from, to) => step('rename', to, () => this.#rename(from, to)),
      remove: (path) => step('remove', path, () => this.#remove(path)),
      syncFolder: (path) => step('syncFolder', path, () => this.#syncFolder(path)),
      read: (path) => step('read', path, () => this.#bytes(path)),
      list: (path) => step('list', path, () => this.names(path)),
    };
  }

  names(folder: string): string[] {
    const paths = [...this.#now.keys()].filter((path) => path !== '/' && dirname(path) === folder);
    return paths.map((path) => path.slice(join(folder, '/').length));
  }

  text(path: string): string | undefined {
    return this.#now.get(path)?.text;
  }

  /** Puts a file there for good, as somebody else's hand would. */
  put(path: string, text: string): void {
    this.#both(path, { isFolder: false, text, synced: text });
  }

  take(path: string): void {
    this.#now.delete(path);
    this.#lasting.delete(path);
  }

  #both(path: string, node: Node): void {
    if (!this.#now.has(path) || !node.isFolder) this.#now.set(path, node);
    if (!this.#lasting.has(path) || !node.isFolder) this.#lasting.set(path, node);
  }

  #makeFolder(path: string): string | undefined {
    if (this.#now.has(path)) return undefined;
    const above = this.#makeFolder(dirname(path));
    this.#now.set(path, { isFolder: true, text: '', synced: '' });
    return above ?? path;
  }

  #create(
    path: string,
    step: <T>(name: string, path: string, run: () => T) => Promise<T>,
  ): NewFile {
    if (this.#now.has(path)) throw coded('EEXIST');
    if (!this.#now.has(dirname(path))) throw coded('ENOENT');
    const node: Node = { isFolder: false, text: '', synced: '' };
    this.#now.set(path, node);
    return {
      write: async (text) => {
        const half = text.length >> 1;
        await step('write', path, () => void (node.text += text.slice(0, half)));
        await step('write', path, () => void (node.text += text.slice(half)));
      },
      sync: () => step('sync', path, () => void (node.synced = node.text)),
      close: () => step('close', path, () => undefined),
    };
  }

  #link(from: string, to: string): void {
    const node = this.#now.get(from);
    if (node === undefined) throw coded('ENOENT');
    if (this.#now.has(to)) throw coded('EEXIST');
    this.#now.set(to, node);
  }

  #rename(from: string, to: string): void {
    const node = this.#now.get(from);
    if (node === undefined) throw coded('ENOENT');
    this.#now.set(to, node);
    this.#now.delete(from);
  }

  #remove(path: string): void {
    if (!this.#now.delete(path)) throw coded('ENOENT');
  }

  #syncFolder(folder: string): void {
    if (!this.#now.has(folder)) throw coded('ENOENT');
    const paths = new Set([...this.#now.keys(), ...this.#lasting.keys()]);
    for (const path of paths) {
      if (path === folder || dirname(path) !== folder) continue;
      const node = this.#now.get(path);
      if (node === undefined) this.#lasting.delete(path);
      else this.#lasting.set(path, node);
    }
  }

  #bytes(path: string): Uint8Array | undefined {
    const node = this.#now.get(path);
    return node === undefined ? undefined : new TextEncoder().encode(node.text);
  }
}

/** An error of the file system. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Stops a process ahead of its n-th step, for good. */
export function stopAt(n: number): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count >= n) throw new Stopped();
  };
}
