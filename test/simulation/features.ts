import { chanceOf } from './chance.ts';

/** Everything a simulated world may have, each with its probability; drawn one by one. */
const PROBABILITY = {
  // what is wished
  firmwareApproved: 0.5,
  firmwareExact: 0.4,
  passwords: 0.5,
  certificates: 0.45,
  secretPayload: 0.3,
  onboardBySelect: 0.35,
  onboardByList: 0.35,
  restarts: 0.45,
  // in which order
  waves: 0.45,
  noCanary: 0.4,
  expertStops: 0.3,
  lenientStops: 0.35,
  smallBatches: 0.3,
  // when
  windows: 0.65,
  fixedZone: 0.35,
  clockChange: 0.35,
  deny: 0.3,
  cron: 0.3,
  freeze: 0.3,
  hardFreeze: 0.3,
  // how many at once
  budgetPerSite: 0.45,
  budgetOfFleet: 0.4,
  minAvailable: 0.3,
  inFlightLimit: 0.35,
  redundancy: 0.45,
  overlappingGroups: 0.3,
  lowGuardrail: 0.3,
  // exceptions
  hold: 0.3,
  pin: 0.3,
  exclude: 0.3,
  expedite: 0.3,
  // commits while it runs
  generationRaised: 0.45,
  generationLowered: 0.3,
  versionMoved: 0.3,
  freezeAdded: 0.3,
  budgetTightened: 0.3,
  policyRemoved: 0.3,
  // what the owner of the service promises
  settlesNegative: 0.35,
  // the fleet
  manySites: 0.4,
  calm: 0.35,
  oneModel: 0.4,
  // the service and the way to it
  latency: 0.5,
  tooManyRequests: 0.35,
  serverErrors: 0.4,
  htmlAnswers: 0.3,
  cutAnswers: 0.35,
  lostAnswers: 0.45,
  lostRequests: 0.45,
  unauthorized: 0.3,
  failingDevices: 0.4,
  stuckTasks: 0.35,
  vanishedTasks: 0.35,
  liars: 0.35,
  falseFailures: 0.3,
  unknownTasks: 0.3,
  unknownWords: 0.3,
  lateExecutions: 0.35,
  acceptedTwice: 0.3,
  staleReads: 0.3,
  churn: 0.3,
  wrongPages: 0.3,
  smallPages: 0.3,
  ignoredFilters: 0.3,
  strangeTokens: 0.3,
  forgedAnswers: 0.35,
  rateLimit: 0.3,
  // the ledger
  unknownAppends: 0.35,
  failedAppends: 0.35,
  slowAppends: 0.3,
  // those who run apply
  secondRunner: 0.5,
  thirdRunner: 0.3,
  kills: 0.55,
  pauses: 0.4,
  suspends: 0.3,
  skewedClocks: 0.3,
  takeOver: 0.35,
  signals: 0.35,
  approvedFile: 0.35,
  stays: 0.3,
  watches: 0.35,
  sharedHost: 0.4,
  // the outside operator
  upgradesByHand: 0.4,
  downgradesByHand: 0.35,
  passwordsByHand: 0.35,
  maintenance: 0.4,
  outages: 0.4,
  renames: 0.3,
  removals: 0.3,
  ownTasks: 0.35,
} as const;

export type Feature = keyof typeof PROBABILITY;
export const FEATURES = Object.keys(PROBABILITY) as Feature[];

/** What the operator and the world do of their own to the state of devices. */
const UNREST: readonly Feature[] = ['maintenance', 'outages', 'ownTasks', 'stuckTasks', 'removals'];

/**
 * The features of a seed. Where the owner promises that a lost task shows itself in time, no read is
 * older than that (protocol A3); what one device has shown counts for the next of its model,
 * and runs stay for evidence. In a calm world devices go down by our own attempts alone, so that the
 * number truly down can be held against every budget.
 */
export function featuresOf(seed: number): ReadonlySet<Feature> {
  const drawn = FEATURES.filter((name) => chanceOf(seed, `feature ${name}`).is(PROBABILITY[name]));
  const has = new Set(drawn);
  if (has.has('calm')) for (const name of UNREST) has.delete(name);
  if (has.has('settlesNegative')) has.add('oneModel').add('watches').delete('staleReads');
  return has;
}
