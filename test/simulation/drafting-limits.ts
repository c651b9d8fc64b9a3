import { chanceOf } from './chance.ts';
import type { Brief } from './brief.ts';
import type { Fields, WishedBudget, WishedGroup, Wishes } from './wishes.ts';

/** Groups, with redundancy or to be overlapped by. */
export function groupsOf({ seed, has, devices, sites }: Brief): Wishes['groups'] {
  const chance = chanceOf(seed, 'groups');
  const groups: Record<string, WishedGroup> = {};
  if (has.has('redundancy')) {
    const members = chance.some(devices, Math.max(2, chance.magnitude(2, 12)));
    groups['twins'] = {
      devices: members.slice(0, Math.ceil(members.length / 2)),
      redundancy: true,
    };
    groups['pair'] = { devices: members.slice(-2), redundancy: true };
    if (has.has('overlappingGroups'))
      groups['across'] = { devices: chance.some(members, 3), redundancy: true };
  }
  if (has.has('overlappingGroups'))
    groups['hall'] = { select: { site: chance.pick(sites) }, redundancy: chance.is(0.3) };
  return groups;
}

/** Budgets; the built-in one of each site is loosened where nothing tightens it, to see more at once. */
export function budgetsOf({ seed, has, sites }: Brief): Wishes['budgets'] {
  const chance = chanceOf(seed, 'budgets');
  const budgets: Record<string, WishedBudget> = {};
  if (!has.has('budgetPerSite'))
    budgets['default-site'] = { per: 'site', maxUnavailable: chance.pick(['100%', '50%', '25%']) };
  else if (chance.is(0.5))
    budgets['cameras'] = {
      select: { deviceType: 'camera' },
      per: 'site',
      maxUnavailable: chance.pick([1, 2, '20%', '34%']),
    };
  if (has.has('budgetOfFleet'))
    budgets['all'] = { per: 'fleet', maxUnavailable: chance.pick([1, 3, 10, '15%', '40%']) };
  if (has.has('minAvailable'))
    budgets['staffed'] = {
      select: { site: chance.pick(sites) },
      per: 'site',
      minAvailable: chance.int(1, 4),
    };
  if (has.has('inFlightLimit'))
    budgets['default-fleet'] = { per: 'fleet', maxInFlight: chance.int(1, 12) };
  return budgets;
}

/** The rollout `usual` that policies name. */
export function rolloutsOf({ seed, has }: Brief): Wishes['rollouts'] {
  const chance = chanceOf(seed, 'rollouts');
  const soak = () => chance.pick(['0m', '10m', '2h', '8h']);
  const waves: Fields[] = [];
  if (!has.has('noCanary'))
    waves.push({ name: 'canary', size: chance.int(1, 3), stratify: [], soak: soak() });
  if (has.has('waves')) waves.push({ name: 'early', percent: '30%', soak: soak() });
  waves.push({ name: 'rest', percent: '100%', soak: '0m' });
  const lenient = { wave: 1000, model: 1000, ...(!has.has('noCanary') && { canary: 1000 }) };
  const expert = [
    {
      class: ['failed', 'rolledBack'],
      max: 1,
      scope: 'rollout',
      action: chance.pick(['pause', 'abort']),
    },
    { class: ['inDoubt', 'timedOut', 'unverified'], max: chance.int(0, 2), scope: 'rollout' },
  ];
  const stopOn = has.has('lenientStops') ? lenient : has.has('expertStops') ? expert : undefined;
  return {
    usual: {
      canary: has.has('noCanary') ? 'none' : 'required',
      waves,
      batch: has.has('smallBatches') ? chance.int(1, 3) : 10,
      maxInFlight: has.has('smallBatches') ? chance.int(1, 6) : 20,
      gate: { minReached: '50%', minSuccess: '50%', checks: [], consecutiveOk: chance.int(1, 2) },
      ...(stopOn && { stopOn }),
    },
  };
}
