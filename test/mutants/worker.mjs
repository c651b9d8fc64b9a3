// One thread that lives through seeds on mutated sources: each mutant is a fresh copy of every module of ours.
import { register } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

register('./hooks.mjs', import.meta.url, { data: workerData.patches });

parentPort.on('message', async ({ id, seeds }) => {
  const { simulate } = await import(`../simulation/simulate.ts?mutant=${id}`);
  parentPort.postMessage(await firstKill(simulate, seeds));
});
parentPort.postMessage('ready');

async function firstKill(simulate, seeds) {
  for (const seed of seeds) {
    const told = await simulate(seed).then(
      ({ violations }) => violations.map(({ rule, what }) => `${rule} ${what}`),
      (error) => [`crash ${error.message ?? error}`],
    );
    if (told.length > 0) return { seed, told: told[0] };
  }
  return {};
}
