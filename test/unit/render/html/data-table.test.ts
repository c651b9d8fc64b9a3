import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { countCell, dataTable, NO_CELL, NO_VALUE } from '../../../../src/render/html/data-table.ts';
import { policyName, prose } from '../../../../src/render/html/said.ts';
import { htmlText } from '../../../../src/render/sinks/html-sink.ts';
import type { HtmlText } from '../../../../src/render/sinks/sinks.ts';
import { attributeOf, elementsOf, textOf } from '../../../support/html.ts';

const cells = (html: HtmlText) =>
  elementsOf(parse(html))
    .filter(({ tagName }) => tagName === 'th' || tagName === 'td')
    .map((cell) => [textOf(cell), attributeOf(cell, 'class'), attributeOf(cell, 'data-label')]);

describe('the table that all pages share', () => {
  const columns = [
    { title: 'Site' },
    { title: 'Zone' },
    { title: 'Now', isNumber: true },
    { title: 'Share', isNumber: true },
  ];

  it('leaves out empty columns, and marks zeros and missing values', () => {
    const rows = [
      { cells: [htmlText('HQ'), NO_CELL, { html: countCell(0), kind: 'now' }, NO_VALUE] },
      { cells: [htmlText('Lab'), NO_CELL, { html: countCell(1_204), kind: 'now' }, NO_CELL] },
    ];
    expect(cells(dataTable({ label: 'Sites', kind: 'sites', columns, rows }))).toEqual([
      ['Site', undefined, undefined],
      ['Now', 'n', undefined],
      ['Share', 'n', undefined],
      ['HQ', undefined, undefined],
      ['0', 'n none', 'Now'],
      ['–', 'n none', 'Share'],
      ['Lab', undefined, undefined],
      ['1,204', 'n now', 'Now'],
      ['', 'n', undefined],
    ]);
  });
});

describe('words of a page', () => {
  it.each([
    ['older than `maxAge`', 'older than <code>maxAge</code>'],
    ['`a` and `b`', '<code>a</code> and <code>b</code>'],
    ['a lone ` stays', 'a lone &#96; stays'],
    ['`a` and a lone `', '<code>a</code> and a lone &#96;'],
    ['`<b>`', '<code>&#60;b&#62;</code>'],
  ])('shows %s as code', (text, html) => {
    expect(prose(text).replaceAll('<code></code>', '')).toBe(html);
  });

  it('breaks the address of a policy after its section alone', () => {
    expect(policyName('firmware.a.b')).toBe('<bdi>firmware.<wbr>a.b</bdi>');
    expect(policyName('door')).toBe('<bdi><wbr>door</bdi>');
  });
});
