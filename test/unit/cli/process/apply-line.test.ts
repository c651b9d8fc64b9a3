import { expect, test } from 'vitest';
import { applyAfter, applySaved, repeatApply } from '../../../../src/cli/process/apply-line.ts';

test('N85 the next command repeats documents, service and part, and quotes what a shell would take', () => {
  expect(applyAfter({ fleet: 'fleet' })).toBe('apply');
  const part = { only: ['incidents.*'], site: ["O'Hare"], device: ['dev-1'] };
  expect(applyAfter({ fleet: 'my fleet', service: 'https://a.example', ...part })).toBe(
    "apply --fleet 'my fleet' --service https://a.example --only 'incidents.*' --site 'O'\\''Hare' --device dev-1",
  );
});

test('N85 a run that is repeated keeps its file and its limits', () => {
  const flags = { fleet: 'fleet', maxReads: 100, maxAge: 86_400_000 };
  expect(repeatApply({ ...flags, file: 'p.json' }, { plan: { id: 'kq3v' }, digest: 'ab' })).toBe(
    'apply p.json --approved kq3v:ab --max-reads 100 --max-age 1d',
  );
  expect(repeatApply({ fleet: 'fleet', maxReads: 0 })).toBe('apply');
});

test('N85 a saved plan is applied by its ID and the digest of its file, where it was planned', () => {
  const saved = { file: 'out/my plan.json', plan: { id: 'kq3v' }, digest: 'abcd' };
  expect(applySaved(saved)).toBe("apply 'out/my plan.json' --approved kq3v:abcd");
  expect(applySaved(saved, { fleet: 'north', service: 'https://a.example' })).toBe(
    "apply 'out/my plan.json' --approved kq3v:abcd --fleet north --service https://a.example",
  );
});
