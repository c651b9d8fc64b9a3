import { toFragment, type Shared } from './view-address.ts';

/** The URL and the history of the browser. */
export interface Visits {
  /**
   * Records the current state. Typing in the search field, or opening other details, is one visit.
   */
  show(shared: Shared): void;
}

/** Keeps the URL up to date, and calls back when the reader goes back or edits it. */
export function createVisits(onVisit: (fragment: string) => void): Visits {
  let last: Shared | undefined;
  addEventListener('popstate', () => {
    last = undefined;
    onVisit(location.hash);
  });
  return {
    show(shared) {
      const fragment = toFragment(shared);
      const isFirst = last === undefined;
      const goesOn = last !== undefined && isSameVisit(last, shared);
      last = shared;
      if (fragment === location.hash || (isFirst && fragment === '')) return;
      write(fragment, isFirst || goesOn ? 'replaceState' : 'pushState');
    },
  };
}

function isSameVisit(a: Shared, b: Shared): boolean {
  const isTyping = a.wanted.text !== '' && b.wanted.text !== '';
  return (isTyping || a.wanted.text === b.wanted.text) && without(a) === without(b);
}

/** A visit without the parts that may change during it. */
function without({ wanted, sorting }: Shared): string {
  return toFragment({ wanted: { ...wanted, text: '' }, sorting });
}

/** A viewer may forbid changes of its URL; the table works anyway. */
function write(fragment: string, how: 'pushState' | 'replaceState'): void {
  try {
    history[how](null, '', fragment === '' ? location.pathname + location.search : fragment);
  } catch {
    // Only the URL stays unchanged.
  }
}
