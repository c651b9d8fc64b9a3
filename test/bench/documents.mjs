/**
 * Documents with this many firmware policies, of the kinds that people write: exact makes, globs over models and names,
 * ranges, groups and tags. `url` is the service.
 */
export function documentsText(policies, url) {
  const lines = [
    `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 600, pollEvery: 30s}, ledger: {store: directory, path: ledger}}`,
    'sites:',
    ...SITES.map((site, at) => `  ${site}: {timeZone: Europe/Berlin, tags: [tag-${at % 3}]}`),
    'groups:',
    ...Array.from({ length: 10 }, (_, at) => `  group-${at}: {select: {name: "*-cam-${at}*"}}`),
    'guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 10000000}}',
    'windows: {nights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}',
    'firmware:',
  ];
  for (let at = 0; at < policies; at += 1)
    lines.push(
      `  policy-${at}: {select: {${SELECTORS[at % SELECTORS.length](at)}}, version: "11.11.x", windows: nights, priority: ${(at % 1000) + 1}}`,
    );
  return `${lines.join('\n')}\n`;
}

const SITES = [
  'HQ Berlin',
  'Campus Munich',
  'Plant Gdansk',
  'Store London Soho',
  'Warehouse Rotterdam',
];

const SELECTORS = [
  () => 'vendor: Axis, model: P3265-*',
  (at) => `vendor: Axis, model: "M${at % 10}*-LVE"`,
  (at) => `name: "lobby-cam-${at}*"`,
  (at) => `vendor: [Bosch, Hanwha Vision], name: "*-${at}"`,
  () => 'vendor: Axis, firmwareVersion: "<11.8", deviceType: camera',
  (at) => `group: group-${at % 10}, vendor: Axis`,
  (at) => `site: {tag: tag-${at % 3}}, model: "Q${at % 10}*"`,
  (at) => `vendor: Axis, name: "gate-*${at}", not: {site: HQ Berlin}`,
];
