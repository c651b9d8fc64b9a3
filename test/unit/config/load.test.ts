import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { loadFleet, loadTexts } from '../../../src/config/load.ts';
import { locateValue } from '../../../src/model/documents/source.ts';
import { anyText } from '../../support/hostile.ts';

const HEAD = `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}]}}
`;

const load = (...texts: readonly string[]) =>
  loadTexts(texts.map((text, index) => ({ path: `fleet/${index}.yaml`, text })));

const read = (text: string) => {
  const { documents, diagnostics } = load(HEAD + text);
  expect(diagnostics).toEqual([]);
  if (!documents) throw new Error('no documents');
  return documents;
};

describe('the example fleet', () => {
  test('is valid, and has a policy of each section', async () => {
    const { documents, diagnostics } = await loadFleet(
      fileURLToPath(new URL('../../../fleet', import.meta.url)),
    );
    expect(diagnostics).toEqual([]);
    const { firmware, rotations, onboarding, restarts } = documents ?? {};
    const sizes = [firmware, rotations, onboarding, restarts].map((entries) => entries?.size);
    expect(sizes).toEqual([1, 2, 1, 1]);
  });
});

describe('D4 what an absent key means', () => {
  test('of the service', () => {
    const { value } = read('').service;
    expect(value).toEqual({
      baseUrl: 'https://api.example.com',
      needsYouAfter: 604_800_000,
      organization: 'acme',
      pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 },
      approval: { is: 'commit' },
      dialect: {},
    });
  });

  test('of a firmware policy', () => {
    const { firmware } = read(
      'firmware: {a: {select: {vendor: Axis}, version: "11.8.61", rollout: one, windows: anytime}}',
    );
    expect(firmware.get('a')?.value).toEqual({
      address: 'firmware.a',
      section: 'firmware',
      task: 'upgradeFirmware',
      priority: 500,
      windows: ['anytime'],
      rollout: 'one',
      select: { vendor: ['Axis'] },
      version: { is: 'exact', version: '11.8.61' },
      deferral: 0,
      downgrade: 'forbid',
      path: 'auto',
      restAtIntermediate: 'allow',
    });
  });

  test('of a rotation of passwords: 180 days, begun 21 days ahead', () => {
    const { rotations } = read(
      'rotations: {a: {task: rotatePassword, select: {vendor: Axis}, rollout: one, windows: anytime}}',
    );
    expect(rotations.get('a')?.value).toMatchObject({
      due: { is: 'maxAge', maxAge: 180 * 86_400_000, headStart: 21 * 86_400_000 },
      generation: 1,
      payload: {},
    });
  });

  test('of onboarding and restarts: no rollout', () => {
    const { onboarding, restarts } = read(`
onboarding: {a: {devices: [{id: d}], windows: anytime}}
restarts: {b: {when: {status: offline}, select: {vendor: Axis}, windows: anytime}}`);
    expect(onboarding.get('a')?.value).toEqual({
      address: 'onboarding.a',
      section: 'onboarding',
      task: 'onboardDevice',
      priority: 500,
      windows: ['anytime'],
      devices: [{ id: 'd', at: { file: 'fleet/0.yaml', line: 4, column: 28 } }],
      blockVendors: [],
      maxPerDay: 25,
      expectWithin: 14 * 86_400_000,
      onDuplicate: 'error',
      after: ['rotatePassword', 'upgradeFirmware'],
    });
    expect(restarts.get('b')?.value).toMatchObject({
      when: { status: ['offline'], for: 20 * 60_000, probe: {}, excludeMaintenanceMode: true },
      cooldown: 6 * 3_600_000,
      maxPerDevice: { count: 2, per: 7 * 86_400_000 },
      maxPerSite: { count: 3, per: 3_600_000 },
      correlatedOutage: { percent: 30, within: 10 * 60_000 },
      escalate: { after: 2 },
    });
  });

  test('of an exception: every task, and two weeks of notice', () => {
    const { exceptions } = read(
      'exceptions: {a: {type: hold, select: {device: x}, until: "2027-01-31T00:00:00Z", reason: r, owner: o, ticket: t}}',
    );
    const { value } = exceptions.get('a') ?? {};
    expect(value).toMatchObject({ type: 'hold', until: Date.UTC(2027, 0, 31) });
    expect(value?.tasks.length).toBe(5);
    expect(value?.notice).toBe(14 * 86_400_000);
  });

  test('of limits: a rollout of batches of ten, a budget that counts what is unsure as down', () => {
    const { rollouts, budgets, guardrails } = read(`
budgets: {a: {per: site, maxUnavailable: 10%}, b: {per: fleet, minAvailable: 3, treatPartialAs: available}}
guardrails: {default: {maxPercentOfFleet: 2.5%, maxChanges: 0}}`);
    expect(rollouts.get('one')?.value).toMatchObject({
      canary: 'none',
      maxInFlight: 20,
      batch: 10,
    });
    const sure = { treatUnknownAs: 'unavailable' };
    expect(budgets.get('a')?.value).toEqual({
      per: 'site',
      maxUnavailable: { percent: 10 },
      treatPartialAs: 'unavailable',
      ...sure,
    });
    expect(budgets.get('b')?.value).toEqual({
      per: 'fleet',
      minAvailable: 3,
      treatPartialAs: 'available',
      ...sure,
    });
    expect(guardrails.get('default')?.value).toEqual({ maxPercentOfFleet: 2.5, maxChanges: 0 });
  });
});

describe('what is read', () => {
  test('one or a list is a list, and a site by text is a site by name', () => {
    const { groups } = read(
      'groups: {a: {select: {name: x, site: HQ*, not: {site: {tag: t}, model: [m, n]}}}, b: {devices: [d]}}',
    );
    expect(groups.get('a')?.value).toEqual({
      is: 'select',
      select: {
        name: ['x'],
        site: { name: ['HQ*'] },
        not: { site: { tag: ['t'] }, model: ['m', 'n'] },
      },
    });
    expect(groups.get('b')?.value).toEqual({ is: 'devices', devices: ['d'] });
  });

  test('versions are exact, a range or approved', () => {
    const wish = (version: string) =>
      read(
        `firmware: {a: {select: {vendor: Axis}, version: "${version}", rollout: one, windows: anytime}}`,
      ).firmware.get('a')?.value.version;
    expect(wish('V5.7.3 build 220315')).toEqual({ is: 'exact', version: 'V5.7.3 build 220315' });
    expect(wish('11.11.x')).toEqual({ is: 'range', text: '11.11.x' });
    expect(wish('>=11.5 <12')).toEqual({ is: 'range', text: '>=11.5 <12' });
    expect(wish('approved')).toEqual({ is: 'approved' });
  });

  test('every value knows its place, and what has none the nearest around it', () => {
    const entry = read(
      'firmware:\n  a:\n    select: {vendor: [Axis, Bosch]}\n    version: "1"\n    rollout: one\n    windows: anytime',
    ).firmware.get('a');
    if (!entry) throw new Error('no entry');
    expect(entry.at).toEqual({ file: 'fleet/0.yaml', line: 4, column: 3 });
    expect(locateValue(entry, '/version')).toMatchObject({ line: 6, column: 14 });
    expect(locateValue(entry, '/select/vendor/1')).toMatchObject({ line: 5, column: 29 });
    expect(locateValue(entry, '/priority')).toEqual(entry.at);
  });

  test('a site id needs no quotes, and an alias stands for what it names', () => {
    const { sites } = read('sites: {4711: {tags: &t [a]}, HQ: {tags: *t}}');
    expect([...sites.keys()]).toEqual(['4711', 'HQ']);
    expect(sites.get('HQ')?.value.tags).toEqual(['a']);
  });

  test('the digest follows paths and content, not the order of reading', () => {
    const one = load(HEAD, 'sites: {HQ: {}}').documents?.digest;
    expect(load(HEAD, 'sites: {HQ: {}}').documents?.digest).toBe(one);
    expect(load(HEAD, 'sites: {HQ2: {}}').documents?.digest).not.toBe(one);
  });

  test('files of comments say nothing, and are in order', () => {
    expect(load(HEAD, '# nothing\n', '', '---\n').diagnostics).toEqual([]);
  });
});

describe('all findings at once', () => {
  test('of every file, by file and line, whatever kind they are', () => {
    const { diagnostics, documents } = load(
      'sites: [}',
      'firmwares: {}\nsites: {a: {tags: [1]}}',
      '\0',
    );
    expect(documents).toBeUndefined();
    expect(diagnostics.map(({ code, at }) => `${at?.file} ${code}`)).toEqual(
      expect.arrayContaining([
        'fleet/0.yaml syntax',
        'fleet/1.yaml unknownKey',
        'fleet/1.yaml quoteIt',
        'fleet/2.yaml forbiddenCharacter',
      ]),
    );
  });

  test('a name is not called unknown while a file that may have it cannot be read', () => {
    const policy =
      'firmware: {a: {select: {vendor: Axis}, version: "1", rollout: gone, windows: anytime}}';
    expect(load(HEAD + policy).diagnostics.map(({ code }) => code)).toEqual(['nameUnknown']);
    const codesBeside = (text: string) =>
      load(HEAD + policy, text).diagnostics.map(({ code }) => code);
    expect(codesBeside('rollouts: {gone: [')).not.toContain('nameUnknown');
    expect(codesBeside('rollouts: {here: [')).toContain('nameUnknown');
  });
});

describe('hostile input', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ':',
      ': ',
      '- ',
      '? ',
      '\n',
      '\n  ',
      '&a ',
      '*a',
      '*',
      '!x ',
      '|',
      '>',
    ),
    fc.constantFrom(
      '"',
      "'",
      '#',
      ',',
      '<<: ',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '\ufeff',
      '\0',
      '\r',
    ),
    fc.constantFrom(
      'service',
      'firmware',
      'select',
      'rollouts',
      'payload',
      'not',
      '__proto__',
      'toString',
    ),
    fc.constantFrom('11.10', '0x1F', '.nan', 'null', '2027-01-31', '~', '1e999', '100%', '7d', 'x'),
    anyText(8),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test('never throws, and always says why there are no documents', () => {
    fc.assert(
      fc.property(text, (hostile) => {
        const { documents, diagnostics } = load(HEAD, hostile);
        expect(documents !== undefined || diagnostics.length > 0).toBe(true);
        for (const { at } of diagnostics)
          if (at) expect(at.line > 0 && at.column > 0 && (at.length ?? 1) > 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('leaves the prototype of every object as it was', () => {
    load(HEAD, 'sites: {__proto__: {polluted: 1}, constructor: {prototype: {polluted: 1}}}');
    load(HEAD, '? __proto__\n: {polluted: 1}\n');
    expect('polluted' in {}).toBe(false);
  });
});
