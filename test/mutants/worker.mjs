// One thread that runs what may kill a mutant, on mutated sources: each mutant is a fresh copy of every module of ours.
import { register } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

register('./hooks.mjs', import.meta.url, { data: workerData.patches });

parentPort.on('message', async ({ id, killers }) => {
  const { kill } = await import(`./kill.ts?mutant=${id}`);
  for (const killer of killers) {
    const told = await kill(killer);
    if (told !== undefined) return parentPort.postMessage({ killer, told });
  }
  return parentPort.postMessage({});
});
parentPort.postMessage('ready');
