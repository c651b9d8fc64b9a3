import { chmodSync, statSync } from 'node:fs';

/** What a call gives, or rejects with, while a file or a folder may not be read; as another user where this one is root. */
export async function whileUnreadable<T>(path: string, call: () => Promise<T>): Promise<unknown> {
  const { mode } = statSync(path);
  chmodSync(path, 0);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  const result = await call().catch((error: unknown) => error);
  if (isRoot) process.seteuid?.(0);
  chmodSync(path, mode);
  return result;
}
