// Serves a fleet of any size and shape as pages of the service: rows of a simulated fleet with IDs, names, models, sites
// and versions of their own, so that no figure of a client contains the work of the simulator. A process of its own:
// `node serve.mjs DEVICES SHAPE BEHIND [PACE]`, BEHIND the percentage of devices whose version is not the one that policies
// ask for, PACE how many answers leave a second (default: each at once); it prints its URL, has the number of requests
// and the instant of the last answer at /asked, and ends with its parent.
import { createServer } from 'node:http';
import { createTwin } from '../../dist/twin/twin.js';
import { BEHIND, deviceAt, modelName, SHAPES, siteName, WANTED } from './shapes.mjs';

const TEMPLATES = 2_000;
const [, , size = '10000', shape = 'few', share = '1', pace = 'Infinity'] = process.argv;
const devices = Number(size);
const { sites, models } = SHAPES[shape];

const twin = createTwin({
  clock: { now: () => Date.now() },
  devices: TEMPLATES,
  sites: 20,
  seed: 1,
});
const token = await tokenOf(twin);
/** The member of an answer that has the rows, by the name of the list. */
const members = new Map();
const templates = (await rowsOf('devices')).map(cutAround);
const others = new Map();
for (const name of ['deviceSources', 'discoveredDevices'])
  others.set(`/v1/${name}`, await rowsOf(name));
const [site] = await rowsOf('sites');
await rowsOf('firmwarePaths');
others.set(
  '/v1/sites',
  count(sites, (at) => ({ ...site, id: at + 1, name: siteName(at) })),
);
others.set(
  '/v1/firmwarePaths',
  count(models, modelName).flatMap((model) =>
    BEHIND.map((from) => ({ vendor: 'Axis', model, from, to: WANTED, path: [WANTED] })),
  ),
);

let requests = 0;
let answeredAt = 0;
/** When the next answer may leave, on the clock of `performance`. */
let nextAt = 0;
const server = createServer((request, response) => {
  if (request.url === '/asked') return response.end(JSON.stringify({ requests, answeredAt }));
  requests += 1;
  response.on('finish', () => (answeredAt = Date.now()));
  nextAt = Math.max(nextAt + 1_000 / Number(pace), performance.now());
  const wait = nextAt - performance.now();
  if (wait < 1) return answer(request, response);
  setTimeout(() => answer(request, response), wait);
});

function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://bench');
  response.setHeader('content-type', 'application/json');
  if (request.method === 'POST')
    return response.end(
      JSON.stringify({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }),
    );
  const limit = Number(searchParams.get('limit') ?? 100);
  const offset = Number(searchParams.get('offset') ?? 0);
  if (pathname === '/v1/devices') return response.end(devicePage(offset, limit));
  const rows = others.get(pathname);
  const name = pathname.split('/').at(-1);
  if (rows)
    return response.end(
      page(
        name,
        rows.slice(offset, offset + limit).map((row) => JSON.stringify(row)),
        rows.length,
      ),
    );
  const [, id, below] = /^\/v1\/devices\/dev-(\d+)(\/)?/.exec(pathname) ?? [];
  if (id === undefined) return response.writeHead(404).end('{}');
  if (below === undefined) return response.end(deviceRow(Number(id)));
  if (name === 'targetFirmware')
    return response.end(page(name, [`{"version":"${WANTED}","path":["${WANTED}"]}`], 1));
  void forward(`/v1/devices/dev-${(Number(id) % TEMPLATES) + 1}/${name}`).then((text) =>
    response.end(text),
  );
}
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
process.stdin.on('close', () => process.exit(0)).resume();

/** A token that lasts; nothing here checks it. */
const TOKEN = [{ alg: 'none' }, { exp: 4_102_444_800, roles: ['Admin'] }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('x')
  .join('.');

function devicePage(offset, limit) {
  const rows = [];
  for (let at = offset; at < Math.min(devices, offset + limit); at += 1) rows.push(deviceRow(at));
  return page('devices', rows, devices);
}

function deviceRow(at) {
  const { id, model, version, place } = deviceAt(at, shape, share);
  const values = {
    ID: id,
    NAME: `${PREFIXES[at % PREFIXES.length]}-${at}`,
    MODEL: model,
    VERSION: version,
    SITE: `${place + 1}`,
    PLACE: siteName(place),
  };
  return templates[at % templates.length]
    .map((part, n) => (n % 2 === 0 ? part : values[part]))
    .join('');
}

function page(name, rows, total) {
  return `{"${members.get(name)}":[${rows.join(',')}],"total":${total}}`;
}

/** A row as text, with the names of its own values in between. */
function cutAround(row) {
  const own = {
    id: '<ID>',
    name: '<NAME>',
    vendor: 'Axis',
    model: '<MODEL>',
    deviceType: 'camera',
  };
  const place = [{ id: '<SITE>', name: '<PLACE>' }];
  const text = JSON.stringify({ ...row, ...own, firmwareVersion: '<VERSION>', sites: place });
  return text.replace('"<SITE>"', '<SITE>').split(/[<>]/);
}

function count(length, row) {
  return Array.from({ length }, (_, at) => row(at));
}

const PREFIXES = [
  'lobby-cam',
  'dock-cam',
  'server-room-cam',
  'gate',
  'hall-cam',
  'roof',
  'office',
  'parking',
];

async function tokenOf({ users, organization, handle }) {
  const { clientId, clientSecret } = users.find(({ role }) => role === 'admin');
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const request = new Request(`http://bench/v1/auth/${organization}`, {
    method: 'POST',
    headers: { authorization },
  });
  return (await (await handle(request)).json()).access_token;
}

async function forward(path) {
  const headers = { authorization: `Bearer ${token}` };
  return (await twin.handle(new Request(`http://bench${path}`, { headers }))).text();
}

async function rowsOf(name) {
  const rows = [];
  for (let offset = 0; ; offset += 1_000) {
    const answer = JSON.parse(await forward(`/v1/${name}?limit=1000&offset=${offset}`));
    const [member, some] = Object.entries(answer).find(([, value]) => Array.isArray(value));
    members.set(name, member);
    rows.push(...some);
    if (rows.length >= answer.total || some.length === 0) return rows;
  }
}
