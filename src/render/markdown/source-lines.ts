import type { LineOrigin } from '../../model/documents/origin.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { ChangeClass } from '../view/change-class.ts';
import { counted, grouped } from '../words/phrase.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import type { RequestedAt, PlanView } from '../view/view.ts';

/** A text of fleetform itself, without data of the service or the documents. */
export const own = (text: string): MarkdownText => text as MarkdownText;

/** How many commits a row names; the others are counted. */
const COMMITS_NAMED = 2;

/** How many changed lines a row names; the others are counted. */
const LINES_NAMED = 3;

export function placesText({ at, places, lines }: ChangeClass): MarkdownText {
  const more = places.length > 1 ? own(` and ${grouped(places.length - 1)} more`) : own('');
  const changed = lines.length > 0 ? mark`<br>${own('changed')} ${linesText(lines)}` : own('');
  return mark`${markdown(at.policy)}<br>${lineText(at)}${more}${changed}`;
}

/** The first few changed lines behind the changes. */
export function linesText(lines: readonly SourceLocation[]): MarkdownText {
  const named = lines.slice(0, LINES_NAMED).map(lineText);
  const more = lines.length - named.length;
  const rest = more > 0 ? ` and ${counted(more, 'more line')}` : '';
  return own(`${named.join(', ')}${rest}`);
}

function lineText({ file, line }: SourceLocation): MarkdownText {
  return markdown(`${cutTo(file, 80)}:${line}`);
}

/** The commits behind the changes, newest first, separated by `between`. */
export function authorText(
  requested: RequestedAt,
  { originsOf }: PlanView,
  between = own('<br>'),
  most = COMMITS_NAMED,
): MarkdownText {
  const origins = originsOf(requested);
  const named = origins.slice(0, most).map((origin) => commitText(origin, between));
  const more = origins.length - named.length;
  const rest = more > 0 ? [own(`and ${counted(more, 'more commit')}`)] : [];
  return own([...named, ...rest].join(between));
}

function commitText(origin: LineOrigin, between: MarkdownText): MarkdownText {
  if (origin.is !== 'commit')
    return own(origin.is === 'notCommitted' ? 'not committed' : 'cut off');
  const { commit, author, subject } = origin;
  return mark`${markdown(cutTo(author, 40))}${between}${markdown(commit.slice(0, 8))} ${markdown(cutTo(subject, 60))}`;
}

/** Cuts a long text before it goes through a sink, so that no escape is cut in two. */
export function cutTo(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** The characters of lines with their line ends. */
export function textLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
