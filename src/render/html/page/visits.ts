import { fragmentOf, type Shared } from './address.ts';

/** The address bar and the back button. */
export interface Visits {
  /** What is shown now. A search that is still being typed, or other details, are one visit. */
  show(shared: Shared): void;
}

/** Follows what is shown in the address, and calls back when somebody goes back or edits it. */
export function createVisits(onVisit: (fragment: string) => void): Visits {
  let last: Shared | undefined;
  addEventListener('popstate', () => {
    last = undefined;
    onVisit(location.hash);
  });
  return {
    show(shared) {
      const fragment = fragmentOf(shared);
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

/** A visit without what may change in the course of it. */
function without({ wanted, sorting }: Shared): string {
  return fragmentOf({ wanted: { ...wanted, text: '' }, sorting });
}

/** A viewer may refuse to have its address changed: the table works all the same. */
function write(fragment: string, how: 'pushState' | 'replaceState'): void {
  try {
    history[how](null, '', fragment === '' ? location.pathname + location.search : fragment);
  } catch {
    // Nothing to do: only the address stays behind.
  }
}
