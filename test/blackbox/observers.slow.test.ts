import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/shell/clock.ts';
import { createPlace, PATIENCE, type Env, type Place } from '../support/blackbox.ts';
import { builtEntry } from '../support/blackbox-build.ts';
import { startTwin } from '../support/blackbox-twin.ts';

interface Come {
  readonly code: number | null;
  readonly err: string;
  /** What the ledger says was sent and what came of it, in no order. */
  readonly ledger: readonly string[];
}

const PLAN = `'${process.execPath}' '${builtEntry()}' plan -o plan.json`;
const APPLY = `'${process.execPath}' '${builtEntry()}' apply plan.json --yes`;

/** One line of the shell in a place of its own: a saved plan is applied, and somebody who watches that fails. */
async function applied(
  line: string,
  {
    env,
    whileItRuns,
  }: { env?: (place: Place) => Env; whileItRuns?: (place: Place) => unknown } = {},
): Promise<Come> {
  using place = createPlace();
  const twin = await startTwin(place, { devices: 20 });
  const access = twin.as('admin');
  expect((await place.run('plan -o plan.json', access)).code).toBe(0);
  const child = spawn('sh', ['-c', line], {
    cwd: place.folder,
    env: { PATH: process.env['PATH'], HOME: place.folder, ...access, ...env?.(place) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const err = text(child.stderr);
  const closed = once(child, 'close') as Promise<[number | null]>;
  await whileItRuns?.(place);
  const [code] = await closed;
  const come = { code, err: await err, ledger: told(place) };
  await twin.stop();
  return come;
}

interface Body {
  readonly type: string;
  readonly outcome?: string;
  readonly verdict?: string;
  readonly sums?: { readonly classes: object };
}

function told(place: Place): readonly string[] {
  const bodies = place.ledger() as readonly Body[];
  return bodies
    .filter(({ type }) => ['ATTEMPT', 'RESULT', 'SETTLED', 'RELEASE', 'ANOMALY'].includes(type))
    .map(({ type, outcome, verdict, sums }) =>
      JSON.stringify({ type, outcome, verdict, classes: sums?.classes }),
    )
    .toSorted();
}

/** A git that refuses to write notes, before the one of the machine. */
function gitWithoutNotes(place: Place): Env {
  const path = process.env['PATH'] ?? '';
  mkdirSync(place.path('bin'));
  const script = `#!/bin/sh\nfor word; do [ "$word" = notes ] && exit 3; done\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(place.path('bin/git'), script, { mode: 0o755 });
  return { PATH: `${place.path('bin')}:${path}` };
}

/** Stands on a pipe that is full and that nobody reads until the run has given back its lease. */
const BLOCKED =
  `mkfifo full; exec 9<>full; dd if=/dev/zero of=full bs=65536 count=1 oflag=nonblock 2>/dev/null; ` +
  `${APPLY} 2>full 9<&- & run=$!; while [ ! -e over ]; do sleep 0.2; done; ` +
  `cat full >/dev/null 9<&- & exec 9<&-; wait $run`;

/** The events go to a pipe that is full and that nobody reads; then to a reader that is killed at the second line. */
const EVENTS = `${APPLY} --format ndjson`;
const UNREAD =
  `mkfifo full; exec 9<>full; dd if=/dev/zero of=full bs=65536 count=1 oflag=nonblock 2>/dev/null; ` +
  `${EVENTS} >full 9<&-`;
const KILLED = `mkfifo p; (sh -c 'read one; read two; kill -9 $$' <p &); ${EVENTS} >p`;

async function untilReleased(place: Place): Promise<void> {
  while (place.ledger().at(-1)?.type !== 'RELEASE') await systemClock.sleep(200);
  writeFileSync(place.path('over'), '');
}

describe('whoever watches an apply and fails', PATIENCE, () => {
  let undisturbed: Come;
  beforeAll(async () => {
    undisturbed = await applied(APPLY);
  }, PATIENCE.timeout);

  const same = ({ code, ledger }: Come): void => {
    expect(undisturbed.code).toBe(0);
    expect(undisturbed.ledger.length).toBeGreaterThan(5);
    expect({ code, ledger }).toEqual({ code: 0, ledger: undisturbed.ledger });
  };

  it('a stdout on a full disk: says that the report is lost, and nothing else changes', async () => {
    const come = await applied(`${APPLY} >/dev/full`);
    same(come);
    expect(come.err).toMatch(/Cannot print the report of this run .*Exit\s+code\s+0/s);
  });

  it.each([
    ['stderr on a full disk', `${APPLY} 2>/dev/full`],
    ['no stdout', `${APPLY} >&-`],
    ['no stderr', `${APPLY} 2>&-`],
    ['neither', `${APPLY} >/dev/full 2>/dev/full`],
  ])('%s: nothing changes', async (_, line) => same(await applied(line)));

  it('a stderr that nobody reads: nothing changes', async () => {
    same(await applied(BLOCKED, { whileItRuns: untilReleased }));
  });

  it.each([
    ['stops reading', UNREAD, /Cannot write the last events .*does\s+not\s+read/s],
    ['is killed', KILLED, /tasks? sent: /],
    ['is a full disk', `${EVENTS} >/dev/full`, /Cannot write the last events .*ENOSPC/s],
  ])('a reader of events that %s: nothing changes', async (_, line, says) => {
    const come = await applied(line);
    same(come);
    expect(come.err).toMatch(says);
  });

  it('a git that writes no notes: says so, and nothing else changes', async () => {
    const repository =
      'git init -q . && git add fleet && git -c user.name=n -c user.email=e commit -qm m';
    const come = await applied(`(${repository}) && rm plan.json && ${PLAN} && ${APPLY}`, {
      env: gitWithoutNotes,
    });
    same(come);
    expect(come.err).toMatch(/No note on commit [0-9a-f]{12}: .*This\s+does\s+not\s+affect/s);
  });
});
