import { chanceOf, type Chance } from './chance.ts';
import { ZONES, type Brief } from './brief.ts';
import type { WishedSpan, WishedException, Wishes } from './wishes.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const HOUR = 3_600_000;

/** Maintenance windows; none where everything may happen anytime. */
export function windowsOf({ seed, has }: Brief): Wishes['windows'] {
  if (!has.has('windows')) return {};
  const chance = chanceOf(seed, 'windows');
  const nights = {
    timeZone: 'site',
    allow: [spanOf(chance, has.has('cron') && chance.is(0.7))],
    deny: has.has('deny') ? [dayspan(chance, 1, 3)] : [],
    cutoff: chance.pick(['auto', '0m', '20m', '1h']),
  };
  if (!has.has('fixedZone')) return { nights };
  const fixed = {
    timeZone: chance.pick(ZONES),
    allow: [dayspan(chance, 4, 10), spanOf(chance, has.has('cron'))],
    deny: [],
    cutoff: chance.pick(['auto', '10m', '30m']),
  };
  return { fixed, nights };
}

function spanOf(chance: Chance, isCron: boolean): WishedSpan {
  if (!isCron) return dayspan(chance, 3, 12);
  const day = chance.pick(DAYS).toUpperCase();
  const minute = chance.pick([0, 15, 30]);
  return {
    cron: `${minute} ${chance.int(0, 23)} * * ${day}`,
    duration: `${chance.int(3, 20)}h`,
  };
}

function dayspan(chance: Chance, shortest: number, longest: number): WishedSpan {
  const from = chance.int(0, 47);
  const to = (from + 2 * chance.int(shortest, longest)) % 48;
  const days = chance.is(0.5) ? DAYS : chance.some(DAYS, chance.int(3, 6));
  return { days, from: clockOf(from), to: clockOf(to === from ? (to + 6) % 48 : to) };
}

function clockOf(half: number): string {
  return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
}

/** Freezes that people knew of before they began. */
export function freezesOf(brief: Brief): Wishes['freezes'] {
  const { has } = brief;
  const soft = has.has('freeze') ? { soft: freezeFrom(brief, 'freeze', false) } : {};
  return {
    ...soft,
    ...(has.has('hardFreeze') && { hard: freezeFrom(brief, 'hard freeze', true) }),
  };
}

/** A freeze somewhere in phase one. */
export function freezeFrom(
  { seed, start, end, sites }: Brief,
  name: string,
  hard: boolean,
): Wishes['freezes'][string] {
  const chance = chanceOf(seed, name);
  const from = chance.int(start, end);
  const to = from + chance.int(2, 40) * HOUR;
  const wall = (at: number): string => new Date(at).toISOString().slice(0, 19);
  return {
    timeZone: chance.is(0.5) ? 'site' : chance.pick(ZONES),
    from: wall(from),
    to: wall(to),
    ...(chance.is(0.4) && { select: { site: chance.pick(sites) } }),
    hard,
    reason: 'change stop',
    owner: 'ops',
    ticket: 'CHG-1',
  };
}

const WHO = { reason: 'said so', owner: 'ops', ticket: 'OPS-1' } as const;

/** Exceptions that hold from the beginning. */
export function exceptionsOf({ seed, has, start, end, devices }: Brief): Wishes['exceptions'] {
  const chance = chanceOf(seed, 'exceptions');
  const entries: Record<string, WishedException> = {};
  const some = () => ({ device: chance.some(devices, chance.int(1, 3)) });
  const until = () => new Date(chance.int(start + 12 * HOUR, end)).toISOString();
  if (has.has('hold')) entries['held'] = { type: 'hold', select: some(), until: until(), ...WHO };
  if (has.has('exclude'))
    entries['excluded'] = { type: 'exclude', select: some(), until: until(), ...WHO };
  if (has.has('pin'))
    entries['pinned'] = {
      type: 'pin',
      task: 'upgradeFirmware',
      version: '11.11.124',
      select: { vendor: 'Axis', model: 'P3265-LVE' },
      until: until(),
      ...WHO,
    };
  if (has.has('expedite'))
    entries['urgent'] = {
      type: 'expedite',
      task: chance.pick(['rotatePassword', 'upgradeFirmware']),
      select: some(),
      until: new Date(start + 70 * HOUR).toISOString(),
      ...WHO,
    };
  return entries;
}
