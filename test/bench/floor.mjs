// The floor of a plan: the pages through undici, `JSON.parse`, the fields that decisions need kept in columns, and the
// bare parse of the documents, if there are any. `node floor.mjs URL [DOCUMENTS]`
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { parse } from 'yaml';

const [, , url, documents] = process.argv;
if (documents) parse(readFileSync(documents, 'utf8'));
const pool = new Pool(url, { connections: 4 });
const FIELDS = ['id', 'name', 'vendor', 'model', 'firmwareVersion', 'deviceType', 'status'];
const columns = Object.fromEntries(FIELDS.map((name) => [name, []]));
const words = new Map();

const first = await read(0);
const offsets = [];
for (let offset = 990; offset < first.total; offset += 990) offsets.push(offset);
keep(first, 0);
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift())
      keep(await read(offset), offset);
  }),
);
await pool.close();

async function read(offset) {
  const { body } = await pool.request({
    method: 'GET',
    path: `/v1/devices?limit=1000&offset=${offset}`,
  });
  return JSON.parse(Buffer.from(await body.arrayBuffer()).toString());
}

function keep({ devices }, offset) {
  for (const [at, row] of devices.entries())
    for (const name of FIELDS) {
      const text = row[name];
      const word = words.get(text) ?? text;
      if (word === text) words.set(text, text);
      columns[name][offset + at] = word;
    }
}
