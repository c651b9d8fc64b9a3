import type { MarkdownText } from '../sinks/sinks.ts';
import type { Block } from '../tree.ts';
import { printMarkdown } from './markdown.ts';

/** A block of an output, and how many entries of each of its lists are listed. */
interface Part {
  readonly block: Block;
  cap: number;
  size: number;
}

/** The fewest characters of an entry, which no list has more of than fit. */
const SHORTEST = 20;

/**
 * Blocks in at most `limit` characters. Where all of them do not fit, those of the highest rank are left out until the
 * others do with the numbers of their entries alone; then each list gets as many entries as fit: in order of their
 * rank at most a third of the space that is left, then all of it. Blocks without a rank stay, whatever their length.
 */
export function printWithin(blocks: readonly Block[], limit: number): readonly MarkdownText[] {
  const entries = blocks.reduce((sum, block) => sum + entriesIn(block), 0);
  const whole = entries * SHORTEST > limit ? undefined : printMarkdown(blocks);
  if (whole && textLength(whole) <= limit) return whole;
  const all = blocks.map((block) => ({ block, cap: 0, size: sizeOf(block, 0) }));
  const byRank = [...all].sort((a, b) => rankOf(a.block) - rankOf(b.block));
  const left = (): number => limit - byRank.reduce((sum, { size }) => sum + size, 0);
  while (left() < 0 && rankOf(byRank.at(-1)?.block) > 0) byRank.pop();
  for (const share of [3, 1]) for (const part of byRank) grow(part, part.size + left() / share);
  return all
    .filter((part) => byRank.includes(part))
    .flatMap(({ block, cap }) => printMarkdown([capped(block, cap)]));
}

/** Gives the lists of a block as many entries as fit in a space. */
function grow(part: Part, space: number): void {
  let tooMany = Math.min(longest(part.block), Math.floor(space / SHORTEST)) + 1;
  while (tooMany - part.cap > 1) {
    const cap = Math.floor((part.cap + tooMany) / 2);
    const size = sizeOf(part.block, cap);
    if (size <= space) Object.assign(part, { cap, size });
    else tooMany = cap;
  }
}

function rankOf(block: Block | undefined): number {
  return (block && 'rank' in block && block.rank) || 0;
}

function sizeOf(block: Block, cap: number): number {
  return textLength(printMarkdown([capped(block, cap)]));
}

/** The characters of lines with their line ends. */
function textLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function capped(block: Block, cap: number): Block {
  if (block.is === 'section')
    return { ...block, blocks: block.blocks.map((each) => capped(each, cap)) };
  return block.is === 'entries' || block.is === 'list' ? { ...block, cap } : block;
}

function longest(block: Block): number {
  if (block.is === 'section') return Math.max(0, ...block.blocks.map(longest));
  if (block.is === 'list') return block.items.length;
  return block.is === 'entries' ? block.entries.length : 0;
}

function entriesIn(block: Block): number {
  if (block.is === 'section') return block.blocks.reduce((sum, each) => sum + entriesIn(each), 0);
  return longest(block);
}
