// The requests of a run with nothing but undici and `JSON.parse`: those of its trace beyond as many as the trace of a
// plan has, reads eight at a time, on the simulator of that run. `node requests-floor.mjs URL TRACE PLAN`
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { beginUsage } from './usage.mjs';

const [, , base, trace, plan] = process.argv;
const { FLEETFORM_CLIENT_ID: id, FLEETFORM_CLIENT_SECRET: secret } = process.env;
const dispatcher = new Agent({ connections: 4 });
const login = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
const { origin } = new URL(base);
const made = linesOf(trace)
  .slice(linesOf(plan).length)
  .map((line) => JSON.parse(line))
  .map(({ method, path, query, sent }) => {
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    return { method, url: `${origin}${path}?${new URLSearchParams(query)}`, ...body };
  });
const { access_token: token } = await ask({ method: 'POST', url: `${origin}/v1/auth/acme` }, login);
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };

beginUsage();
const reading = new Set();
for (const { url, ...one } of made) {
  if (one.method === 'POST') await Promise.all(reading);
  if (reading.size === 8) await Promise.race(reading);
  const asked = ask({ url, ...one }, headers).finally(() => reading.delete(asked));
  reading.add(asked);
  if (one.method === 'POST') await asked;
}
await Promise.all(reading);
await dispatcher.close();

function linesOf(file) {
  return readFileSync(file, 'utf8').trim().split('\n');
}

async function ask({ url, ...how }, headers) {
  const { body, statusCode } = await request(url, { ...how, dispatcher, headers });
  const value = JSON.parse(await body.text());
  if (statusCode >= 300) throw new Error(`${statusCode} for ${url}`);
  return value;
}
