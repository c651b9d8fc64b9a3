/** So many documents with so many lines in all: policies with selectors, as people write them. */
export function* largeDocuments(count, lines) {
  yield [
    'service.yaml',
    'service: {baseUrl: "https://service.test", organization: acme}\nwindows: {nights: {timeZone: Europe/Berlin, allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}\n',
  ];
  const perEntry = 7;
  const entries = Math.floor(lines / count / perEntry);
  for (let file = 1; file < count; file += 1) {
    const text = ['firmware:'];
    for (let entry = 0; entry < entries; entry += 1)
      text.push(
        `  policy-${file}-${entry}:`,
        '    select:',
        `      vendor: Axis`,
        `      model: [P${file}-V, P${file}-LVE]`,
        `    version: "11.11.x"`,
        '    windows: nights',
        `    priority: ${((file * entries + entry) % 1000) + 1}`,
      );
    yield [`fleet-${file}.yaml`, `${text.join('\n')}\n`];
  }
}

/** Sites of every twin with 13 sites or more, which have a thousand devices each if there are as many thousand. */
export const SOME_SITES = [
  'HQ Berlin',
  'Campus Munich',
  'Plant Gdansk',
  'Store London Soho',
  'Store Paris Marais',
  'Warehouse Rotterdam',
  'Office Madrid',
  'HQ Americas New York',
  'Data Centre Dallas',
  'Office Sao Paulo',
  'Campus Singapore',
  'Office Sydney',
  'HQ Berlin Branch 13',
];

/** Every camera, of some sites or of all, gets a new password: nothing but the service paces it. */
export function rotationDocuments(url, sites) {
  const select = `{deviceType: camera${sites ? `, site: ${JSON.stringify(sites)}` : ''}}`;
  return `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 6000, pollEvery: 1s}, ledger: {store: directory, path: ledger}, dialect: {maxDevicesPerTask: 1000}}
rollouts: {all: {canary: none, waves: [{name: rest, percent: 100%}], maxInFlight: 100000, batch: 100, gate: {minReached: 0%, minSuccess: 0%}}}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: 100000}
  default-storage-server: {per: storageServer, maxInFlight: 100000}
rotations: {passwords: {task: rotatePassword, select: ${select}, generation: 2, windows: anytime, rollout: all, leavesInService: true}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000000}}
`;
}
