import { type Diagnostic, error, warning } from '../../model/documents/diagnostic.ts';
import { POLICY_SECTIONS, type PolicySection } from '../../model/documents/policy.ts';
import { TASK_OF, TASKS } from '../../model/fleet/task.ts';
import {
  formatDuration,
  parseDuration,
  readableDuration,
  type Milliseconds,
} from '../../lib/time.ts';
import {
  eachOf,
  placeIn,
  type AuthoredEntry,
  type AuthoredFleet,
  type DocumentRule,
} from '../authored.ts';
import { errorWith, type Spot } from '../findings.ts';
import { meant } from '../meaning/read.ts';

export const POLICY_RULES: readonly DocumentRule[] = [
  dueRulesFit,
  anytimeIsAlone,
  windowsServeTasks,
  renewalsEnd,
  spreadsFit,
  renamesAreClear,
  ordersEnd,
  maintenanceLeftOut,
  preapprovedFits,
];

function policiesOf(fleet: AuthoredFleet): readonly AuthoredEntry<PolicySection>[] {
  return POLICY_SECTIONS.flatMap((section): readonly AuthoredEntry<PolicySection>[] =>
    fleet.of(section),
  );
}

/** A rotation whose head start equals its age would never end. */
function* dueRulesFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const { maxAge, headStart } = entry.value;
    if (maxAge === undefined || maxAge === 'never') continue;
    const ahead = meant('rotation', entry.value).headStart;
    if (ahead < (parseDuration(maxAge) ?? 0)) continue;
    const below = headStart === undefined ? '/maxAge' : '/headStart';
    const params = { headStart: headStart ?? formatDuration(ahead), maxAge };
    yield error('headStartTooLong', placeIn(entry, below), params);
  }
}

/** `anytime` makes any window beside it pointless. */
function* anytimeIsAlone(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of policiesOf(fleet)) {
    const windows = eachOf(entry.value.windows, '/windows');
    const other = windows.find(({ value }) => value !== 'anytime');
    const anytime = windows.find(({ value }) => value === 'anytime');
    if (!anytime || !other) continue;
    const params = { key: 'anytime', other: other.value };
    yield error('excludesEachOther', placeIn(entry, anytime.below), params);
  }
}

/**
 * A window for other task types never opens for its policy (semantics W24). Another rule checks
 * that the window exists.
 */
function* windowsServeTasks(fleet: AuthoredFleet): Generator<Diagnostic> {
  const windows = new Map(fleet.of('windows').map((window) => [window.name, window]));
  for (const policy of policiesOf(fleet)) {
    const task =
      'task' in policy.value ? policy.value.task : TASK_OF[policy.section as keyof typeof TASK_OF];
    for (const { value: name, below } of eachOf(policy.value.windows, '/windows')) {
      const window = windows.get(name);
      if (!window || meant('window', window.value).task.includes(task)) continue;
      const places = [placeIn(policy, below), placeIn(window, '/task')] as const;
      yield errorWith('windowForOthers', places, { policy: policy.address, window: name, task });
    }
  }
}

/** From half of its life on, a certificate would be due again as soon as it is renewed. */
const LOOPING_SHARE = 50;

/**
 * A renewal must leave part of a certificate's life; a password has no life to take a percentage
 * of.
 */
function* renewalsEnd(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const { task, renewBefore } = entry.value;
    if (renewBefore?.endsWith('%') !== true) continue;
    const at = placeIn(entry, '/renewBefore');
    if (TASKS[task].credential !== 'certificate')
      yield error('badDuration', at, { value: renewBefore });
    else if (Number.parseFloat(renewBefore) >= LOOPING_SHARE)
      yield error('renewalLoop', at, { policy: entry.address, renewBefore });
  }
}

/**
 * A spread must end before the date that it precedes and before its guard (semantics
 * L-spreadTooLong).
 */
function* spreadsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const limit = spreadLimit(entry);
    if (!limit) continue;
    const { spread, guard, ahead, isTight } = limit;
    if (isTight ? spread <= ahead : spread + guard < ahead) continue;
    yield error('spreadTooLong', placeIn(entry, culprit(entry)), {
      policy: entry.address,
      spread: formatDuration(spread),
      ...(guard > 0 && { expiryGuard: formatDuration(guard) }),
      ahead: readableDuration(ahead),
    });
  }
}

/** The length of a spread and the time available for it. */
interface SpreadLimit {
  readonly spread: Milliseconds;
  readonly guard: Milliseconds;
  readonly ahead: Milliseconds;
  /** The spread may equal the available time instead of staying below it. */
  readonly isTight: boolean;
}

/** Undefined without a spread, or if it is a percentage of an unknown life. */
function spreadLimit({ value }: AuthoredEntry<'rotations'>): SpreadLimit | undefined {
  const { renewBefore } = value;
  const { task, maxAge, headStart, spread, expiryGuard } = meant('rotation', value);
  if (renewBefore !== undefined) {
    const ahead = parseDuration(renewBefore);
    if (ahead === undefined) return undefined;
    const isCertificate = TASKS[task].credential === 'certificate';
    const guard = isCertificate ? expiryGuard : 0;
    return { spread: spread ?? ahead / 3, guard, ahead, isTight: false };
  }
  const isByAge =
    maxAge !== 'never' && (maxAge !== undefined || TASKS[task].credential !== 'certificate');
  if (!isByAge || spread === undefined) return undefined;
  return { spread, guard: 0, ahead: headStart, isTight: true };
}

/** The key to fix: the authored one that is most likely wrong. */
function culprit({ value }: AuthoredEntry<'rotations'>): string {
  if (value.spread !== undefined) return '/spread';
  return value.expiryGuard === undefined ? '/renewBefore' : '/expiryGuard';
}

/** An earlier name as one policy writes it. */
interface Claim {
  readonly entry: AuthoredEntry<PolicySection>;
  readonly name: string;
  readonly below: string;
}

/**
 * An earlier name of a policy is of its own section, is the name of no policy now, and is claimed once (semantics M23):
 * else two policies would share one past.
 */
function* renamesAreClear(fleet: AuthoredFleet): Generator<Diagnostic> {
  const entries = policiesOf(fleet);
  const present = new Map(entries.map((entry) => [entry.address, entry]));
  const first = new Map<string, Claim>();
  for (const claim of entries.flatMap(claimsOf)) {
    const { entry, name, below } = claim;
    const at = placeIn(entry, below);
    const [other, before] = [present.get(name), first.get(name)];
    const params = { policy: entry.address, name };
    if (sectionOf(name) !== sectionOf(entry.address))
      yield error('renameOfOther', at, { ...params, section: sectionOf(entry.address) });
    else if (other) yield errorWith('renameExists', [at, placeIn(other, '', 'key')], params);
    else if (before)
      yield errorWith('renameTwice', [at, placeIn(before.entry, before.below)], params);
    first.set(name, before ?? claim);
  }
}

/** No policy comes after itself, over however many others: nothing of them could ever start (semantics K28). */
function* ordersEnd(fleet: AuthoredFleet): Generator<Diagnostic> {
  type Link = readonly [address: string, at: Spot];
  const entries = new Map(fleet.of('firmware').map((entry) => [entry.address, entry]));
  const clear = new Set<string>();
  function* cyclesFrom(address: string, path: readonly Link[]): Generator<Diagnostic> {
    const [first, ...others] = path.slice(path.findIndex(([each]) => each === address));
    if (first?.[0] === address) {
      const cycle = [first, ...others].map(([each]) => `${each} after `).join('') + address;
      const places = [first[1], ...others.map(([, at]) => at)] as const;
      yield errorWith('afterCycle', places, { policy: address, cycle });
    } else if (!clear.has(address)) {
      const entry = entries.get(address);
      for (const { name, below } of entry ? namedAfter(entry) : [])
        if (entry)
          yield* cyclesFrom(`firmware.${name}`, [...path, [address, placeIn(entry, below)]]);
      clear.add(address);
    }
  }
  for (const address of entries.keys()) yield* cyclesFrom(address, []);
}

/** The firmware policies that come before this one, by name, each with its place. */
export function namedAfter({
  value: { after = [] },
}: AuthoredEntry<'firmware' | 'rotations'>): readonly { name: string; below: string }[] {
  return after.map((written, index) => {
    const address = typeof written === 'string' ? written : written.policy;
    const below = `/after/${index}${typeof written === 'string' ? '' : '/policy'}`;
    return { name: address.slice('firmware.'.length), below };
  });
}

function sectionOf(address: string): string {
  return address.split('.', 1)[0] ?? '';
}

function claimsOf(entry: AuthoredEntry<PolicySection>): readonly Claim[] {
  const { renamedFrom } = entry.value;
  if (renamedFrom === 'none') return [];
  return eachOf(renamedFrom, '/renamedFrom').map(({ value: name, below }) => ({
    entry,
    name,
    below,
  }));
}

/** The sections whose policies act once on what a person wants, and not again and again. */
const ONCE = ['firmware', 'onboarding'] as const;

/**
 * A standing approval is meant for rotations by age and for restarts; it lets hardly anything else
 * start (semantics N73).
 */
function* preapprovedFits(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of ONCE)
    for (const entry of fleet.of(section))
      if (entry.value.approval !== undefined)
        yield warning('preapprovedUnusual', placeIn(entry, '/approval'), {
          policy: entry.address,
          section,
        });
}

/** Someone may be working on a device in maintenance mode, so a restart is seldom intended. */
function* maintenanceLeftOut(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('restarts'))
    if (entry.value.when.excludeMaintenanceMode === false)
      yield warning('maintenanceIncluded', placeIn(entry, '/when/excludeMaintenanceMode'), {
        policy: entry.address,
      });
}
