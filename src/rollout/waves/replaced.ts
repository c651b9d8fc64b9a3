import type { FrozenBase } from './assignment.ts';

/**
 * The base after each replacement, in their order (semantics C12): a device of the last wave has the place of one of the
 * first, which is then the last of all. So every wave keeps its size.
 */
export function withReplaced({ base, waves, replaced = new Map() }: FrozenBase): FrozenBase {
  const order = [...base];
  for (const [out, substitute] of replaced) {
    const [to, from] = [order.indexOf(out), order.indexOf(substitute)];
    if (to === -1 || from <= to) continue;
    order[to] = substitute;
    order.splice(from, 1);
    order.push(out);
  }
  return { base: order, ...(waves && { waves }) };
}
