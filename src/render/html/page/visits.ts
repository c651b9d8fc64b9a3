import { readFragment, toFragment, type Shared } from './address.ts';
import type { Rows } from './rows.ts';

/** The URL and the history of the browser. */
interface Visits {
  /** Records the current state. Typing in the search field, or opening other details, is one visit. */
  show(shared: Shared): void;
}

/** Keeps the URL up to date, and calls back when the reader goes back or edits it. */
export function createVisits(rows: Rows, onVisit: (shared: Shared) => void): Visits {
  let last: Shared | undefined;
  addEventListener('popstate', () => {
    last = undefined;
    onVisit(readFragment(rows, location.hash));
  });
  return {
    show(shared) {
      const fragment = toFragment(rows, shared);
      const isFirst = last === undefined;
      const goesOn = last !== undefined && isSameVisit(rows, last, shared);
      last = shared;
      if (fragment === location.hash || (isFirst && fragment === '')) return;
      write(fragment, isFirst || goesOn ? 'replaceState' : 'pushState');
    },
  };
}

function isSameVisit(rows: Rows, a: Shared, b: Shared): boolean {
  const isTyping = a.text !== '' && b.text !== '';
  // What may change during a visit is left out.
  const [before, after] = [a, b].map(({ values, sorting }) =>
    toFragment(rows, { text: '', values, sorting }),
  );
  return (isTyping || a.text === b.text) && before === after;
}

/** A viewer may forbid changes of its URL; the table works anyway. */
function write(fragment: string, how: 'pushState' | 'replaceState'): void {
  try {
    history[how](null, '', fragment === '' ? location.pathname + location.search : fragment);
  } catch {
    // Only the URL stays unchanged.
  }
}
