import type { TerminalText } from './sinks.ts';
import { cut, textWidth } from './width.ts';

/**
 * Breaks a text at spaces into lines of at most `columns`. Lines after the first start with `hang`
 * spaces. A command in backticks is never broken: it moves to the next line, and one that is longer
 * than a line is printed below the text without backticks, where a `\` continues it, so that it can be
 * copied. A statement of SQL, which ends with `;`, is a line of its own, however long. Any other word that is longer than a line is cut, or stays whole where that is said.
 */
export function wrap(
  text: TerminalText,
  columns: number,
  hang = 0,
  longWords: 'cut' | 'whole' = 'cut',
): readonly TerminalText[] {
  const [margin = ''] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const indent = (): string => (lines.length === 0 ? margin : ' '.repeat(hang));
  const close = (): void => {
    const shown = line.trimEnd();
    if (shown !== '')
      lines.push(longWords === 'cut' && used > columns ? cut(shown, columns) : shown);
    line = '';
  };
  for (const word of splitWords(text.slice(margin.length))) {
    const statement = STATEMENT.exec(word)?.[1];
    if (statement !== undefined) {
      close();
      lines.push(' '.repeat(hang) + statement);
      continue;
    }
    const command = LONE_COMMAND.exec(word)?.[1];
    if (command !== undefined && textWidth(word) > columns - hang) {
      close();
      lines.push(...commandLines(command, columns, hang + 2));
      continue;
    }
    const size = textWidth(` ${word}`);
    if (line !== '' && used + size <= columns) {
      line += ` ${word}`;
      used += size;
    } else {
      close();
      line = indent() + word;
      used = textWidth(line);
    }
  }
  close();
  return (lines.length === 0 ? [margin.trimEnd()] : lines) as TerminalText[];
}

/** A command, with the punctuation after it, which is no part of it. */
const LONE_COMMAND = /^`([^`]+)`[.,;:]?$/;

const STATEMENT = /(?:^| )`([^`]+;)`$/;

/** The words of a text; a part in backticks is one word. */
function splitWords(text: string): readonly string[] {
  if (!text.includes('`')) return text.split(' ');
  const words: string[] = [];
  let open: string[] = [];
  for (const part of text.split(' ')) {
    const isEdge = part.split('`').length % 2 === 0;
    if (open.length > 0) {
      open.push(part);
      if (!isEdge) continue;
      words.push(open.join(' '));
      open = [];
    } else if (isEdge) open = [part];
    else words.push(part);
  }
  return [...words, ...open];
}

/** An argument with its value in quotes is not broken. */
const ARGUMENT = /(?:[^\s"']|"[^"]*"|'[^']*')+|["']/g;

function commandLines(command: string, columns: number, indent: number): readonly string[] {
  const start = ' '.repeat(indent);
  const lines: string[] = [];
  let line = '';
  const space = columns - indent - 4;
  for (const argument of joinValues(command.match(ARGUMENT) ?? [], space)) {
    const longer = line === '' ? argument : `${line} ${argument}`;
    if (line === '' || textWidth(longer) <= space) line = longer;
    else {
      lines.push(line);
      line = argument;
    }
  }
  lines.push(line);
  return lines.map((each, index) => {
    const end = index < lines.length - 1 ? ' \\' : '';
    return `${start}${index === 0 ? '' : '  '}${each}${end}`;
  });
}

/** The arguments of a command, each flag with its value where both fit. */
function joinValues(parts: readonly string[], space: number): readonly string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const flag = joined.at(-1);
    const both = `${flag} ${part}`;
    const isValue = flag !== undefined && /^--[\w-]+$/.test(flag) && !part.startsWith('-');
    if (isValue && textWidth(both) <= space) joined[joined.length - 1] = both;
    else joined.push(part);
  }
  return joined;
}

/** What is not for people to read, or is read by a machine line by line. */
const UNBROKEN = /^(?:\{|::| +at )/;

/**
 * A message of one or more lines within `columns`: the only rule for what is printed on stderr. Lines
 * that fit stay as they are. A next step hangs below its text, any other line by two spaces.
 */
export function wrapMessage(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line): readonly string[] => {
      if (UNBROKEN.test(line) || (textWidth(line) <= columns && !STATEMENT.test(line)))
        return [line];
      const [lead = ''] = /^ *(?:next: )?/.exec(line) ?? [];
      return wrap(line as TerminalText, columns, Math.max(2, lead.length), 'whole');
    })
    .join('\n');
}
