// One thread of a simulation: lives through the seeds that it is sent, one after the other. With `patches`, on the
// sources as those change them.
import { register } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';

// A life runs much of our code a few hundred times: too seldom to be optimised, too often to be interpreted.
setFlagsFromString('--always-sparkplug');

const patches = workerData?.patches;
const hooks = patches ? '../mutants/hooks.mjs' : '../support/typescript-hooks.mjs';
register(hooks, import.meta.url, { data: { patched: patches } });
const { simulate } = await import(patches ? './simulate.ts?mutant=patched' : './simulate.ts');

parentPort.on('message', async (seed) => {
  parentPort.postMessage(
    await simulate(seed).catch((error) => ({ seed, error: error.stack ?? String(error) })),
  );
});
parentPort.postMessage('ready');
