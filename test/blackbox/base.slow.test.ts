import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/change.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { PATIENCE, createPlace, failureOf } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const place = createPlace();
let twin: TwinProcess;

let second = 1_600_000_000;

/** Each call has a second of its own, whatever the clock of the machine says. */
const git = (...args: string[]): string => {
  const identity = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@x.example'];
  const date = `${(second += 1)} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return execFileSync('git', [...identity, ...args], { cwd: place.folder, encoding: 'utf8', env });
};

beforeAll(async () => {
  twin = await startTwin(place);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Nothing yet');
  git('tag', 'empty');
  git('add', 'fleet');
  git('commit', '-q', '-m', 'A first fleet');
  git('checkout', '-q', '-b', 'branch');
  place.write('fleet/more.yaml', MORE);
  git('add', 'fleet');
  git('commit', '-q', '-m', 'Rotate the intercoms');
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

const MORE = `rotations:
  intercom-passwords:
    task: rotatePassword
    select: {deviceType: intercom}
    maxAge: 30d
    headStart: 2d
    spread: 1d
    windows: anytime
`;

const HELD = `exceptions:
  court: {type: hold, select: {deviceType: intercom}, task: rotatePassword, until: "UNTIL", reason: court, owner: legal, ticket: L-1}
`.replace('UNTIL', new Date(Date.now() + 30 * 86_400_000).toISOString());

describe('plan --base', PATIENCE, () => {
  it('says which changes the branch causes, with the commit of each', async () => {
    const plan = await planned('--base main');
    const caused = plan.changes.filter(({ group }) => group === 'branch');
    expect(caused.length).toBeGreaterThan(0);
    expect(new Set(caused.map(({ at }) => at.policy))).toEqual(
      new Set(['rotations.intercom-passwords']),
    );
    expect(plan.base?.counts.pending).toBeGreaterThan(0);
    expect(plan.base?.counts.branch).toBe(caused.length);
    const origin = plan.origins?.find(({ file }) => file === 'fleet/more.yaml');
    expect(origin).toMatchObject({ author: 'Ada Lovelace', subject: 'Rotate the intercoms' });
    const { out } = await place.run('plan --base main --all', twin.as('admin'));
    expect(out).toContain(`compared   with main (${git('rev-parse', 'main').slice(0, 12)})`);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('caused by this change');
  });

  it('names who widened a selector, not who wrote what it spreads', async () => {
    const narrow = MORE.replace('{deviceType: intercom}', '{deviceType: intercom, vendor: Nobody}');
    git('checkout', '-q', '-b', 'narrow', 'main');
    place.write('fleet/more.yaml', narrow);
    git('add', 'fleet');
    git('commit', '-q', '-m', 'Written by Ada');
    git('checkout', '-q', '-b', 'wide');
    place.write('fleet/more.yaml', MORE);
    const grace = ['-c', 'user.name=Grace Hopper', '-c', 'user.email=grace@x.example'];
    git(...grace, 'commit', '-q', '-a', '-m', 'Widened by Grace');
    const { changes, origins = [], authors = [] } = await planned('--base narrow');
    const caused = changes.filter(({ group }) => group === 'branch');
    expect(caused.length).toBeGreaterThan(0);
    for (const { lines } of caused)
      expect(lines).toEqual([{ file: 'fleet/more.yaml', line: 4, column: 1 }]);
    expect(
      origins.find(({ line, file }) => line === 4 && file === 'fleet/more.yaml'),
    ).toMatchObject({
      author: 'Grace Hopper',
    });
    const entry = authors.find(({ file }) => file === 'fleet/more.yaml');
    expect(entry?.by).toMatchObject([{ author: 'Grace Hopper' }, { author: 'Ada Lovelace' }]);
    const { out } = await place.run('plan --base narrow --all', twin.as('admin'));
    expect(out).toMatch(/lines +fleet\/more\.yaml:4\n +by +\w{12} Grace Hopper/);
    expect(out).not.toContain('Written by Ada');
    const plain = await place.run('plan --all', twin.as('admin'));
    expect(plain.out.replace(/\s+/g, ' ')).toMatch(
      /Grace Hopper.*?Widened by Grace.*?; \w{12} Ada/,
    );
    git('checkout', '-q', 'wide');
    place.write('fleet/more.yaml', narrow);
    const back = await planned('--base wide');
    expect(back.base?.gone).toMatchObject([{ at: { policy: 'rotations.intercom-passwords' } }]);
    place.write('fleet/more.yaml', MORE);
    git('checkout', '-q', 'branch');
  });

  it('names who took a line away, and where the base has it', async () => {
    git('checkout', '-q', '-b', 'held', 'branch');
    place.write('fleet/held.yaml', HELD);
    git('add', 'fleet');
    git('commit', '-q', '-m', 'Hold the intercoms');
    git('checkout', '-q', '-b', 'freed');
    git('rm', '-q', 'fleet/held.yaml');
    git('commit', '-q', '-m', 'Let the intercoms go');
    const { changes, origins = [] } = await planned('--base held');
    const [change] = changes.filter(({ group }) => group === 'branch');
    expect(change?.lines?.map(({ file, line }) => `${file}:${line}`)).toContain(
      'held:fleet/held.yaml:2',
    );
    expect(origins.find(({ file }) => file === 'held:fleet/held.yaml')).toMatchObject({
      subject: 'Let the intercoms go',
    });
    git('checkout', '-q', 'branch');
  });

  it('why names the commit of the line that wants it', async () => {
    const { changes } = await planned('--base main');
    const { device } = changes.find(({ group }) => group === 'branch') ?? changes[0] ?? {};
    const { out } = await place.run(`why ${device?.id}`, twin.as('admin'));
    expect(out).toMatch(/rotations\.intercom-passwords .*\n +by +\w{12} Ada Lovelace .*Rotate the/);
    const json = await place.run(`why ${device?.id} --format json`, twin.as('admin'));
    const { origins } = JSON.parse(json.out) as Required<Pick<Plan, 'origins'>>;
    expect(origins).toContainEqual(
      expect.objectContaining({ file: 'fleet/more.yaml', author: 'Ada Lovelace' }),
    );
  });

  it('finds nothing new against itself, and says what a commit drops', async () => {
    const same = await planned('--base HEAD');
    expect(same.base?.counts).toMatchObject({ branch: 0, dropped: 0 });
    git('checkout', '-q', '-b', 'back');
    git('rm', '-q', 'fleet/more.yaml');
    git('commit', '-q', '-m', 'No more');
    const back = await planned('--base branch');
    git('checkout', '-q', 'branch');
    expect(back.base?.counts.branch).toBe(0);
    expect(back.base?.gone).toMatchObject([{ at: { policy: 'rotations.intercom-passwords' } }]);
  });

  it('says in line 1 what a freeze of the branch does, and that it starts nothing', async () => {
    git('checkout', '-q', '-b', 'frozen', 'branch');
    const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    place.write(
      'fleet/freezes.yaml',
      `freezes: {moving: {from: "${at(-1)}", to: "${at(20)}", reason: m, owner: o, ticket: T-1}}\n`,
    );
    git('add', 'fleet');
    git('commit', '-q', '-m', 'A freeze');
    const { out } = await place.run('plan --base branch', twin.as('admin'));
    git('checkout', '-q', 'branch');
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /^This request starts no change\. It holds \d+ changes back\. Freeze moving \([^)]+\) makes \d+ .* start later\./,
    );
  });

  it('takes a commit without documents as one that wants nothing', async () => {
    const { base, changes } = await planned('--base empty');
    expect(base?.counts.branch).toBe(changes.length);
    expect(base).not.toHaveProperty('documents');
  });

  it('leaves the work tree, the index and HEAD alone', async () => {
    place.write('fleet/more.yaml', `${MORE}# not committed\n`);
    const before = git('status', '--porcelain=v2', '--branch');
    await planned('--base main');
    expect(git('status', '--porcelain=v2', '--branch')).toBe(before);
    place.write('fleet/more.yaml', MORE);
  });

  it('refuses what is no commit', async () => {
    for (const ref of ['nowhere', '--all']) {
      const { text, json, error } = await failureOf(place, `plan --base=${ref}`, twin.as('admin'));
      expect([text.code, json.code, error.code]).toEqual([1, 1, 'refUnknown']);
    }
  });

  it('shows findings in the documents of the base at their commit', async () => {
    git('checkout', '-q', '-b', 'broken');
    place.write('fleet/more.yaml', 'restarts: {bad: 1}\n');
    git('commit', '-q', '-a', '-m', 'Broken');
    git('checkout', '-q', 'branch');
    const { code, err } = await place.run('plan --base broken', twin.as('admin'));
    expect(code).toBe(1);
    expect(err).toContain('broken:fleet/more.yaml:1:17');
  });
});

async function planned(args: string): Promise<Plan & { readonly changes: readonly Change[] }> {
  const { code, out, err } = await place.run(`plan ${args} --format json`, twin.as('admin'));
  expect(code, err + out.slice(0, 500)).toBe(0);
  return JSON.parse(out) as Plan & { readonly changes: readonly Change[] };
}
