// One process of a simulation: lives through the seeds that it is sent, one after the other. The first message holds
// `patches`, where it is to do so on the sources as those change them.
import { once } from 'node:events';
import { register } from 'node:module';

const [{ patches }] = await once(process, 'message');
const hooks = patches ? '../mutants/hooks.mjs' : '../support/typescript-hooks.mjs';
register(hooks, import.meta.url, { data: { patched: patches } });
const { simulate } = await import(patches ? './simulate.ts?mutant=patched' : './simulate.ts');

process.on('message', async (seed) => {
  process.send(
    await simulate(seed).catch((error) => ({ seed, error: error.stack ?? String(error) })),
  );
});
process.send('ready');
