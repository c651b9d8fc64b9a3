import type { Chance } from './chance.ts';
import { chanceOf } from './chance.ts';
import { SECRET, ZONES, type Brief } from './brief.ts';
import { exceptionsOf, freezesOf, windowsOf } from './drafting-times.ts';
import { budgetsOf, groupsOf, rolloutsOf } from './drafting-limits.ts';
import type { Fields, WishedPolicy, WishedSelector, Wishes } from './wishes.ts';

/** The first documents of a seed. */
export function draft(brief: Brief): Wishes {
  const windows = windowsOf(brief);
  const names = Object.keys(windows);
  return {
    service: {
      baseUrl: 'https://twin.test',
      organization: 'acme',
      dialect: {
        autoSettleNegative: brief.has.has('settlesNegative') ? 'afterQuarantine' : 'never',
      },
    },
    sites: Object.fromEntries(
      brief.sites.map((site) => [
        site,
        { timeZone: chanceOf(brief.seed, `zone ${site}`).pick(ZONES) },
      ]),
    ),
    groups: groupsOf(brief),
    windows,
    freezes: freezesOf(brief),
    rollouts: rolloutsOf(brief),
    budgets: budgetsOf(brief),
    firmware: firmwareOf(brief, names),
    rotations: rotationsOf(brief, names),
    onboarding: onboardingOf(brief),
    restarts: restartsOf(brief, names),
    exceptions: exceptionsOf(brief),
    guardrails: { default: { maxPercentOfFleet: brief.has.has('lowGuardrail') ? '25%' : '100%' } },
  };
}

function windowFor(chance: Chance, names: readonly string[]): string | readonly string[] {
  if (names.length === 0) return 'anytime';
  return names.length > 1 && chance.is(0.3) ? names : chance.pick(names);
}

const TARGETS: readonly { readonly select: WishedSelector; readonly version: string }[] = [
  { select: { vendor: 'Axis', model: 'P3265-LV' }, version: '11.11.160' },
  { select: { vendor: 'Axis', model: 'P3265-V' }, version: '11.11.124' },
  { select: { vendor: 'Axis', model: 'Q1656' }, version: '12.4.59' },
  { select: { vendor: 'Axis', model: 'M3065-V' }, version: '11.11.160' },
];

function firmwareOf({ seed, has }: Brief, names: readonly string[]): Wishes['firmware'] {
  const chance = chanceOf(seed, 'firmware');
  const policies: Record<string, WishedPolicy> = {};
  const common = { windows: windowFor(chance, names), rollout: 'usual' };
  if (has.has('firmwareApproved'))
    policies['newest'] = {
      select: chance.is(0.5) ? { device: '*' } : { deviceType: 'camera' },
      version: 'approved',
      ...common,
    };
  if (has.has('firmwareExact'))
    policies['exact'] = { ...chance.pick(TARGETS), priority: 600, ...common };
  return policies;
}

function rotationsOf({ seed, has }: Brief, names: readonly string[]): Wishes['rotations'] {
  const chance = chanceOf(seed, 'rotations');
  const policies: Record<string, WishedPolicy> = {};
  const secret: Fields = has.has('secretPayload') ? { hint: { fromEnv: SECRET.name } } : {};
  if (has.has('passwords'))
    policies['passwords'] = {
      task: 'rotatePassword',
      select: chance.is(0.5) ? { device: '*' } : { deviceType: 'camera' },
      maxAge: chance.pick(['180d', '90d', '40d']),
      headStart: '7d',
      spread: '1d',
      generation: 1,
      payload: secret,
      windows: windowFor(chance, names),
      rollout: 'usual',
    };
  if (has.has('certificates'))
    policies['certificates'] = {
      task: 'rotateSslCertificate',
      select: { deviceType: 'camera' },
      renewBefore: chance.pick(['60d', '33%', '150d']),
      spread: '1d',
      generation: 1,
      windows: windowFor(chance, names),
      rollout: 'usual',
    };
  return policies;
}

function onboardingOf({ seed, has, discovered }: Brief): Wishes['onboarding'] {
  const chance = chanceOf(seed, 'onboarding');
  const policies: Record<string, WishedPolicy> = {};
  if (has.has('onboardBySelect'))
    policies['found'] = {
      select: { source: 'VMS HQ', deviceType: 'camera' },
      maxPerDay: chance.int(1, 4),
      windows: 'anytime',
    };
  if (has.has('onboardByList'))
    policies['listed'] = {
      devices: chance.some(discovered, chance.int(1, 3)).map((id) => ({ id })),
      maxPerDay: 5,
      priority: 600,
      windows: 'anytime',
    };
  return policies;
}

function restartsOf({ seed, has }: Brief, names: readonly string[]): Wishes['restarts'] {
  if (!has.has('restarts')) return {};
  const chance = chanceOf(seed, 'restarts');
  return {
    dark: {
      when: { status: chance.pick([['offline'], ['partial'], ['offline', 'partial']]), for: '20m' },
      select: { device: '*' },
      cooldown: '6h',
      correlatedOutage: { percent: '100%', within: '10m' },
      windows: windowFor(chance, names),
    },
  };
}
