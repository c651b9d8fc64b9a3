import { expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const STUCK = [{ match: { taskType: 'upgradeFirmware' }, fault: { type: 'stuckTask' } }];

/** Hooks that change nothing, as a loader of TypeScript or an agent that watches a process registers them. */
const HOOKS = 'export const resolve = (specifier, context, next) => next(specifier, context);';
const REGISTER = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(HOOKS)}');`;

it(
  'a rehearsal is the same where hooks make each import wait, also after a killed run',
  PATIENCE,
  async () => {
    using place = createPlace();
    const twin = await startTwin(place, { faults: STUCK });
    const admin = twin.as('admin');
    const run = place.start('apply --yes', admin);
    await run.says(/started: /);
    run.signal('SIGKILL');
    await run.done;
    await place.start('get devices --save-snapshot fleet.snapshot', admin).done;
    place.write('hooks.mjs', REGISTER);
    const args = 'rehearse --snapshot fleet.snapshot --horizon 3d --runs 1 --format json';
    const [plain, hooked] = [
      await place.start(args, admin).done,
      await place.start(args, { ...admin, NODE_OPTIONS: `--import ${place.path('hooks.mjs')}` })
        .done,
    ];
    expect(JSON.parse(plain.out)).not.toHaveProperty('policies', []);
    expect([hooked.code, hooked.out], hooked.err).toEqual([plain.code, plain.out]);
  },
);
