import { defaultTreeAdapter, parse, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { htmlData, htmlJson, htmlText, markup } from '../../../../src/render/sinks/html-sink.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { draws } from '../../../support/campaign.ts';
import { elementsOf } from '../../../support/html.ts';

const NAMES = hostileNames(draws(5_000));

describe('the sink for HTML', () => {
  it('makes one text of every hostile name, and nothing else (T04)', () => {
    for (const name of NAMES) {
      const fragment = parseFragment(markup`<p>${htmlText(name)}</p>`);
      const [paragraph] = fragment.childNodes;
      const children = paragraph && 'childNodes' in paragraph ? paragraph.childNodes : [];
      expect(fragment.childNodes).toHaveLength(1);
      expect(children.length).toBeLessThanOrEqual(1);
      expect(children.every((node) => defaultTreeAdapter.isTextNode(node))).toBe(true);
    }
  });

  it('makes one attribute of every hostile name, and nothing else', () => {
    for (const name of NAMES) {
      const elements = elementsOf(parseFragment(markup`<p title="${htmlText(name)}"></p>`));
      expect(elements.map(({ tagName, attrs }) => [tagName, attrs.map((a) => a.name)])).toEqual([
        ['p', ['title']],
      ]);
    }
  });

  it('shows a name as it is, its hidden characters as escapes', () => {
    expect(htmlText(`a<b>&amp;"c" 'd' \`e\` Süd 東京`)).toBe(
      'a&#60;b&#62;&#38;amp;&#34;c&#34; &#39;d&#39; &#96;e&#96; Süd 東京',
    );
    for (const name of NAMES) expect(htmlText(name)).not.toMatch(FORBIDDEN);
  });
});

describe('the sink for data in a script element', () => {
  it('is never ended by a name, and gives it back', () => {
    const document = parse(markup`<script type="application/json">${htmlJson(NAMES)}</script>`);
    const elements = elementsOf(document).map(({ tagName }) => tagName);
    expect(elements).toEqual(['html', 'head', 'script', 'body']);
    const read = JSON.parse(htmlJson(NAMES)) as string[];
    expect(read).toHaveLength(NAMES.length);
    expect(read.filter((name) => FORBIDDEN.test(name))).toEqual([]);
    expect(read).toContain('</script><script>alert(1)</script>');
    expect(new Set(read).size).toBe(new Set(NAMES).size);
  });

  it('begins no tag, comment or entity', () => {
    for (const name of NAMES) expect(htmlJson({ name })).not.toMatch(/[<>&]/);
  });
});

describe('the sink for data in an attribute', () => {
  it('gives every name back', () => {
    for (const name of NAMES) {
      const elements = elementsOf(parseFragment(markup`<a data-show="${htmlData({ name })}"></a>`));
      const [{ attrs } = { attrs: [] }] = elements;
      expect(elements).toHaveLength(1);
      expect(attrs.map((attribute) => attribute.name)).toEqual(['data-show']);
      expect(JSON.parse(attrs[0]?.value ?? '')).toEqual(JSON.parse(htmlJson({ name })));
    }
  });
});
