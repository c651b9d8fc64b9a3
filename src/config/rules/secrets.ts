import type { Diagnostic } from '../../model/diagnostic.ts';
import { SECTIONS } from '../../model/policy.ts';
import { isRecord, placeIn, type Entry, type Fleet } from '../authored.ts';
import { error } from '../findings.ts';
import { segment } from '../locate.ts';
import { hasSecretForm, looksRandom, namesSecret } from './secret-form.ts';

/** A text somewhere inside an entry. */
interface Leaf {
  readonly below: string;
  readonly key: string;
  readonly text: string;
}

/**
 * Secrets are never in YAML (semantics 4.11): known formats anywhere, and in a payload also what is named like a secret
 * or looks random. A payload refers to one by `{fromEnv: NAME}`, which is resolved at send time only.
 */
export function* noSecrets(fleet: Fleet): Generator<Diagnostic> {
  for (const section of SECTIONS)
    for (const entry of fleet.of(section)) yield* secretsOf(entry, section === 'rotations');
  for (const entry of fleet.of('rotations')) yield* references(entry);
}

function* secretsOf(entry: Entry, mayHavePayload: boolean): Generator<Diagnostic> {
  for (const leaf of leavesOf(entry.value, { below: '', key: '' }))
    // An address with a user in it is refused by another rule, with what to write instead.
    if (entry.address + leaf.below !== 'service/baseUrl' && isSecret(mayHavePayload, leaf))
      yield error('looksLikeSecret', placeIn(entry, leaf.below), { key: leaf.key });
}

function isSecret(mayHavePayload: boolean, { below, key, text }: Leaf): boolean {
  if (hasSecretForm(text)) return true;
  if (!mayHavePayload || !below.startsWith('/payload/') || below.endsWith('/fromEnv')) return false;
  return namesSecret(key) || looksRandom(text);
}

function* leavesOf(value: unknown, at: Omit<Leaf, 'text'>): Generator<Leaf> {
  if (typeof value === 'string') yield { ...at, text: value };
  if (typeof value === 'number' && namesSecret(at.key)) yield { ...at, text: String(value) };
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* leavesOf(item, { below: `${at.below}/${index}`, key: at.key });
  if (isRecord(value))
    for (const [key, member] of Object.entries(value))
      yield* leavesOf(member, { below: `${at.below}/${segment(key)}`, key });
}

/** `{fromEnv: NAME}` stands alone and names a variable; anything else would be sent as it stands. */
function* references(entry: Entry<'rotations'>): Generator<Diagnostic> {
  for (const { value, below } of mapsIn(entry.value.payload ?? {}, '/payload')) {
    if (!('fromEnv' in value)) continue;
    const name = value['fromEnv'];
    const at = placeIn(entry, `${below}/fromEnv`);
    if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      yield error('badValue', at, { value: String(name), allowed: 'NEW_CAMERA_PASSWORD' });
    for (const key of Object.keys(value))
      if (key !== 'fromEnv')
        yield error('excludesEachOther', placeIn(entry, `${below}/${segment(key)}`, 'key'), {
          key,
          other: 'fromEnv',
        });
  }
}

function* mapsIn(
  value: unknown,
  below: string,
): Generator<{ readonly value: Readonly<Record<string, unknown>>; readonly below: string }> {
  if (isRecord(value)) yield { value, below };
  const members = Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
  for (const [key, member] of members) yield* mapsIn(member, `${below}/${segment(key)}`);
}
