import { expect } from 'vitest';
import type { Env, Place } from './blackbox.ts';

/** What a user got wrong, and what that gets. */
export interface Stranger {
  readonly env?: Env;
  readonly from?: string;
  readonly to?: string;
  readonly code: string;
  readonly says: readonly string[];
  /** Requests that leave: to learn that a credential is refused takes one. */
  readonly sent: number;
}

/** A user who is stopped before the service says a word about the fleet: nothing but the login was tried. */
export async function expectStopped(
  place: Place,
  admin: Env,
  { env = {}, from, to, code, says, sent }: Stranger,
): Promise<void> {
  if (from !== undefined && to !== undefined) place.edit('fleet/service.yaml', from, to);
  const { code: exit, out, err } = await place.run('plan --trace t', { ...admin, ...env });
  expect([exit, out]).toEqual([1, '']);
  expect(err).toContain(`error[${code}]`);
  expectWords(err, says);
  expect(place.trace('t').length).toBe(sent);
  expect(place.ledger()).toEqual([]);
}

/** A message says so much, names a next step, and keeps to 80 columns. */
export function expectWords(text: string, words: readonly string[]): void {
  const flat = text.replace(/\s+/g, ' ');
  for (const word of words) expect(flat).toContain(word);
  expect(text).toContain('next: ');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
}

/** Nothing was tried that could change a device. */
export function expectNoAttempt(place: Place): void {
  expect(place.ledger().filter(({ type }) => type === 'ATTEMPT')).toEqual([]);
}
