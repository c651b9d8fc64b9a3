import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

/** Every element below a node, in the order of the document. */
export function elementsOf(node: Node): readonly Element[] {
  const found: Element[] = [];
  const walk = (at: Node): void => {
    if ('tagName' in at) found.push(at);
    if ('childNodes' in at) for (const child of at.childNodes) walk(child);
  };
  walk(node);
  return found;
}

/** All the text below a node. */
export function textOf(node: Node): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** The value of an attribute. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}
