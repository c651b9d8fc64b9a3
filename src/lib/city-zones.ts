/** Big cities whose time zone has the name of another city. */
const OTHERS: Readonly<Record<string, string>> = {
  'Africa/Cairo': 'Alexandria',
  'Africa/Casablanca': 'Marrakesh, Rabat',
  'Africa/Johannesburg': 'Cape Town, Durban, Pretoria',
  'Africa/Lagos': 'Abuja',
  'America/Chicago':
    'Austin, Dallas, Houston, Memphis, Milwaukee, Minneapolis, Nashville, New Orleans, San Antonio, St Louis',
  'America/Denver': 'Albuquerque, Salt Lake City',
  'America/Los_Angeles':
    'Las Vegas, Portland, Sacramento, San Diego, San Francisco, San Jose, Seattle',
  'America/New_York':
    'Atlanta, Baltimore, Boston, Charlotte, Cleveland, Miami, Orlando, Philadelphia, Pittsburgh, Tampa, Washington',
  'America/Sao_Paulo': 'Brasilia, Curitiba, Porto Alegre, Rio de Janeiro',
  'America/Toronto': 'Montreal, Ottawa, Quebec',
  'America/Edmonton': 'Calgary',
  'Asia/Dubai': 'Abu Dhabi',
  'Asia/Kolkata':
    'Bangalore, Bengaluru, Chennai, Delhi, Hyderabad, Kolkata, Mumbai, New Delhi, Pune',
  'Asia/Jerusalem': 'Haifa, Tel Aviv',
  'Asia/Riyadh': 'Jeddah, Mecca',
  'Asia/Ho_Chi_Minh': 'Hanoi, Ho Chi Minh City',
  'Asia/Shanghai': 'Beijing, Chengdu, Guangzhou, Nanjing, Shenzhen, Tianjin, Wuhan',
  'Asia/Tokyo': 'Kobe, Kyoto, Nagoya, Osaka, Sapporo, Yokohama',
  'Australia/Sydney': 'Canberra, Newcastle',
  'Europe/Amsterdam': 'Eindhoven, Rotterdam, The Hague, Utrecht',
  'Europe/Berlin':
    'Bonn, Bremen, Cologne, Dortmund, Dresden, Dusseldorf, Essen, Frankfurt, Hamburg, Hanover, Leipzig, Munich, Nuremberg, Stuttgart',
  'Europe/Brussels': 'Antwerp, Ghent',
  'Europe/Istanbul': 'Ankara, Izmir',
  'Europe/Kyiv': 'Kharkiv, Kyiv, Lviv, Odesa',
  'Europe/Lisbon': 'Porto',
  'Europe/London':
    'Birmingham, Bristol, Cardiff, Edinburgh, Glasgow, Leeds, Liverpool, Manchester, Sheffield',
  'Europe/Madrid': 'Barcelona, Bilbao, Malaga, Seville, Valencia',
  'Europe/Moscow': 'St Petersburg',
  'Europe/Paris': 'Bordeaux, Lille, Lyon, Marseille, Nantes, Nice, Strasbourg, Toulouse',
  'Europe/Rome': 'Bologna, Florence, Genoa, Milan, Naples, Turin, Venice',
  'Europe/Stockholm': 'Gothenburg, Malmo',
  'Europe/Vienna': 'Graz, Linz, Salzburg',
  'Europe/Warsaw': 'Gdansk, Krakow, Lodz, Poznan, Wroclaw',
  'Europe/Zurich': 'Basel, Bern, Geneva, Lausanne',
};

/** The time zone of a city, also where it has the name of another one; undefined for a city that is not known. */
export function zoneOfCity(city: string): string | undefined {
  const name = plain(city);
  const has = (cities: string): boolean => cities.split(', ').some((each) => plain(each) === name);
  return ianaCities().get(name) ?? Object.keys(OTHERS).find((zone) => has(OTHERS[zone] ?? ''));
}

/**
 * The time zone whose city a name contains, such as "HQ Berlin"; undefined if there is none, or if cities of two
 * zones are in it.
 */
export function zoneInName(name: string): string | undefined {
  const text = ` ${plain(name)} `;
  const found = [...ianaCities()].filter(([city]) => text.includes(` ${city} `));
  const zones = new Set(found.map(([, zone]) => zone));
  return zones.size === 1 ? [...zones][0] : undefined;
}

/** Words alone: without case, accents and marks. */
function plain(text: string): string {
  const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[^a-z]+/g, ' ').trim();
}

let cities: ReadonlyMap<string, string> | undefined;

/** The zones that are named after a city, by its name; no station at a pole, and no town of three parts. */
function ianaCities(): ReadonlyMap<string, string> {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').flatMap((zone) => {
      const [area = '', city, more] = zone.split('/');
      const isCity =
        city !== undefined && more === undefined && !/^(?:Antarctica|Arctic|Etc)$/.test(area);
      return isCity ? [[plain(city), zone] as const] : [];
    }),
  );
  return cities;
}
