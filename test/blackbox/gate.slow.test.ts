import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE, type Place } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const SHOWN = 'fleetform-shown.json';

/** A clone whose documents ask for the approval of plans. */
async function createGate(place: Place) {
  const bare = place.path('bare.git');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: place.folder, encoding: 'utf8' }).trim();
  const push = (subject: string): void => {
    git('add', 'fleet');
    git('commit', '--quiet', '--allow-empty', '-m', subject);
    git('push', '--quiet', '--set-upstream', 'origin', 'main');
  };
  git('init', '--quiet', '--bare', '--initial-branch=main', bare);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  git('remote', 'add', 'origin', bare);
  place.edit(
    'fleet/service.yaml',
    '  pace: {',
    '  approval: plan\n  ledger: {store: git}\n  pace: {',
  );
  push('fleet');
  const twin = await startTwin(place, { devices: 15 });
  const env = { ...twin.as('admin'), CI: 'true' };
  const run = async (command: string): Promise<string> => {
    const { code, out, err } = await place.run(command, env);
    expect(code, err).toBe(0);
    return out.replaceAll(/\s+/gu, ' ').trim();
  };
  const approve = (): Promise<string> => {
    const digest = createHash('sha256')
      .update(readFileSync(place.path(SHOWN)))
      .digest('hex');
    return run(`ci approve --approver Grace --shown ${SHOWN} --digest ${digest}`);
  };
  return { run, approve, push, stop: () => twin.stop() };
}

describe.concurrent('the gate of plans', PATIENCE, () => {
  it('N75 N85 is looked at with the next step at its end, and says what a pass of it adds', async () => {
    using place = createPlace();
    const { run, approve, push, stop } = await createGate(place);
    const look = await run('ci look');
    expect(look).toMatch(/next: approve this run at its gate .* what is shown here\.$/u);
    expect(await approve()).toMatch(/^Approved (\d+) outcomes until (?!.*approved before)/u);
    expect(await approve()).toMatch(/of them were approved before: the later end applies\./u);
    expect(await run('ci look')).toMatch(
      /: 0 of \d+ outcomes await approval\..*next: nothing to approve\.$/u,
    );
    for (const folder of ['policies', 'exceptions', 'onboarding'])
      rmSync(place.path(`fleet/${folder}`), { recursive: true, force: true });
    push('nothing is required any more');
    expect(await run('ci look')).toMatch(/approves only the documents of this commit\.$/u);
    expect(await approve()).toMatch(/^There is nothing to approve: plan \w+ of commit \w{12} has/u);
    expect(await approve()).toContain('so there is no new record');
    await stop();
  });
});
