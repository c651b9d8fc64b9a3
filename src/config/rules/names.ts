import { type Diagnostic, error } from '../../model/documents/diagnostic.ts';
import { POLICY_SECTIONS, SECTIONS, type Section } from '../../model/documents/policy.ts';
import {
  eachOf,
  placeIn,
  isForFleets,
  isShared,
  saysOverride,
  type AuthoredEntry,
  type AuthoredFleet,
  type DocumentRule,
} from '../authored.ts';
import { errorOfAll, errorWith } from '../findings.ts';
import { namedAfter } from './policies.ts';
import { selectorsIn } from './values-of.ts';
import { nearest } from '../../lib/nearest-name.ts';

export const NAME_RULES: readonly DocumentRule[] = [
  serviceOnce,
  namesAreUnique,
  sharedFits,
  reservedNames,
  namesResolve,
];

/** Names that exist without a document. */
const BUILT_IN: Readonly<Partial<Record<Section, readonly string[]>>> = {
  windows: ['anytime'],
  rollouts: ['default'],
  budgets: ['default-site', 'default-storage-server', 'default-fleet'],
};

/** There must be exactly one service over all files: two could name two tenants. */
function* serviceOnce(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [first, ...more] = fleet.all('service');
  if (!first && !fleet.mayHold('')) yield errorOfAll('serviceMissing', {});
  for (const other of more) {
    if (!first) return;
    const places = [placeIn(other, '', 'key'), placeIn(first, '', 'key')] as const;
    const [folder, beside] = [entryFolder(other), entryFolder(first)];
    yield errorWith('serviceTwice', places, folder === beside ? {} : { folder, beside });
  }
}

/** The folder of an entry's file: `fleet/acme`. */
function entryFolder({ source }: AuthoredEntry): string {
  return source.file.path.replace(/\/[^/]*$/, '');
}

/**
 * Tells entries of different fleets apart: where several folders define the service, each is a fleet
 * of its own, and the names of one are no duplicates in another.
 */
function fleetFinder(fleet: AuthoredFleet): (entry: AuthoredEntry) => string | undefined {
  const services = fleet.all('service').map(entryFolder);
  const folders = services.length > 1 ? services.toSorted((a, b) => b.length - a.length) : [];
  return (entry) => folders.find((folder) => `${entryFolder(entry)}/`.startsWith(`${folder}/`));
}

/** The name of an entry must be unique in its section, over all files. */
function* namesAreUnique(fleet: AuthoredFleet): Generator<Diagnostic> {
  const findFleet = fleetFinder(fleet);
  for (const section of SECTIONS) {
    if (section === 'service') continue;
    const seen = new Map<string, AuthoredEntry>();
    for (const entry of fleet.all(section)) {
      const { name } = entry;
      const own = `${findFleet(entry)} ${name}`;
      const first = seen.get(own);
      const places = first && ([placeIn(entry, '', 'key'), placeIn(first, '', 'key')] as const);
      const isMixed = [entry, first].some((one) => one && isShared(one));
      if (places)
        yield errorWith('duplicateName', places, { section, name, ...(isMixed && { isMixed }) });
      seen.set(own, first ?? entry);
    }
  }
}

/**
 * Shared documents have nothing that is for fleets alone. What overrides finds a shared entry of its name: one that is
 * misspelt would add an entry (semantics D11).
 */
function* sharedFits(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of SECTIONS) {
    const shared = fleet.shared(section);
    for (const entry of shared.filter(isForFleets))
      yield error('notShared', placeIn(entry, '', 'key'), { entry: entry.address });
    const names = shared.map(({ name }) => name);
    for (const entry of fleet.all(section).filter(saysOverride)) {
      const { name } = entry;
      if (fleet.mayHold(name) || (!isShared(entry) && names.includes(name))) continue;
      const suggestion = isShared(entry) ? undefined : nearest(name, names);
      const params = { section, name, ...(suggestion !== undefined && { suggestion }) };
      yield error('overrideNothing', placeIn(entry, '/override'), params);
    }
  }
}

/** `anytime` is reserved: a window of that name could close it. */
function* reservedNames(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.all('windows'))
    if (entry.name === 'anytime')
      yield error('reservedName', placeIn(entry, '', 'key'), {
        section: 'windows',
        name: 'anytime',
      });
}

/** Every referenced name must exist, or may be defined in a part that could not be read. */
function* namesResolve(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const { entry, section, name, below } of references(fleet)) {
    const known = [...(BUILT_IN[section] ?? []), ...fleet.all(section).map((one) => one.name)];
    if (known.includes(name) || fleet.mayHold(name)) continue;
    const suggestion = nearest(name, known);
    const params = { section, name, ...(suggestion !== undefined && { suggestion }) };
    yield error('nameUnknown', placeIn(entry, below), params);
  }
}

/** A reference by name; `below` is its pointer relative to the entry. */
interface Reference {
  readonly entry: AuthoredEntry;
  readonly section: Section;
  readonly name: string;
  readonly below: string;
}

function* references(fleet: AuthoredFleet): Generator<Reference> {
  for (const section of POLICY_SECTIONS)
    for (const entry of fleet.of(section)) {
      yield* named(entry, 'windows', { value: entry.value.windows, below: '/windows' });
      yield* named(entry, 'rollouts', { value: entry.value.rollout, below: '/rollout' });
    }
  for (const section of ['firmware', 'rotations'] as const)
    for (const entry of fleet.of(section))
      for (const before of namedAfter(entry)) yield { entry, section: 'firmware', ...before };
  for (const { entry, value, below } of selectorsIn(fleet))
    for (const group of eachOf(value.group, `${below}/group`))
      // A glob may match a group later; a plain name without a group is a mistake.
      if (!/[*?]/.test(group.value))
        yield { entry, section: 'groups', name: group.value, below: group.below };
  for (const entry of fleet.of('exceptions')) {
    const rollout = entry.value.allow?.gate?.split('/', 1)[0];
    yield* named(entry, 'rollouts', { value: rollout, below: '/allow/gate' });
    const { budget } = entry.value.allow ?? {};
    yield* named(entry, 'budgets', { value: budget, below: '/allow/budget' });
  }
}

function* named(
  entry: AuthoredEntry,
  section: Section,
  { value, below }: { value: string | readonly string[] | undefined; below: string },
): Generator<Reference> {
  for (const each of eachOf(value, below))
    if (each.value !== '') yield { entry, section, name: each.value, below: each.below };
}
