// One of several processes on one ledger; prints what it did as JSON.
// Usage: node store-racer.mjs BUILT FOLDER MODE NAME COUNT
import { pathToFileURL } from 'node:url';

const [built, folder, mode, name, count] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${built}/${path}`).href);
const { directoryStore } = await load('store/directory.js');

process.stdout.write(JSON.stringify(await (mode === 'append' ? append() : take())));

/** Appends until `count` appends are acknowledged; returns how many were lost on the way. */
async function append() {
  const { appendTo, headOf, EMPTY_HEAD } = await load('ledger/chain.js');
  const store = directoryStore(folder);
  let head = EMPTY_HEAD;
  let lost = 0;
  for (let n = 0; n < Number(count);) {
    const body = { type: 'SEEN', what: name, subject: String(n), seenAt: '' };
    const by = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
    const records = appendTo(head, [body], by);
    const answer = await store.append(records, head);
    if (answer === 'acknowledged') n += 1;
    else lost += 1;
    head = answer === 'acknowledged' ? headOf(records, head) : (await store.read(head.seq)).head;
  }
  return { lost };
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
  const store = directoryStore(folder);
  const of = { store, clock, random: Math.random, fingerprint: 'f', tool: '1', ...self };
  const journal = await openJournal(of);
  return journal.take({ waitMs: 0, takeOver: false, label: name }).then(
    () => ({ won: true }),
    (error) => ({ won: false, code: error.code }),
  );
}
