// One thread of a simulation: lives through the seeds that it is sent, one after the other.
import { register } from 'node:module';
import { parentPort } from 'node:worker_threads';

register('../support/typescript-hooks.mjs', import.meta.url);
const { simulate } = await import('./simulate.ts');

parentPort.on('message', async (seed) => {
  parentPort.postMessage(
    await simulate(seed).catch((error) => ({ seed, error: error.stack ?? String(error) })),
  );
});
parentPort.postMessage('ready');
