import { isCrash, type Lived } from './batch.ts';
import { FEATURES, type Feature } from './features.ts';
import type { Outcome } from './simulate.ts';

/** What a run of seeds came to, as lines of a table; the last ones say how to see a failure again. */
export function tableOf(lives: readonly Lived[]): readonly string[] {
  const crashes = lives.filter(isCrash);
  const outcomes = lives.filter((lived): lived is Outcome => !isCrash(lived));
  const sum = (of: (one: Outcome) => number): number =>
    outcomes.reduce((all, one) => all + of(one), 0);
  const attempts = sum((one) => one.attempts);
  const failed = outcomes.filter(({ violations }) => violations.length > 0);
  const { features, pairs } = coverageOf(outcomes);
  const rows: readonly (readonly [string, string])[] = [
    ['seeds', String(lives.length)],
    ['virtual days', sum((one) => one.days).toFixed(0)],
    ['device days', sum((one) => one.days * one.devices).toFixed(0)],
    ['processes of apply', String(sum((one) => one.processes))],
    ['of these killed', String(sum((one) => one.kills))],
    ['attempts', String(attempts)],
    ['ledger records', String(sum((one) => one.records))],
    ['appends that came second', String(sum((one) => one.lost))],
    ...countsOf(outcomes),
    ['features seen', `${features} of ${FEATURES.length}`],
    ['feature pairs seen', `${(pairs * 100).toFixed(1)} %`],
    ['seeds with a violation', String(failed.length)],
    ...violationsOf(outcomes),
    ['crashes', String(crashes.length)],
    ['failing seeds at 95 %', boundOf(failed.length + crashes.length, lives.length)],
    ['broken attempts at 95 %', boundOf(failed.length, attempts)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...crashes.map(({ seed, error }) => `seed ${seed} crashed: ${error}`),
    ...[...failed, ...crashes].map(({ seed }) => `npm run simulate -- --seed ${seed}`),
  ];
}

/** The share of features and of pairs of features that some seed had. */
export function coverageOf(outcomes: readonly Pick<Outcome, 'features'>[]): {
  readonly features: number;
  readonly pairs: number;
} {
  const seen = new Set<string>();
  const together = new Set<string>();
  for (const { features } of outcomes) {
    for (const one of features) seen.add(one);
    for (const pair of pairsOf(features)) together.add(pair);
  }
  return { features: seen.size, pairs: together.size / pairsOf(FEATURES).length };
}

function pairsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap((one) =>
    features
      .filter((other) => one < other && !excludesEachOther(one, other))
      .map((other) => `${one} ${other}`),
  );
}

/** In a calm world nobody but us takes a device down; see `featuresOf` for the rest. */
const RESTLESS: readonly Feature[] = ['maintenance', 'outages', 'ownTasks', 'removals'];

function excludesEachOther(one: Feature, other: Feature): boolean {
  const pair = [one, other];
  if (pair.includes('settlesNegative') && pair.includes('staleReads')) return true;
  return pair.includes('calm') && RESTLESS.some((name) => pair.includes(name));
}

function countsOf(outcomes: readonly Outcome[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const { faults } of outcomes)
    for (const [name, count] of Object.entries(faults))
      counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].sort().map(([name, count]) => [`fault ${name}`, String(count)]);
}

function violationsOf(outcomes: readonly Outcome[]): readonly (readonly [string, string])[] {
  const rules = Array.from({ length: 20 }, (_, index) => `I${index + 1}`);
  return rules.map((rule) => {
    const count = outcomes
      .flatMap(({ violations }) => violations)
      .filter((one) => one.rule === rule);
    return [`violations of ${rule}`, String(count.length)];
  });
}

/** No failure in n says that fewer than 3/n fail, 95 times in 100. */
function boundOf(failures: number, of: number): string {
  if (failures > 0) return `${failures} of ${of}`;
  return of === 0 ? 'nothing tried' : `below ${(3 / of).toExponential(1)}`;
}
