import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import { createPlace, PATIENCE, type Env } from '../support/blackbox.ts';
import { applied, committed, gitIn, offline } from '../support/blackbox-record.ts';
import { HELD_AFTER_ONE, startTwin } from '../support/blackbox-twin.ts';

/** What `audit verify --format json` prints. */
interface Proof {
  readonly result: string;
  readonly checks: readonly {
    readonly result: string;
    readonly why: string;
    readonly says: string;
  }[];
}

describe('the record of an apply', PATIENCE, () => {
  it('is told by commit, device and policy, noted on the commit, and proved offline', async () => {
    using place = createPlace();
    const { env, commit, git } = await applied(place, 60);
    const admin: Env = offline(env);
    const whole = await place.run(`audit --commit ${commit.slice(0, 9)}`, admin);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(whole.out).toContain('approved as a saved plan, by its ID');
    expect(whole.out).toContain('verified (read back)');
    expect(Math.max(...whole.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const [device = '', policy = ''] =
      /^ +device +(dev-\d+) {2}(\S+) → /m.exec(whole.out)?.slice(1) ?? [];
    for (const only of [`--device ${device}`, `--policy ${policy}`]) {
      const { out } = await place.run(`audit ${only} --format json`, admin);
      const { runs } = JSON.parse(out) as { runs: readonly { attempts: readonly object[] }[] };
      expect(runs.flatMap(({ attempts }) => attempts).length).toBeGreaterThan(0);
    }
    const nobody = await place.run(`audit --device ${device.toUpperCase()}`, admin);
    expect([nobody.code, nobody.out]).toEqual([1, '']);
    expect(nobody.err).toContain(`Did you mean "${device}"?`);
    const typo = await place.run(`audit --policy ${policy}x`, admin);
    expect([typo.code, typo.out]).toEqual([1, '']);
    expect(typo.err).toContain(`Did you mean "${policy}"?`);
    const lost = await place.run('audit --commit deadbeef', admin);
    expect([lost.code, lost.out]).toEqual([1, '']);
    expect(lost.err).toContain('error[refUnknown]');
    const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git(...ada, 'commit', '--quiet', '--allow-empty', '-m', 'nothing applied');
    const idle = await place.run('audit --commit HEAD', admin);
    expect([idle.code, idle.out]).toEqual([0, expect.stringContaining('No matching record')]);
    git('reset', '--quiet', '--soft', 'HEAD~1');
    expect(git('log', '-1', '--notes=fleetform')).toMatch(/Notes \(fleetform\):\n.*verified/);
    const proof = await place.run('audit verify --snapshot fleet.snapshot --plan plan.json', admin);
    expect([proof.code, proof.err]).toEqual([0, '']);
    expect(proof.out).not.toMatch(/^ *(not proved|BROKEN)/m);
    expect(proof.out).toContain('Verified.');
    const little = await place.run('audit verify --format json', admin);
    expect(JSON.parse(little.out)).toMatchObject({ result: 'parts' });
  });

  it('is proved for a plan that compares with another commit, and tells what that one wants', async () => {
    using place = createPlace();
    const file = 'fleet/policies/onboarding.yaml';
    const { env } = await applied(place, 60, {
      base: { file, from: 'disc-4', to: 'disc-3' },
    });
    const plan = JSON.parse(place.read('plan.json')) as Plan;
    expect(plan.base?.gone.map(({ at }) => at.file)).toEqual([`HEAD~1:${file}`]);
    const proof = await place.run(
      'audit verify --snapshot fleet.snapshot --plan plan.json',
      offline(env),
    );
    expect([proof.code, proof.out]).toEqual([0, expect.not.stringContaining('BROKEN')]);
    expect(proof.out).toContain('Verified.');
  });

  it('keeps the snapshot of a run without a file, whose plan is proved from it', async () => {
    using place = createPlace();
    const { env } = await applied(place, 20, {
      command: 'apply --yes --save-snapshot run.snapshot',
    });
    const proof = await place.run('audit verify --snapshot run.snapshot', offline(env));
    expect(proof.out).toContain('same digest as in the ledger, run 1');
    expect(proof.code).toBe(0);
  });

  it('N26 proves a plan that rests on values of earlier runs from its snapshot, without their store', async () => {
    using place = createPlace();
    place.write('fleet/passwords.yaml', PASSWORDS);
    committed(place);
    const twin = await startTwin(place, { devices: 40 });
    const env = twin.as('admin');
    expect([0, 7]).toContain((await place.run('apply --yes', env)).code);
    const plan = await place.run('plan --save-snapshot facts.snapshot -o facts.json', env);
    await twin.stop();
    expect(plan.out.replaceAll(/\s+/g, ' '), plan.err).toMatch(
      /match, \d+ by values up to \d+ seconds? old/,
    );
    for (const path of readdirSync(place.path('.fleetform'), { recursive: true, encoding: 'utf8' }))
      if (basename(path) === 'facts.jsonl') rmSync(join(place.path('.fleetform'), path));
    const proof = await place.run(
      'audit verify --snapshot facts.snapshot --plan facts.json',
      offline(env),
    );
    expect([proof.code, proof.out]).toEqual([0, expect.not.stringContaining('BROKEN')]);
    expect(proof.out.replaceAll(/\s+/g, ' ')).toContain('identical byte for byte');
  });
});

/** A policy that only a read of each device decides about. */
const PASSWORDS = `rotations:
  every-password: {task: rotatePassword, select: {deviceType: camera}, maxAge: 3000d, windows: anytime, priority: 1}
`;

describe('a shared ledger whose remote is gone', PATIENCE, () => {
  it('is proved from what the clone has, and that is said', async () => {
    using place = createPlace();
    const bare = place.path('origin.git');
    gitIn(place.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
    place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
    const { env, git } = await applied(place, 20, { remote: bare });
    const admin = offline(env);
    const files = '--snapshot fleet.snapshot --plan plan.json';
    const there = await place.run(`audit verify ${files}`, admin);
    expect([there.code, there.err]).toEqual([0, '']);
    expect(there.out).toContain('Verified.');
    renameSync(bare, `${bare}.away`);
    const away = await place.run(`audit verify ${files} --format json`, admin);
    expect([away.code, away.err]).toEqual([0, expect.stringContaining('default branch')]);
    const { result, checks } = JSON.parse(away.out) as Proof;
    const doubtful = checks.filter((check) => check.result !== 'proved');
    expect(doubtful).toMatchObject([{ check: 'chain', why: 'remoteNotAsked' }]);
    expect(doubtful[0]?.says).toContain('cannot connect to the remote');
    expect([result, checks.length]).toEqual([
      'parts',
      [...there.out.matchAll(/^ *proved/gm)].length + 1,
    ]);
    const told = await place.run('audit', admin);
    expect(told.out).toContain('verified (read back)');
    expect(told.err).toContain('This is the local copy of origin refs/heads/fleetform-ledger');
    // A clone that never saw the branch has nothing to prove it with.
    renameSync(`${bare}.away`, bare);
    git('remote', 'set-url', 'origin', place.path('nowhere'));
    for (const ref of git('for-each-ref', '--format=%(refname)').split('\n'))
      if (ref.includes('ledger')) git('update-ref', '-d', ref);
    const nothing = await place.run('audit verify --offline', admin);
    expect([nothing.code, nothing.err]).toEqual([9, expect.stringContaining('storeFailed')]);
  });
});

describe('a run that was killed', PATIENCE, () => {
  it('has its note from whoever settled it, and each later word is added', async () => {
    using place = createPlace();
    const { commit, git } = committed(place);
    const twin = await startTwin(place, { devices: 20, faults: HELD_AFTER_ONE });
    const run = place.start('apply --yes', twin.as('admin'));
    await run.says(/started: /);
    run.signal('SIGKILL');
    await run.done;
    const before = await place.run('audit verify --format json', offline(twin.as('admin')));
    expect(whys(before.out)).toContain('noNotes');
    const resumed = await place.run('recover', twin.as('admin'));
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Noted on commit')]);
    const note = git('notes', '--ref=fleetform', 'show', commit);
    expect(note).toMatch(/^fleetform: \d+ tasks? sent: \d+ verified$/m);
    expect(note).toMatch(/^Run: 1$/m);
    expect(note).toContain('Its open changes were finished by run 2.');
    const after = await place.run('audit verify --format json', offline(twin.as('admin')));
    expect(whys(after.out)).toContain('notesAgree');
    expect(whys(after.out).filter((why) => /^note[A-Z]|noNotes/.test(why))).toEqual([]);
    const idle = await place.run('recover', twin.as('admin'));
    expect(idle.err).not.toContain('Noted on commit');
  });

  it('says that its commit lacks the documents that were applied', async () => {
    using place = createPlace();
    committed(place);
    place.edit('fleet/limits.yaml', 'maxChanges: 400', 'maxChanges: 399');
    const twin = await startTwin(place, { devices: 20 });
    const { err } = await place.run('apply --yes', twin.as('admin'));
    expect(err.replaceAll(/\s+/g, ' ')).toContain('which lacks the uncommitted changes');
  });

  it('is told apart from a note that is older than what became of it', async () => {
    using place = createPlace();
    const { git } = committed(place);
    const match = { method: 'POST', path: '/v1/tasks', nth: 1 };
    const faults = [{ match, fault: { type: 'lostRequest' } }];
    const twin = await startTwin(place, { devices: 20, faults });
    const run = await place.run('apply --yes --format json', twin.as('admin'));
    expect([run.code, run.err]).toEqual([5, expect.stringContaining('Noted on commit')]);
    const first = git('rev-parse', 'refs/notes/fleetform');
    const { endings } = JSON.parse(run.out) as {
      readonly endings: readonly { readonly outcome: string; readonly intentId?: string }[];
    };
    const { intentId = '' } = endings.find(({ outcome }) => outcome === 'inDoubt') ?? {};
    const resolved = await place.run(
      `resolve ${intentId} --as done --reason seen --by Ada`,
      offline(twin.as('admin')),
    );
    expect([resolved.code, resolved.err]).toEqual([0, expect.stringContaining('Noted on commit')]);
    const good = await place.run('audit verify --format json', offline(twin.as('admin')));
    expect(whys(good.out)).not.toContain('noteStale');
    git('update-ref', 'refs/notes/fleetform', first);
    const stale = await place.run('audit verify --format json', offline(twin.as('admin')));
    expect(whys(stale.out)).toContain('noteStale');
  });
});

const whys = (json: string): readonly string[] =>
  (JSON.parse(json) as Proof).checks.map(({ why }) => why);
