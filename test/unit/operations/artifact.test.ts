import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArtifact } from '../../../src/operations/artifact.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { planLines } from '../../../src/plan/saved/save.ts';
import { change, labels, signedPlan } from '../../support/render-plan.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = scratchFolder('artifact');

const changes = labels(5).map((label) => change(label));
const GOOD: Plan = signedPlan(changes);
const LINES = [...planLines(GOOD)];
const [HEAD = '', FIRST = ''] = LINES;

/** The lines with the digest that whoever edited them would write. */
function signed(lines: readonly string[]): string {
  const count = lines.length - 2;
  const body = `${lines.slice(0, -1).join('\n')}\n],"count":${count},`;
  const digest = createHash('sha256').update(body).digest('hex');
  return `${body}"digest":"${digest}"}\n`;
}

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const swap = (line: number, from: string | RegExp, to: string): readonly string[] =>
  LINES.map((each, index) => {
    if (index !== line) return each;
    if (each.replace(from, to) === each) throw new Error(`line ${line} has no ${String(from)}`);
    return each.replace(from, to);
  });
const without = (count: number): readonly string[] => [...LINES.slice(0, -1 - count), ''];
const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

/** What a stranger may put where our plan was: a text, or what is done at the path. */
const POISONED: Readonly<Record<string, string | ((path: string) => void)>> = {
  'an empty file': '',
  'no JSON': 'approved\n',
  'other JSON': '{"approved":true}\n',
  'a page of HTML': '<html><script>alert(1)</script></html>\n',
  'bytes that are no text': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 1, 2])),
  'a folder': (path) => mkdirSync(path),
  'a link to another file': (path) => symlinkSync('/etc/hostname', path),
  'a file larger than any plan': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 1024 ** 3 + 1);
  },
  'a line that never ends': `{"version":1,"x":"${'x'.repeat(9 * 1024 ** 2)}`,
  'a change of a megabyte': signed(swap(1, '"name":"cam-001"', `"name":"${'x'.repeat(1e6)}"`)),
  'brackets five thousand deep': signed(swap(1, '"before":{', `"before":{"a":${nested},`)),
  'the plan cut in half': text(LINES).slice(0, text(LINES).length / 2),
  'the plan without its last line': text(LINES.slice(0, -1)),
  'the plan twice': text(LINES) + text(LINES),
  'an edited change': text(swap(1, '11.11.73', '11.11.74')),
  'an edited change under a mended digest': signed(swap(1, '"target":"11.11.73"', '"target":"9"')),
  'a change left out under a mended digest': signed([
    ...without(1).slice(0, -2),
    (without(1).at(-2) ?? '').replace(/,$/, ''),
    '',
  ]),
  'counts that say nothing happens': signed(swap(0, '"counts":{"run":5', '"counts":{"run":0')),
  'an id of another plan': signed(swap(0, GOOD.id, 'a'.repeat(26))),
  'a guardrail that passed, under a mended digest': signed(swap(0, '"number":5', '"number":1')),
  'more devices than the fleet has': signed(swap(0, '"devices":1000', '"devices":4')),
  'a limit that is higher than it says': signed(swap(0, '"allowed":2000', '"allowed":9000')),
  'no guardrail at all': signed(swap(0, /"verdicts":\[.*?\]/, '"verdicts":[]')),
  'a risk that is not that of the task': signed(swap(1, '"risk":"medium"', '"risk":"low"')),
  'a group without a base': signed(swap(1, '"risk":', '"group":"pending","risk":')),
  'another version': signed(swap(0, '{"version":1', '{"version":2')),
  'a field that no plan has': signed(swap(0, '"version":1,', '"version":1,"note":"approved",')),
  'a change with a field that no change has': signed(swap(1, '"task":', '"html":"<b>","task":')),
  'an action that does not exist': signed(swap(1, '"action":"run"', '"action":"approved"')),
  'a marker that ends its comment': signed(
    swap(0, 'f'.repeat(64), `--><h1>ok</h1>${'f'.repeat(50)}`),
  ),
  'a moment that is text': signed(swap(0, '"evaluatedAt":"', '"evaluatedAt":"**approved** ')),
  'a number that is text': signed(swap(0, '"devices":', '"devices":"many","x":')),
  'a prototype': signed(swap(0, '"version":1,', '"version":1,"__proto__":{"digest":"x"},')),
  'a change of another task under its id': signed(
    swap(1, '"id":"upgradeFirmware/', '"id":"restartDevice/'),
  ),
};

async function read(name: string): Promise<unknown> {
  const shell = { cwd: folder } as Shell;
  return readArtifact(shell, name).catch((error: unknown) => error);
}

describe('a plan of another job', () => {
  it('is read where it is as we make it', async () => {
    writeFileSync(join(folder, 'good.json'), text(LINES));
    expect(await read('good.json')).toMatchObject({ id: GOOD.id, counts: GOOD.counts });
    expect(HEAD + FIRST).toContain('"changes":[');
  });

  it('is nothing where there is no file', async () => {
    expect(await read('none.json')).toBeUndefined();
  });

  it.each(Object.keys(POISONED))('is refused: %s', async (name) => {
    const path = join(folder, `${Object.keys(POISONED).indexOf(name)}.json`);
    const poison = POISONED[name];
    if (typeof poison === 'string') writeFileSync(path, poison);
    else poison?.(path);
    const error = (await read(path)) as { readonly code?: string };
    expect(['artifactRefused', 'planTampered', 'planUnreadable']).toContain(error.code);
  });

  it('is told from a good one by each rule alone', async () => {
    const signedGood = join(folder, 'signed.json');
    writeFileSync(signedGood, signed(LINES));
    expect(await read(signedGood)).toMatchObject({ id: GOOD.id });
    expect(Object.keys(POISONED).length).toBeGreaterThanOrEqual(25);
  });
});
