// The shapes of fleet that benches plan: how many sites and models, and which policies people write for them.

/** By name: sites, models, and the policies of documents with `count` of them. */
export const SHAPES = {
  few: { sites: 20, models: 12 },
  wide: { sites: 200, models: 80 },
  sites: { sites: 5_000, models: 80 },
};

/** The version that every policy asks for, and those that devices behind it have. */
export const WANTED = '11.11.160';
export const BEHIND = ['10.2.3', '10.12.236', '11.8.61'];

export const modelName = (at) => `${'MPQV'[at % 4]}${3000 + at}-${at % 3 ? 'LVE' : 'V'}`;
export const siteName = (at) => `Site ${String(at).padStart(4, '0')}`;

/** A device of a shape by its number, `behind` its version with the given percentage: equal in every run; neighbors differ. */
export function deviceAt(at, shape, behind) {
  const { sites, models } = SHAPES[shape];
  const mixed = Math.imul(at, 2_654_435_761) >>> 0;
  const isBehind = mixed % 10_007 < Number(behind) * 100.07;
  return {
    id: `dev-${at}`,
    model: modelName(mixed % models),
    version: isBehind ? BEHIND[at % BEHIND.length] : WANTED,
    place: Math.floor(mixed / 7) % sites,
  };
}

/** Documents of a shape: a policy for each model, then globs over models and names, ranges, groups and tags. */
export function documentsText(shape, policies, url, ledger = '{store: directory, path: ledger}') {
  const { sites, models } = SHAPES[shape];
  const all = (count, row) => Array.from({ length: count }, (_, at) => row(at));
  return `${[
    `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 600, pollEvery: 30s}, ledger: ${ledger}}`,
    'sites:',
    ...all(sites, (at) => `  ${siteName(at)}: {timeZone: ${ZONES[at % 4]}, tags: [tag-${at % 5}]}`),
    'groups:',
    ...all(10, (at) => `  group-${at}: {select: {name: "*-cam-${at}*"}}`),
    'guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 10000000, maxPercentOfSite: 100%}}',
    'windows: {nights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}',
    'firmware:',
    ...all(policies, (at) => policyLine(at, models)),
  ].join('\n')}\n`;
}

const ZONES = ['Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Tokyo'];

function policyLine(at, models) {
  const select =
    at < models ? `vendor: Axis, model: ${modelName(at)}` : OTHERS[at % OTHERS.length](at);
  const priority = at < models ? 500 : (at % 400) + 1;
  return `  policy-${at}: {select: {${select}}, version: "${WANTED}", windows: nights, priority: ${priority}}`;
}

const OTHERS = [
  (at) => `vendor: Axis, model: "M${at % 10}*-LVE"`,
  (at) => `name: "lobby-cam-${at}*"`,
  (at) => `vendor: Axis, name: "*-${at}"`,
  () => 'vendor: Axis, firmwareVersion: "<11.8", deviceType: camera',
  (at) => `group: group-${at % 10}, vendor: Axis`,
  (at) => `site: {tag: tag-${at % 5}}, model: "Q${at % 10}*"`,
  (at) => `vendor: Axis, name: "gate-*${at}", not: {site: "${siteName(at % 20)}"}`,
];
