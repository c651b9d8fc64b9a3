import { parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { printHtml } from '../../../../src/render/print/html.ts';
import { printMarkdown } from '../../../../src/render/print/markdown.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';
import {
  data,
  own,
  phrase,
  say,
  strong,
  type Block,
  type Inline,
} from '../../../../src/render/tree.ts';
import { mentionsIn, quickActionsIn } from '../../../support/gitlab-markdown.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { attributeOf, elementsOf, textOf } from '../../../support/html.ts';
import { formatWords, treeText } from '../../../support/tree-words.ts';

const STYLE = { paint: PLAIN, width: 80 };
const text = (blocks: readonly Block[], all = false): string =>
  [...printTerminal(blocks, { ...STYLE, all })].join('\n');
const markdown = (blocks: readonly Block[]): string => printMarkdown(blocks).join('\n');

/** Every kind of block, with a name from outside in each place that has one. */
function everyBlock(name: string): readonly Block[] {
  const link: Inline = { is: 'link', show: { policy: name }, parts: [data(name)] };
  const item = { text: say`it is ${name}`, lines: [say`of ${name}`], details: [say`in ${name}`] };
  return [
    {
      is: 'sentence',
      text: phrase('Paused by {who}: `fleetform resume {who}`.', { who: name }),
      tone: 'wait',
    },
    {
      is: 'section',
      id: 'one',
      title: say`All of ${name}`,
      count: 1_234,
      isFolded: true,
      blocks: [
        {
          is: 'list',
          items: [
            { ...item, count: 7, show: { site: name }, next: say`ask ${name}` },
            { ...item, count: 5, facts: [{ label: 'since', text: say`when ${name} was new` }] },
            { ...item, count: 1 },
          ],
          most: 2,
          noun: 'policy',
        },
      ],
    },
    {
      is: 'entries',
      entries: [
        {
          count: 2,
          title: own('Restart · 2 devices'),
          tag: { word: 'high risk', tone: 'bad' },
          origin: say`${name} at ${name}`,
          edits: [
            { kind: 'removed', text: [data(name)] },
            { kind: 'added', text: say`new ${name}` },
          ],
          facts: [
            { label: 'why', text: say`for ${name}` },
            { label: 'devices', text: [link] },
            { label: '', text: [data(name)] },
            { label: 'digest', text: [data(name)], isDetail: true },
          ],
          gist: say`offline · ${name}`,
        },
        {
          count: 1,
          title: say`${strong(own('Failed'), 'bad')} · ${name}`,
          facts: [{ label: 'device', text: [data(name)] }],
        },
      ],
    },
    {
      is: 'section',
      id: 'two',
      title: own('Limits'),
      tone: 'bad',
      blocks: [
        { is: 'sentence', text: say`refused: ${name}`, tone: 'bad' },
        { is: 'list', items: [{ ...item, mark: { word: 'REFUSED', tone: 'bad' } }] },
      ],
    },
    {
      is: 'table',
      label: 'Policies',
      kind: 'policies',
      hasAddresses: true,
      columns: [
        { title: 'Policy' },
        { title: 'Needs you', isNumber: true },
        { title: 'Not here' },
        { title: 'By', room: 'page' },
      ],
      rows: [{ isStrong: true, cells: [[link], own('12'), [], [data(name)]] }],
      sums: [{ cells: [own('all policies'), own('12'), [], []] }],
    },
    {
      is: 'table',
      label: 'Starts',
      kind: 'starts',
      columns: [{ title: 'Wave' }, { title: 'Devices', isNumber: true }, { title: 'When' }],
      rows: [
        { isHead: true, cells: [[strong([link]), ...own('  11 -> 12')]] },
        { cells: [[data('canary')], own('5'), own('now')] },
      ],
    },
    {
      is: 'table',
      label: 'Counts',
      kind: 'counts',
      columns: [{ title: '', isNumber: true }, { title: '' }],
      rows: [{ cells: [own('12'), [data(name)]] }, { cells: [own('1,234'), own('others')] }],
    },
    { is: 'facts', facts: [{ label: 'fleet', text: say`of ${name}` }] },
    { is: 'next', text: say`ask ${name}` },
  ];
}

describe('a tree', () => {
  it('is printed in a terminal', () => {
    expect(text(everyBlock('axis.p32'))).toBe(`Paused by axis.p32: \`fleetform resume axis.p32\`.

All of axis.p32: 1,234
     7  it is axis.p32
        of axis.p32
        next: ask axis.p32
     5  it is axis.p32
        of axis.p32
    since    when axis.p32 was new
  and 1 in 1 more policy (--all lists them)

  Restart · 2 devices                                                  high risk
    axis.p32 at axis.p32
    - axis.p32
    + new axis.p32
    why      for axis.p32
    devices  axis.p32
             axis.p32

  Failed · axis.p32
    device   axis.p32

Limits
  refused: axis.p32
  REFUSED  it is axis.p32
    of axis.p32

POLICY        NEEDS YOU  NOT HERE
axis.p32             12
all policies         12

  axis.p32  11 -> 12
    canary     5  now

     12  axis.p32
  1,234  others

  fleet      of axis.p32
next: ask axis.p32`);
  });

  it('is printed as Markdown', () => {
    expect(markdown(everyBlock('axis.p32'))).toBe(`> [!WARNING]
> Paused by \`axis.p32\`: \`fleetform resume axis.p32\`.

<details><summary>All of <code>axis.p32</code>: 1,234</summary>

- **7** it is \`axis.p32\`<br>of \`axis.p32\`<br>in \`axis.p32\`<br>**Next:** ask \`axis.p32\`
- **5** it is \`axis.p32\`<br>of \`axis.p32\`<br>in \`axis.p32\`<br>since: when \`axis.p32\` was new
- **1** it is \`axis.p32\`<br>of \`axis.p32\`<br>in \`axis.p32\`

</details>

- **Restart · 2 devices** high risk<br>\`axis.p32\` at \`axis.p32\`<br>- \`axis.p32\`<br>+ new \`axis.p32\`<br>why: for \`axis.p32\`<br>devices: \`axis.p32\`<br>\`axis.p32\`<br>digest: \`axis.p32\`
- **Failed** · \`axis.p32\`<br>device: \`axis.p32\`

> [!CAUTION]
> **Limits**
>
> refused: \`axis.p32\`
>
> - **REFUSED** it is \`axis.p32\`<br>of \`axis.p32\`<br>in \`axis.p32\`

| Policy | Needs you | By |
| :-- | --: | :-- |
| **\`axis.p32\`** | 12 | \`axis.p32\` |
| all policies | 12 |  |

| Wave | Devices | When |
| :-- | --: | :-- |
| **\`axis.p32\`**  11 -> 12 |  |  |
| \`canary\` | 5 | now |

|  |  |
| --: | :-- |
| 12 | \`axis.p32\` |
| 1,234 | others |

- fleet: of \`axis.p32\`

**Next:** ask \`axis.p32\`
`);
  });

  it('has plots on a page alone: a table beside them says the same', () => {
    const [from, HOUR] = [Date.parse('2026-11-23T00:00:00Z'), 3_600_000];
    const blocks: readonly Block[] = [
      {
        is: 'plot',
        label: 'Devices down',
        about: 'one site',
        from,
        to: from + 3 * HOUR,
        step: HOUR,
        groups: [
          {
            title: 'UTC',
            lanes: [
              { name: '<HQ>', about: 'most 4', counts: [0, 2, 4] },
              {
                name: 'nights',
                about: '1 change',
                spans: [{ open: from, close: from + HOUR, kind: 'window' }],
              },
              {
                name: 'up',
                about: '2 snapshots',
                points: [
                  { at: from, percent: 92 },
                  { at: from + 3 * HOUR, percent: 100 },
                ],
              },
            ],
          },
        ],
      },
    ];
    expect(text(blocks)).toBe('');
    const page = elementsOf(parseFragment(String(printHtml(blocks))));
    const of = (tag: string, name: string) =>
      page.flatMap((each) => (each.tagName === tag ? (attributeOf(each, name) ?? []) : []));
    expect(of('path', 'd').at(-1)).toBe(
      'M516.67 74v-14.0h236.67v14.0zM753.33 74v-28.0h236.67v28.0z',
    );
    expect(of('rect', 'width').at(-1)).toBe('236.7');
    expect(of('polyline', 'points')).toEqual(['280,223.6 990,126 ']);
    expect(page.some((each) => each.tagName === 'text' && textOf(each) === '<HQ><HQ>')).toBe(true);
  });

  it('leaves out empty columns of a table on a page, and marks zeros, missing values and tones', () => {
    const block: Block = {
      is: 'table',
      label: 'Sites',
      kind: 'sites',
      columns: [
        { title: 'Site' },
        { title: 'Zone' },
        { title: '', kind: 'bar', room: 'page' },
        { title: 'Now', isNumber: true },
        { title: 'Share', isNumber: true },
      ],
      rows: [
        { cells: [[data('HQ')], [], [], own('0'), own('–')], bar: [{ tone: 'run', share: 0.5 }] },
        {
          cells: [[data('Lab')], [], [], own('1,204'), own('80%')],
          tones: [undefined, undefined, undefined, undefined, 'wait'],
        },
      ],
    };
    const page = elementsOf(parseFragment(String(printHtml([block]))));
    const cells = page
      .filter(({ tagName }) => tagName === 'th' || tagName === 'td')
      .map((cell) => [textOf(cell), attributeOf(cell, 'class'), attributeOf(cell, 'data-label')]);
    expect(cells).toEqual([
      ['Site', undefined, undefined],
      ['', undefined, undefined],
      ['Now', 'n', undefined],
      ['Share', 'n', undefined],
      ['HQ', undefined, undefined],
      ['', 'bar', undefined],
      ['0', 'n none', 'Now'],
      ['–', 'n none', 'Share'],
      ['Lab', undefined, undefined],
      ['', 'bar', undefined],
      ['1,204', 'n', 'Now'],
      ['80%', 'n wait', 'Share'],
    ]);
    const widths = page.flatMap((each) => (each.tagName === 'rect' ? each.attrs : []));
    expect(widths.find(({ name }) => name === 'width')?.value).toBe('150');
    expect(text([block])).not.toContain('rect');
  });

  it('has the same words in each format, in order', () => {
    const words = formatWords(everyBlock('axis.p32'));
    expect(words.terminal).toEqual(words.forTerminal);
    expect(words.markdown).toEqual(words.tree);
    expect(words.html).toEqual(words.tree);
  });

  it('shows what a terminal leaves out with all', () => {
    expect(text(everyBlock('axis.p32'), true).match(/in axis\.p32/g)).toHaveLength(4);
  });

  it('fits a terminal, whatever the length of a name', () => {
    // The first sentence has a command, which stays whole so that it can be copied.
    const blocks = everyBlock(`${'x'.repeat(70)} ${'y'.repeat(200)}`).slice(1);
    for (const line of text(blocks, true).split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('makes code of what is in backticks, and of all that is in it', () => {
    const parts = phrase('run `fleetform resume {scope}` for {scope}', { scope: 'a`b' });
    expect(parts).toEqual([
      { is: 'said', text: 'run ' },
      { is: 'code', text: 'fleetform resume a`b' },
      { is: 'said', text: ' for ' },
      { is: 'data', text: 'a`b' },
    ]);
    expect(markdown([{ is: 'sentence', text: parts }])).toBe(
      'run ``fleetform resume a`b`` for ``a`b``\n',
    );
  });

  it('has no value of one phrase in another, and shows an open backtick as it is', () => {
    expect(treeText([{ is: 'sentence', text: say`a ${'\u000e0\u000f'} b ${own('`c')}` }])).toBe(
      'a ‹\u000e0\u000f› b `c',
    );
  });
});

describe('a hostile name in a tree', () => {
  const names = hostileNames(150);

  it('starts nothing in a terminal, in Markdown or on a page', () => {
    const plain = kindsOf('name');
    for (const name of names) {
      const blocks = everyBlock(name);
      for (const line of text(blocks, true).split('\n')) expect(line).not.toMatch(FORBIDDEN);
      const comment = markdown(blocks);
      for (const line of comment.split('\n')) expect(line).not.toMatch(FORBIDDEN);
      expect([quickActionsIn(comment), mentionsIn(comment)]).toEqual([[], []]);
      expect(kindsOf(name), name).toEqual(plain);
    }
  });
});

/** The elements of a page with their attributes, but for the places where a name may break. */
function kindsOf(name: string): readonly string[] {
  const page = parseFragment(String(printHtml(everyBlock(name))));
  return elementsOf(page)
    .filter(({ tagName }) => tagName !== 'wbr')
    .map(({ tagName, attrs }) => [tagName, ...attrs.map((each) => each.name)].join(' '));
}

describe('a text of ours', () => {
  it('keeps a backtick that nothing closes, and what follows is no code', () => {
    expect(phrase('press `fleetform {name}` or ` of {name}', { name: 'x' })).toEqual([
      { is: 'said', text: 'press ' },
      { is: 'code', text: 'fleetform x' },
      { is: 'said', text: ' or ' },
      { is: 'said', text: '`' },
      { is: 'said', text: ' of ' },
      { is: 'data', text: 'x' },
    ]);
  });
});

it('prints a next step whole: a command that is longer than a line goes on behind a backslash', () => {
  const command = `fleetform apply plan.json --approved ${'a'.repeat(26)}:${'b'.repeat(64)}`;
  const lines = text([{ is: 'next', text: own(command) }]).split('\n');
  expect(lines[0]).toBe('next:');
  const typed = lines.slice(1).map((line) => line.trim().replace(/ \\$/, ''));
  expect(typed.join(' ')).toBe(command);
  expect(text([{ is: 'next', text: own('fleetform apply plan.json') }])).toBe(
    'next: fleetform apply plan.json',
  );
  const sentence = 'fleetform cannot read this list: the service differs from its documentation.';
  expect(text([{ is: 'next', text: own(sentence) }])).toBe(
    `next: ${sentence.replace(' documentation', '\n      documentation')}`,
  );
});
