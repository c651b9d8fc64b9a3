import { SECTIONS } from '../../model/documents/policy.ts';
import { isRecord, type Entry, type Fleet, type Written } from '../authored.ts';

/** A selector of devices, and where it stands inside its entry. */
export interface Placed {
  readonly entry: Entry;
  readonly selector: Written['selector'];
  readonly below: string;
}

/** Every selector of every sound entry, and what each leaves out by `not`. */
export function* selectorsIn(fleet: Fleet): Generator<Placed> {
  for (const section of SECTIONS) {
    if (section === 'onboarding') continue;
    for (const entry of fleet.of(section)) yield* selectorsOf(entry);
  }
}

function* selectorsOf(entry: Entry): Generator<Placed> {
  const written = entry.value as { readonly select?: unknown; readonly waves?: unknown };
  yield* withNot(entry, written.select, '/select');
  if (!Array.isArray(written.waves)) return;
  for (const [index, wave] of written.waves.entries())
    yield* withNot(entry, isRecord(wave) ? wave['select'] : undefined, `/waves/${index}/select`);
}

function* withNot(entry: Entry, written: unknown, below: string): Generator<Placed> {
  if (!isRecord(written)) return;
  const selector = written as Written['selector'];
  yield { entry, selector, below };
  if (selector.not) yield { entry, selector: selector.not, below: `${below}/not` };
}
