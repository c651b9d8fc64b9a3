// Single reads with nothing but undici and `JSON.parse`. `node one-floor.mjs URL COUNT`
import { Agent, request } from 'undici';
import { beginUsage } from './usage.mjs';

const [, , url, count] = process.argv;
const dispatcher = new Agent({ connections: 4 });
const headers = { accept: 'application/json', authorization: 'Bearer x' };

await read(0);
beginUsage();
for (let at = 1; at <= Number(count); at += 1) await read(at);
await dispatcher.close();

async function read(at) {
  const { body } = await request(`${url}/v1/devices/dev-${at}`, { dispatcher, headers });
  if (JSON.parse(await body.text()).id !== `dev-${at}`) process.exitCode = 1;
}
