import type { Phrase } from './phrase.ts';

/** What is no YAML, by the mistake: what is wrong, and what to write. */
export const SYNTAX_WORDS: Readonly<
  Record<string, { readonly says: Phrase; readonly next: Phrase }>
> = {
  quoteOpen: {
    says: 'The quote[ after “{key}”] is not closed.',
    next: 'Close it on the same line.',
  },
  bracketOpen: {
    says: 'The bracket[ after “{key}”] is not closed.',
    next: 'Add the missing } or ].',
  },
  bracketTooMany: {
    says: 'There is a closing bracket too many[ after “{key}”].',
    next: 'Remove it, or add the bracket that opens it.',
  },
  colonMissing: {
    says: 'This line[ below “{key}”] is no `key: value`.',
    next: 'Write a colon and a blank after the key, or indent the line if it goes on with the value above.',
  },
  textAfterValue: {
    says: 'There is text behind the end of a value[, at “{key}”].',
    next: 'Put the whole value into one pair of double quotes, or begin a new line with a key.',
  },
  BAD_INDENT: {
    says: 'The indentation is wrong[ at or below “{key}”].',
    next: 'Begin all keys of one mapping in the same column, and what belongs to a key further in.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    says: 'The value[ of “{key}”] holds a colon and a blank, or the next line is indented too far.',
    next: 'Put the value into double quotes, or correct the indentation of the next line.',
  },
  MULTILINE_IMPLICIT_KEY: {
    says: 'A key[ near “{key}”] goes over several lines.',
    next: 'Write the key and its colon on one line; close quotes and brackets before.',
  },
  BLOCK_IN_FLOW: {
    says: 'Inside brackets[, at “{key}”,] there is a list or mapping that is written with indentation.',
    next: 'Write it in brackets as well, such as {key: value}.',
  },
  TAB_AS_INDENT: {
    says: 'A tab indents this line[ below “{key}”].',
    next: 'Indent with blanks.',
  },
  BAD_SCALAR_START: {
    says: 'The value[ of “{key}”] begins with a character that YAML reserves.',
    next: 'Put the value into double quotes.',
  },
  BAD_DQ_ESCAPE: {
    says: 'The value[ of “{key}”] holds a backslash that begins no known escape.',
    next: 'Write two of them for a backslash, or use single quotes.',
  },
  NON_STRING_KEY: {
    says: 'A key[ under “{key}”] is a list or a mapping, and must be a name.',
    next: 'Put the value into double quotes if the brackets belong to it, as in "{{ name }}"; else write `key: value`.',
  },
  YAML_VERSION: {
    says: 'The file asks for another version of YAML.',
    next: 'Remove the %YAML line: documents are YAML 1.2.',
  },
  UNEXPECTED_TOKEN: {
    says: 'There is something here that YAML does not allow[, at “{key}”].',
    next: 'Check quotes, brackets and the indentation of this line and of the one above.',
  },
  MISSING_CHAR: {
    says: 'A character is missing[ at “{key}”].',
    next: 'Check colons, commas, quotes and brackets of this line and of the one above.',
  },
};
