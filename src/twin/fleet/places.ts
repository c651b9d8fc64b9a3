import type { SiteState, SourceState } from '../state.ts';

type Place = readonly [name: string, description: string, latitude: number, longitude: number];

const PLACES: readonly Place[] = [
  ['HQ Berlin', 'Headquarters', 52.52, 13.405],
  ['Campus Munich', 'Research and development', 48.137, 11.575],
  ['Plant Gdansk', 'Assembly', 54.352, 18.646],
  ['Store London Soho', 'Flagship store', 51.513, -0.137],
  ['Store Paris Marais', 'Retail', 48.859, 2.362],
  ['Warehouse Rotterdam', 'Distribution centre', 51.924, 4.478],
  ['Office Madrid', 'Sales', 40.417, -3.704],
  ['HQ Americas New York', 'Regional headquarters', 40.713, -74.006],
  ['Data Centre Dallas', 'Hosting', 32.777, -96.797],
  ['Office Sao Paulo', 'Sales and service', -23.551, -46.633],
  ['Campus Singapore', 'Regional headquarters', 1.352, 103.82],
  ['Office Sydney', 'Sales and service', -33.869, 151.209],
];

/** As many sites as wanted: the first twelve by name, the rest branches of their cities. */
export function seedSites(count: number): SiteState[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, description, latitude, longitude] = placeAt(index);
    return { id: index + 1, name, description, latitude, longitude };
  });
}

/** Four integrations, one of them a CSV file. Each type has its own spelling of versions. */
export const SOURCES: readonly SourceState[] = [
  { id: 1, name: 'VMS HQ', type: 'genetec', version: '5.12.1.0' },
  { id: 2, name: 'VMS Regions', type: 'milestone', version: '2024 R2' },
  { id: 3, name: 'Access Control', type: 'onguard', version: '8.2 Update 1' },
  { id: 4, name: 'Inventory CSV', type: 'internal', version: 'inventory-2026-09' },
];

function placeAt(index: number): Place {
  const [place] = PLACES.slice(index % PLACES.length);
  if (place === undefined) throw new RangeError(`no place ${index}`);
  if (index < PLACES.length) return place;
  const [name, , latitude, longitude] = place;
  const shift = Math.floor(index / PLACES.length) / 10;
  return [`${name} Branch ${index + 1}`, 'Branch', latitude + shift, longitude + shift];
}
