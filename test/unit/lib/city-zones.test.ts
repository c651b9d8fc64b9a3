import { expect, it } from 'vitest';
import { zoneInName, zoneOfCity } from '../../../src/lib/city-zones.ts';

it.each([
  ['HQ Berlin', 'Europe/Berlin'],
  ['Escritório São Paulo', 'America/Sao_Paulo'],
  ['new-york-2', 'America/New_York'],
  ['Campus Munich', undefined],
  ['Berlin to London', undefined],
  ['Rome and Berlin', undefined],
  ['Davis Street', undefined],
  ['Romeo', undefined],
  ['', undefined],
])('the zone in the name of site "%s" is %s', (name, zone) => {
  expect(zoneInName(name)).toBe(zone);
});

it.each([
  ['Munich', 'Europe/Berlin'],
  ['Gdańsk', 'Europe/Warsaw'],
  ['San_Francisco', 'America/Los_Angeles'],
  ['Berlin', 'Europe/Berlin'],
  ['Nowhere', undefined],
])('the zone of the city %s is %s', (city, zone) => {
  expect(zoneOfCity(city)).toBe(zone);
  if (zone !== undefined) expect(new Intl.DateTimeFormat('en', { timeZone: zone })).toBeDefined();
});
