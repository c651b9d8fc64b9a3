// One of several processes on one ledger; prints what it did as JSON.
// Usage: node store-racer.mjs BUILT KIND FOLDER MODE NAME COUNT; of kind git FOLDER is a clone, of kind postgres the key
import { pathToFileURL } from 'node:url';

const [built, kind, folder, mode, name, count] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${built}/${path}`).href);

const MODES = { append, take, triples };
process.stdout.write(JSON.stringify(await MODES[mode]()));

async function open() {
  if (kind === 'directory') return (await load('store/directory.js')).directoryStore(folder);
  if (kind === 'postgres') {
    const { postgresDatabase } = await load('postgres/database.js');
    const database = postgresDatabase(
      process.env,
      async () => process.env.FLEETFORM_LEDGER_PASSWORD,
    );
    return (await load('store/postgres-store.js')).postgresStore(database, folder);
  }
  const { ledgerRemote } = await load('git/ledger-remote.js');
  const of = { folder, env: process.env, remote: 'origin', branch: 'fleetform-ledger' };
  return (await load('store/git-store.js')).gitStore(ledgerRemote(of), Math.random);
}

/** Appends until `count` appends are acknowledged; returns how many were lost on the way. */
async function append() {
  const { appendTo, headAfter } = await load('ledger/chain.js');
  const store = await open();
  let { head } = await store.read(0);
  let lost = 0;
  for (let n = 0; n < Number(count);) {
    const body = { type: 'SEEN', what: 'back', subject: `${name}/${n}`, seenAt: '' };
    const by = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
    const records = appendTo(head, [body], by);
    const answer = await store.append(records, head);
    if (answer === 'acknowledged') n += 1;
    else lost += 1;
    head = answer === 'acknowledged' ? headAfter(records, head) : (await store.read(head.seq)).head;
  }
  return { lost };
}

/** Appends three records at a time until it is killed; says the number of the last that was acknowledged. */
async function triples() {
  const { appendTo, headAfter } = await load('ledger/chain.js');
  const store = await open();
  let { head } = await store.read(0);
  for (;;) {
    const bodies = [1, 2, 3].map((n) => ({ type: 'BEAT', n }));
    const records = appendTo(head, bodies, { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' });
    const answer = await store.append(records, head);
    if (answer !== 'acknowledged') throw new Error(answer);
    head = headAfter(records, head);
    process.stdout.write(`${head.seq}\n`);
  }
}

/** Takes the lease without waiting; returns whether it was given. */
async function take() {
  const { openJournal } = await load('store/journal.js');
  const clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: async () => {},
  };
  const self = { host: 'here', pid: process.pid, processStartedAt: name, isAlive: () => true };
  const store = await open();
  const of = { store, clock, random: Math.random, fingerprint: 'f', tool: '1', ...self };
  const journal = await openJournal(of);
  return journal.take({ waitMs: 0, takeOver: false, label: name }).then(
    () => ({ won: true }),
    (error) => ({ won: false, code: error.code }),
  );
}
