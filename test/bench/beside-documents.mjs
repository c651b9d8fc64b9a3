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

/** One night for most of a fleet: passwords of two kinds, certificates, and firmware in waves; failures stay as they are. */
export function nightDocuments(url) {
  const gentle =
    'gate: {minReached: 0%, minSuccess: 0%}, retry: {maxAttemptsPerWindow: 1, maxWindows: 1}';
  const times = 'verify: {rotatePassword: 5s, rotateSslCertificate: 5s, upgradeFirmware: 20s}';
  const rollout = `maxInFlight: 100000, batch: 100, ${gentle}, timeouts: {${times}}`;
  return `service: {baseUrl: "${url}", organization: acme, pace: {requestsPerSecond: 100000, tokenRequestsPerMinute: 6000, pollEvery: 1s}, ledger: {store: directory, path: ledger}, dialect: {maxDevicesPerTask: 1000}}
rollouts:
  all: {canary: none, waves: [{name: rest, percent: 100%}], stopOn: {wave: 100%, model: 100%}, ${rollout}}
  waved: {waves: [{name: canary, size: 5, soak: 1s}, {name: rest, percent: 100%}], stopOn: {canary: 100%, wave: 100%, model: 100%}, ${rollout}}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  default-fleet: {per: fleet, maxInFlight: 100000}
  default-storage-server: {per: storageServer, maxInFlight: 100000}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera, not: {vendor: [Axis, Hanwha*]}}, generation: 2, windows: anytime, rollout: all, leavesInService: true}
  controllers: {task: rotatePassword, select: {deviceType: [access control panel, intercom]}, generation: 2, windows: anytime, rollout: all, leavesInService: true}
  certificates: {task: rotateSslCertificate, select: {vendor: Axis, deviceType: camera}, generation: 2, windows: anytime, rollout: all, leavesInService: true}
firmware: {hanwha: {select: {vendor: Hanwha*}, version: approved, windows: anytime, rollout: waved}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 1000000}}
`;
}

/** Some of its tasks fail in three ways, some change nothing, and the answers to two are lost. */
export const NIGHT_FAULTS = [
  [
    { taskType: 'rotatePassword', share: 0.03 },
    { type: 'failingDevice', result: 'failed' },
  ],
  [{ taskType: 'rotatePassword', share: 0.004 }, { type: 'liar' }],
  [
    { taskType: 'rotateSslCertificate', share: 0.02 },
    { type: 'failingDevice', result: 'aborted' },
  ],
  [
    { taskType: 'upgradeFirmware', share: 0.02 },
    { type: 'failingDevice', result: 'rolledBack' },
  ],
  [{ endpoint: 'createTask', nth: 40 }, { type: 'lostAnswer' }],
  [{ endpoint: 'createTask', nth: 71 }, { type: 'lostRequest' }],
].map(([match, fault]) => ({ match, fault }));
