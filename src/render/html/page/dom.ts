type Attributes = Readonly<Record<string, string>>;

/** Creates an element with attributes and children; texts become text nodes, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** The element with an ID; a missing one means a broken report. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the report has no ${id}`);
  return element;
}

/** A name from outside, isolated from the text direction around it. */
export function isolated(text: string): HTMLElement {
  return make('bdi', {}, text);
}

/** A sentence in which backticks mark code, isolated as a name is. */
export function isolatedProse(text: string): HTMLElement {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return isolated(text);
  return make('bdi', {}, ...parts.map((part, n) => (n % 2 === 0 ? part : make('code', {}, part))));
}

/** Sets the height of the empty rows that stand for rows which are not drawn. */
export function setSpace(section: HTMLTableSectionElement, height: number): void {
  section.hidden = height === 0;
  const cell = section.rows[0]?.cells[0];
  if (cell) cell.style.height = `${height}px`;
}
