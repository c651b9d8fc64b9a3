import { SECTIONS } from '../../model/documents/policy.ts';
import type { AuthoredEntry, AuthoredFleet, Authored } from '../authored.ts';
import { isObject } from '../../lib/objects.ts';

/** A device selector and its pointer inside the entry. */
export interface AuthoredSelector {
  readonly entry: AuthoredEntry;
  readonly selector: Authored['selector'];
  readonly below: string;
}

/** Every selector of the sound entries, with its `not` selectors. */
export function* selectorsIn(fleet: AuthoredFleet): Generator<AuthoredSelector> {
  for (const section of SECTIONS) {
    if (section === 'onboarding') continue;
    for (const entry of fleet.of(section)) yield* listSelectors(entry);
  }
}

function* listSelectors(entry: AuthoredEntry): Generator<AuthoredSelector> {
  const written = entry.value as { readonly select?: unknown; readonly waves?: unknown };
  yield* withNot(entry, written.select, '/select');
  if (!Array.isArray(written.waves)) return;
  for (const [index, wave] of written.waves.entries())
    yield* withNot(entry, isObject(wave) ? wave['select'] : undefined, `/waves/${index}/select`);
}

function* withNot(
  entry: AuthoredEntry,
  written: unknown,
  below: string,
): Generator<AuthoredSelector> {
  if (!isObject(written)) return;
  const selector = written as Authored['selector'];
  yield { entry, selector, below };
  if (selector.not) yield { entry, selector: selector.not, below: `${below}/not` };
}
