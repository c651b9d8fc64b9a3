import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { SECTIONS, type Section } from '../../model/documents/policy.ts';
import { isMap, placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { error } from '../findings.ts';
import { pointerSegment } from '../locate.ts';
import { hasSecretForm, isRandomLike, namesSecret } from '../../model/documents/secret-form.ts';

/** Where credentials of the service come from. */
export const CREDENTIALS = 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET';

/** What is passed through to the service, by section: there a secret is a reference. */
const PAYLOADS: readonly (readonly [section: Section, below: string])[] = [
  ['rotations', '/payload'],
  ['service', '/dialect/tokenBody'],
  ['service', '/dialect/upgradeMembers'],
];

/** A value somewhere inside an entry. */
interface Leaf {
  readonly below: string;
  readonly key: string;
  readonly text: string;
}

/**
 * Secrets are never in YAML (semantics D8): known formats and keys that are named so anywhere, and in a payload also
 * what looks random. A payload refers to one by `{fromEnv: NAME}`, which is resolved at send time only. Entries with
 * other mistakes are looked at as well: a secret cannot wait for a second round.
 */
export function* noSecrets(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of SECTIONS) for (const entry of fleet.all(section)) yield* secretsOf(entry);
  for (const [section, below] of PAYLOADS)
    for (const entry of fleet.all(section)) yield* references(entry, below);
}

/**
 * Whether a key outside of payloads, where no document has such a key, holds a secret: then this is said, and not that
 * the key is unknown. A `pin` may be a slip for an exception that pins.
 */
export function holdsSecret(section: string, key: string, value: unknown): boolean {
  const isEmpty = value === null || value === undefined || value === '';
  return !isEmpty && namesSecret(key) && (section === 'service' || !/^pins?$/i.test(key));
}

function* secretsOf(entry: AuthoredEntry): Generator<Diagnostic> {
  for (const leaf of leavesOf(entry, entry.value, { below: '', key: '' }))
    // An address with a user in it is refused by another rule, with what to write instead.
    if (entry.address + leaf.below !== 'service/baseUrl' && isSecret(entry, leaf))
      yield error('looksLikeSecret', placeIn(entry, leaf.below), {
        key: leaf.key,
        ...(isInPayload(entry, leaf.below)
          ? { reference: '{fromEnv: NAME}' }
          : entry.section === 'service' && { variables: CREDENTIALS }),
      });
}

function isInPayload({ section }: AuthoredEntry, below: string): boolean {
  return PAYLOADS.some((one) => one[0] === section && below.startsWith(one[1]));
}

function isSecret(entry: AuthoredEntry, { below, key, text }: Leaf): boolean {
  if (hasSecretForm(text)) return true;
  if (!isInPayload(entry, below)) return namesSecret(key);
  return !below.endsWith('/fromEnv') && (namesSecret(key) || isRandomLike(text));
}

function* leavesOf(entry: AuthoredEntry, value: unknown, at: Omit<Leaf, 'text'>): Generator<Leaf> {
  if (!isInPayload(entry, at.below) && at.key !== '' && namesSecret(at.key)) {
    if (holdsSecret(entry.section, at.key, value)) yield { ...at, text: '' };
    return;
  }
  if (typeof value === 'string') yield { ...at, text: value };
  if (typeof value === 'number' && namesSecret(at.key)) yield { ...at, text: String(value) };
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* leavesOf(entry, item, { below: `${at.below}/${index}`, key: at.key });
  if (isMap(value))
    for (const [key, member] of Object.entries(value))
      yield* leavesOf(entry, member, { below: `${at.below}/${pointerSegment(key)}`, key });
}

/** `{fromEnv: NAME}` stands alone and names a variable; anything else would be sent as it stands. */
function* references(entry: AuthoredEntry, payload: string): Generator<Diagnostic> {
  for (const { value, below } of mapsIn(entry.value, '')) {
    if (!below.startsWith(payload)) continue;
    if (!('fromEnv' in value)) continue;
    const name = value['fromEnv'];
    const at = placeIn(entry, `${below}/fromEnv`);
    if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      yield error('badValue', at, { value: String(name), allowed: 'NEW_CAMERA_PASSWORD' });
    for (const key of Object.keys(value))
      if (key !== 'fromEnv')
        yield error('excludesEachOther', placeIn(entry, `${below}/${pointerSegment(key)}`, 'key'), {
          key,
          other: 'fromEnv',
        });
  }
}

function* mapsIn(
  value: unknown,
  below: string,
): Generator<{ readonly value: Readonly<Record<string, unknown>>; readonly below: string }> {
  if (isMap(value)) yield { value, below };
  const members = Array.isArray(value) || isMap(value) ? Object.entries(value) : [];
  for (const [key, member] of members) yield* mapsIn(member, `${below}/${pointerSegment(key)}`);
}
