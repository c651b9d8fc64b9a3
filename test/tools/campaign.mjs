import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runVitest } from './vitest.mjs';

/**
 * Runs the tests of the campaign with the counts of a slice (`test/campaign.json`), then the commands of that
 * slice. `--seed N` decides what is drawn; without it the full campaign draws a fresh one. Prints what the slice
 * leaves out and the seed that repeats it; returns the results.
 */
export async function runCampaign(argv) {
  const { values } = parseArgs({
    args: argv,
    options: { slice: { type: 'string', default: 'full' }, seed: { type: 'string' } },
  });
  const { slices, counts } = JSON.parse(readFileSync('test/campaign.json', 'utf8'));
  const slice = slices[values.slice];
  if (!slice)
    throw new Error(`'${values.slice}' is no slice: say one of ${Object.keys(slices).join(', ')}`);
  const seed = values.seed ?? slice.seed ?? String(Math.floor(Date.now() / 1_000));
  say(`campaign: npm run test:campaign -- --slice ${values.slice} --seed ${seed}`);
  for (const line of leftOut(values.slice, { slices, counts })) say(line);
  const env = { FLEETFORM_CAMPAIGN: values.slice, FLEETFORM_SEED: seed };
  const paths = (slice.leaves ?? []).map(({ file }) => `--exclude=${file}`);
  const results = [
    await runVitest({ project: 'campaign', env, paths, minutes: slice.fileMinutes }),
  ];
  for (const command of slice.commands) results.push(runCommand(command, seed));
  return results;
}

/** What a slice does not do of the full campaign, a line each. */
function leftOut(name, { slices, counts }) {
  const fewer = Object.entries(counts).flatMap(([what, { of, ...all }]) =>
    all[name] < all.full
      ? [`left out: ${all.full - all[name]} of ${all.full} ${of} (${what})`]
      : [],
  );
  const commands = slices.full.commands
    .filter((command) => !slices[name].commands.includes(command))
    .map((command) => `left out: npm run ${command}`);
  const files = (slices[name].leaves ?? []).map(({ file, why }) => `left out: ${file} (${why})`);
  return [...fewer, ...commands, ...files];
}

/** A command of package.json, told as it comes; `SEED` in it is the seed of the campaign. Counts as one test. */
function runCommand(command, seed) {
  const args = command.replaceAll('SEED', seed).split(' ');
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', ...args], { stdio: 'inherit' });
  const isGood = status === 0;
  const seconds = (performance.now() - started) / 1_000;
  const name = `npm run ${args.join(' ')}`;
  const failures = isGood ? [] : [name];
  return { passed: Number(isGood), failed: failures.length, failures, files: [{ name, seconds }] };
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
