import { type Diagnostic, error } from '../../model/documents/diagnostic.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { parseDuration } from '../../lib/time.ts';
import { SECTIONS, type Section } from '../../model/documents/policy.ts';
import { placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { pointerSegment } from '../locate.ts';
import { hasSecretForm, isRandomLike, namesSecret } from '../../model/documents/secret-form.ts';
import { isObject } from '../../lib/objects.ts';

/** The variables with the credentials of the service. */
export const CREDENTIALS = 'FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET';

const NOTIFICATIONS = '/notifications';

/** Variables of ours that hold nothing but where notifications go, and their key. */
const NOTIFYING = ['FLEETFORM_WEBHOOK_SECRET', 'FLEETFORM_NOTIFY_URL'];

/**
 * Values that are passed through to the service, by section; a secret there must be a reference.
 */
const PAYLOADS: readonly (readonly [section: Section, below: string])[] = [
  ['rotations', '/payload'],
  ['incidents', '/payload'],
  ['service', '/dialect/tokenBody'],
  ['service', '/dialect/upgradeMembers'],
  ['service', NOTIFICATIONS],
];

/** A value somewhere inside an entry. */
interface Leaf {
  readonly below: string;
  readonly key: string;
  readonly text: string;
}

/**
 * No secrets in YAML (semantics D8): rejects known formats and key names anywhere, and
 * random-looking values in a payload. A payload refers to a secret by `{fromEnv: NAME}`, which is
 * resolved only when it is sent. Entries with other mistakes are checked too, since a secret must
 * be reported at once.
 */
export function* noSecrets(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of SECTIONS) for (const entry of fleet.all(section)) yield* findSecrets(entry);
  for (const [section, below] of PAYLOADS)
    for (const entry of fleet.all(section)) yield* references(entry, below);
}

/**
 * Whether a key outside payloads, which no document allows there, holds a secret. It is then
 * reported as a secret and not as unknown. `pin` may be a misspelled exception type.
 */
export function holdsSecret(section: string, key: string, value: unknown): boolean {
  const isEmpty = value === null || value === undefined || value === '';
  const isOurs = isTaskTime(key, value) || (section !== 'service' && /^pins?$/i.test(key));
  return !isEmpty && namesSecret(key) && !isOurs;
}

/** A time limit by task type: `rotatePassword: 20m`. */
function isTaskTime(key: string, value: unknown): boolean {
  const isTask = (TASK_TYPES as readonly string[]).includes(key);
  return isTask && typeof value === 'string' && parseDuration(value) !== undefined;
}

function* findSecrets(entry: AuthoredEntry): Generator<Diagnostic> {
  for (const leaf of listLeaves(entry, entry.value, { below: '', key: '' }))
    // Another rule rejects a URL with user information, and says what to write instead.
    if (!isUrl(entry, leaf) && isSecret(entry, leaf))
      yield error('looksLikeSecret', placeIn(entry, leaf.below), {
        key: leaf.key,
        ...(isInPayload(entry, leaf.below)
          ? { reference: '{fromEnv: NAME}' }
          : entry.section === 'service' && { variables: CREDENTIALS }),
      });
}

/** URLs in `service` that requests go to. */
export const SERVICE_URLS = ['/baseUrl', '/notifications/webhook/url'] as const;

function isUrl({ section }: AuthoredEntry, { below }: Leaf): boolean {
  return section === 'service' && SERVICE_URLS.some((url) => url === below);
}

function isInPayload({ section }: AuthoredEntry, below: string): boolean {
  return PAYLOADS.some((one) => one[0] === section && below.startsWith(one[1]));
}

function isSecret(entry: AuthoredEntry, { below, key, text }: Leaf): boolean {
  if (hasSecretForm(text)) return true;
  if (!isInPayload(entry, below)) return namesSecret(key);
  return !below.endsWith('/fromEnv') && (namesSecret(key) || isRandomLike(text));
}

function* listLeaves(
  entry: AuthoredEntry,
  value: unknown,
  at: Omit<Leaf, 'text'>,
): Generator<Leaf> {
  if (!isInPayload(entry, at.below) && at.key !== '' && namesSecret(at.key)) {
    if (holdsSecret(entry.section, at.key, value)) yield { ...at, text: '' };
    return;
  }
  if (typeof value === 'string') yield { ...at, text: value };
  if (typeof value === 'number' && namesSecret(at.key)) yield { ...at, text: String(value) };
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* listLeaves(entry, item, { below: `${at.below}/${index}`, key: at.key });
  if (isObject(value))
    for (const [key, member] of Object.entries(value))
      yield* listLeaves(entry, member, { below: `${at.below}/${pointerSegment(key)}`, key });
}

/** `{fromEnv: NAME}` must be alone and name a variable; anything else would be sent literally. */
function* references(entry: AuthoredEntry, payload: string): Generator<Diagnostic> {
  for (const { value, below } of mapsIn(entry.value, '')) {
    if (!below.startsWith(payload)) continue;
    if (!('fromEnv' in value)) continue;
    const name = value['fromEnv'];
    const at = placeIn(entry, `${below}/fromEnv`);
    if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      yield error('badValue', at, { value: String(name), allowed: 'NEW_CAMERA_PASSWORD' });
    else if (isReserved(name) && !(payload === NOTIFICATIONS && NOTIFYING.includes(name)))
      yield error('reservedVariable', at, { name });
    for (const key of Object.keys(value))
      if (key !== 'fromEnv')
        yield error('excludesEachOther', placeIn(entry, `${below}/${pointerSegment(key)}`, 'key'), {
          key,
          other: 'fromEnv',
        });
  }
}

/** First words of the variables that platforms of jobs, clouds and their tools set, or read credentials from. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'FLEETFORM GIT SSH GPG NPM NODE YARN PNPM CREDENTIALS NETRC GITHUB GH GHE ACTIONS RUNNER GITLAB CI',
    'GITEA FORGEJO WOODPECKER DRONE JENKINS HUDSON BITBUCKET CIRCLE CIRCLECI BUILDKITE TEAMCITY TRAVIS APPVEYOR',
    'SYSTEM BUILD AGENT RELEASE ENDPOINT SECUREFILE VSS AZURE ARM MSI IDENTITY AWS ECS GOOGLE GCP GCLOUD CLOUDSDK',
    'OCI IBMCLOUD ALICLOUD ALIBABA DIGITALOCEAN HCLOUD OS VAULT BAO OP SOPS CONSUL NOMAD',
    'TF TFE TERRAFORM PULUMI ANSIBLE DOCKER REGISTRY HELM POSTGRES DATABASE',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Variables that fleetform, Git, and the platforms and tools of jobs use for themselves: whoever writes a request could
 * otherwise make a credential of the job the password of a device (semantics D8).
 */
function isReserved(name: string): boolean {
  const [word = ''] = name.toUpperCase().split('_', 1);
  return RESERVED.has(word) || /^(?:KUBE|PG[A-Z])|_PROXY$/i.test(name);
}

function* mapsIn(
  value: unknown,
  below: string,
): Generator<{ readonly value: Readonly<Record<string, unknown>>; readonly below: string }> {
  if (isObject(value)) yield { value, below };
  const members = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  for (const [key, member] of members) yield* mapsIn(member, `${below}/${pointerSegment(key)}`);
}
