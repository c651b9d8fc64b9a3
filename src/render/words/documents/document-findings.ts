import type { DiagnosticCode } from '../../../model/documents/diagnostic.ts';
import type { Phrase, CodePhrases } from '../phrase.ts';

/** Problems of a file, its YAML, a key or a value, independent of other documents. */
export const DOCUMENT_WORDS = {
  fleetMissing: {
    says: 'No fleet directory[ at {folder}][: it is a {kind}].',
    more: '[The link leads out of the repository, to {target}.]',
    next: 'Create it with `fleetform init`, or pass another directory with `--fleet`.',
  },
  fleetEmpty: {
    says: 'The fleet directory contains no YAML file[: {folder}].',
    next: 'Create it with `fleetform init`, or pass another directory with `--fleet`.',
  },
  fileTooLarge: {
    says: 'The file is too large[: {bytes|byte|bytes}].',
    more: '[The limit is {limit|byte|bytes}.]',
    next: 'Split it into several files; entries can be in any of them.',
  },
  tooManyFiles: {
    says: 'The fleet directory contains too many files[: {count|file|files}].',
    more: '[The limit is {limit}.]',
    next: 'Merge documents, and move other files elsewhere.',
  },
  fleetTooLarge: {
    says: 'The documents together are too large[: {bytes|byte|bytes}].',
    more: '[The limit is {limit|byte|bytes}.]',
    next: 'Select devices by vendor, model, site or group instead of listing each one.',
  },
  notAFile: {
    says: '["{name}"||This] is not a regular file.',
    more: 'fleetform does not read pipes, sockets or device files.',
    next: 'Replace it with a regular YAML file, or remove it from the fleet directory.',
  },
  nameNotRead: {
    says: '["{name}"||This file] looks like a document, and is not read.',
    more: 'The name of a document ends with ".yaml" or ".yml", in lower case, and is UTF-8.',
    next: 'Rename it, or remove it from the fleet directory.',
  },
  linkLeavesFleet: {
    says: 'The link[ "{name}"] points outside the fleet directory.',
    next: 'Copy the file into the fleet directory, so that reviewers see it.',
  },
  linkNotRead: {
    says: 'The link[ "{name}"] is not read[: {problem}][, {target}].',
    more: 'A link inside the fleet directory is read if its target is not a document itself.',
    next: 'Remove the link, or replace it with the file.',
  },
  caseClash: {
    says: 'Two file names differ only in case[: "{name}" and "{other}"].',
    more: 'On some systems one file would replace the other.',
    next: 'Rename one of them.',
  },
  includeRefused: {
    says: 'The fleet does not include[ {folder}||this folder][: {problem}].',
    next: 'List directories of this repository, relative to this file, such as `- ../_shared/base`.',
  },
  includeTwice: {
    says: '`include` is in two files of the fleet.',
    next: 'List all folders in one of them.',
  },
  notShared: {
    says: '[{entry}||This entry] cannot be in a shared folder.',
    more: 'Each fleet says itself where credentials go, what it has, and what may pass its limits (`allow`, `expedite`).',
    next: 'Move it to the documents of each fleet that needs it.',
  },
  notUtf8: {
    says: 'The file is not valid UTF-8[ from byte {offset}].',
    more: 'Other problems in this file, and names that it defines, are reported once it can be read.',
    next: 'Save it as UTF-8.',
  },
  forbiddenCharacter: {
    says: 'Invisible character[: {character}].',
    more: 'Invisible characters can make a text look different from what it does.',
    next: 'Remove it, or write it as an escape such as "\\u200b" inside double quotes.',
  },
  nestedTooDeep: {
    says: 'Nesting is too deep[: more than {limit|level|levels}].',
    more: 'Other problems in this file, and names that it defines, are reported once it can be read.',
    next: 'Flatten this part: documents need only a few levels.',
  },
  syntax: {
    says: 'Invalid YAML[ at "{key}"].',
    more: 'Other problems in this file, and names that it defines, are reported once it can be read.',
    next: 'Check indentation, quotes and brackets of this line and the line above.',
  },
  duplicateKey: {
    says: 'Duplicate key[ "{key}"].',
    next: 'Keep one of the two.',
  },
  mergeKey: {
    says: 'Merge keys (<<) are not supported.',
    next: 'Repeat the values, or share them through a group, a window or a rollout.',
  },
  customTag: {
    says: 'YAML tags[ such as {tag}] are not supported.',
    next: 'Remove the tag, and quote the value if it is a string.',
  },
  tooManyAliases: {
    says: 'The file uses too many YAML aliases[: {count|alias|aliases}].',
    more: '[The limit is {limit}.]',
    next: 'Repeat the values.',
  },
  aliasLoop: {
    says: 'The alias[ *{anchor}] contains itself.',
    next: 'Repeat the value.',
  },
  severalDocuments: {
    says: 'The file contains more than one YAML document.',
    next: 'Move the part after `---` or `...` to another file.',
  },
  refusedKey: {
    says: 'The key[ "{key}"] is not allowed.',
    more: 'It has a special meaning in JavaScript.',
    next: 'Choose another name.',
  },
  unquotedStar: {
    says: 'Quote a pattern that starts with *.',
    more: 'YAML reads it as an alias.',
    next: 'Write it in double quotes[: "{text}"].',
  },
  unknownKey: {
    says: 'Unknown key[ "{key}"][ in {within}].',
    more: '[Known keys: {allowed}.]',
    next: '[Did you mean "{suggestion}"?||{problem}.||Remove it, or move it to the right entry.]',
  },
  missingKey: {
    says: 'Missing key[ "{key}"][ in {within}].',
    next: 'Add it[: `{key}: ...`].',
  },
  wrongType: {
    says: '["{key}" belongs to "{entry}"||"{key}" must be {expected=another kind of value}||This must be {expected=another kind of value}][, not {found}].',
    next: '[Indent it by {indent} spaces.||Name entries by key: `{name}:` in place of `- name: {name}`.||Write, for example: {example}||Write {expected=a value of that kind}.]',
  },
  quoteIt: {
    says: 'Quote this value: YAML does not read {text=it} as a string.',
    more: '[Without quotes, {problem}.||Without quotes, YAML turns version 11.10 into the number 11.1.]',
    next: 'Write it in double quotes: [{example}||"{text=...}"].',
  },
  notAllowed: {
    says: 'The key[ "{key}"] is not allowed here[ together with {beside}].',
    next: '[Remove it, or change {beside}.||Remove it.]',
  },
  badValue: {
    says: 'Invalid value[ "{value}"][ for "{key}"][ in an exception of type {type}].',
    more: '[Allowed values: {allowed}.]',
    next: '[Did you mean "{suggestion}"?||Use one of the allowed values.]',
  },
  taskNotOffered: {
    says: 'The service does not offer task[ "{value}"]. fleetform reports it and never starts it.',
    more: '[Known tasks: {allowed}.]',
    next: 'Remove the entry; `fleetform get devices -o json` shows where the task is available.',
  },
  badName: {
    says: 'Invalid name[ "{name}"][ in {section}].',
    next: 'Use at most 63 lower-case letters, digits and `-`; start with a letter or digit.',
  },
  excludesEachOther: {
    says: '["{key}" and "{other}"||Two keys] exclude each other.',
    next: 'Keep one of the two.',
  },
  reservedVariable: {
    says: 'Variable[ {name}] belongs to fleetform, or to the platform or a tool of the job, and may hold its credentials.',
    next: 'Use a variable of its own, such as NEW_CAMERA_PASSWORD, and set it for the job of `apply`.',
  },
  oneOfRequired: {
    says: 'One of these keys is required[ in {within}][: {keys}].',
    next: 'Add one of them.',
  },
  empty: {
    says: '["{key}"||This] is empty.',
    more: 'An empty value selects nothing.',
    next: 'Fill it, or remove the key.',
  },
  outOfRange: {
    says: '["{value}"||This] is out of range[ for "{key}"][: it must be {rule} {limit}].',
    next: 'Use a value [{rule} {limit}||in the range].',
  },
  badDuration: {
    says: 'Invalid duration[ "{value}"][ for "{key}"].',
    next: '[Did you mean {suggestion}?||Write a whole number and one of s, m, h, d, w: 90s, 30m, 12h, 180d.]',
  },
  badInstant: {
    says: 'Invalid date and time[ "{value}"][ for "{key}"][: {problem}].',
    next: 'Write it like {example="2027-01-31T00:00:00Z" or "2027-01-31T01:00:00+01:00"}.',
  },
  badZone: {
    says: 'Unknown time zone[ "{value}"][ for "{key}"].',
    next: '[Did you mean "{suggestion}"?||Use an IANA name such as Europe/Berlin.]',
  },
  badCron: {
    says: 'Invalid cron expression[ "{value}"][ for "{key}"][: {problem}].',
    next: 'Write five fields: minute, hour, day, month, weekday, such as "0 1 * * SAT#3".',
  },
  badPercent: {
    says: 'Invalid percentage[ "{value}"][ for "{key}"].',
    next: '[Did you mean {suggestion}?||Write a number from 0 to 100 with at most two decimals and a percent sign: 10%.]',
  },
  badVersion: {
    says: 'Invalid version[ "{value}"][: {problem}].',
    next: 'Write it like {example="11.11.73", "11.11.x" or ">=11.5 <12" in quotes, or approved}.',
  },
  badUrl: {
    says: 'fleetform does not send credentials to ["{value}"||this URL][: {problem}].',
    next: 'Write it like https://api.example.com; plain http works for this machine only.[ Set {variables} where fleetform runs, and change the password now.]',
  },
  looksLikeSecret: {
    says: '["{key}"||This] looks like a secret.',
    more: 'Everyone with access to the repository can read it, and Git keeps it in the history.',
    next: '[Use {reference} and set that variable where `apply` runs.||Remove it: secrets come from the environment.][ Set {variables} where fleetform runs.] If the value was pushed, change it now.',
  },
  duplicateName: {
    says: 'Duplicate name[ "{name}"][ in {section}].',
    next: '[To replace the shared entry, write `override: {isMixed}` in that of the fleet; else rename||Rename] or remove one of the two.',
  },
  overrideNothing: {
    says: 'The entry[ "{name}"][ in {section}] overrides no shared entry.',
    next: '[Did you mean "{suggestion}"?||Remove `override`, or correct the name.]',
  },
  siteNotListed: {
    says: 'No entry of `sites` is[ "{written}"||this site].',
    next: '[Did you mean "{suggestion}"?||Compare it with the names in `sites`.]',
  },
  fillIn: {
    says: '[{count|placeholder is|placeholders are}||A placeholder is] not filled in.',
    next: 'Replace each value, and remove its comment FILL IN.',
  },
  serviceMissing: {
    says: 'No document defines the service.',
    next: 'Add `service: {baseUrl: "https://...", organization: ...}` to one file.',
  },
  serviceTwice: {
    says: 'The service is defined twice[: {beside} and {folder} are separate fleets].',
    next: '[Name one fleet, such as `--fleet {folder}`. If both are one fleet, keep one service.||Keep one: a fleet directory has one service.]',
  },
  serviceShared: {
    says: '[{folder} is||Another folder is] for the same service and organization[: {organization}].',
    more: 'Each of the two fleets would act on the devices of the other.',
    next: 'Write the `organization` or the `baseUrl` of the copy, or move its policies to the other folder and delete it.',
  },
  nameUnknown: {
    says: 'Unknown name[ "{name}"][ in {section}].',
    next: '[Did you mean "{suggestion}"?||Correct the name, or define it.]',
  },
  reservedName: {
    says: 'The name[ "{name}"] is reserved[ in {section}].',
    more: '`anytime` is the window that is always open, `canary` the first wave.',
    next: 'Choose another name.',
  },
  unknownDialectKey: {
    says: 'Unknown dialect key[ "{key}"].',
    next: '[Did you mean "{suggestion}"?||See docs/dialect.md.]',
  },
} satisfies Readonly<Partial<Record<DiagnosticCode, CodePhrases>>>;

/** YAML errors by code: the problem, and what to write. */
export const SYNTAX_WORDS: Readonly<
  Record<string, { readonly says: Phrase; readonly next: Phrase }>
> = {
  mergeConflict: {
    says: 'Merge conflict in [lines {from} to {to}||line {from}].',
    next: 'Keep one side, and remove the marks.',
  },
  quoteOpen: {
    says: 'The quote[ after "{key}"] is not closed.',
    next: 'Close it on the same line.',
  },
  bracketOpen: {
    says: 'The bracket[ after "{key}"] is not closed.',
    next: 'Add the missing {closer=bracket}, or remove the one that opens it.',
  },
  bracketWrong: {
    says: 'The bracket[ after "{key}"] is not closed with {found=its own}.',
    next: 'Write {closer=the other one}, or remove this one.',
  },
  bracketInComment: {
    says: 'The bracket[ after "{key}"] is not closed: a comment begins before.',
    next: 'Quote the value that # belongs to, or close the bracket before the comment.',
  },
  bracketTooMany: {
    says: 'Unmatched closing bracket[ after "{key}"].',
    next: 'Remove it, or add the bracket that opens it.',
  },
  bracketTwice: {
    says: 'Two opening brackets[ after "{key}"].',
    next: 'Remove one, or quote the value if both belong to it, as in "{{ name }}".',
  },
  commaMissing: {
    says: 'A comma is missing[ before "{word}"].',
    next: '[Add it at the end of line {line}, or remove the bracket at the end of line {opened}.||Add it at the end of line {line}.||Add it here.]',
  },
  commaTooMany: {
    says: 'This comma has no value before it.',
    next: 'Remove it.',
  },
  commaOutside: {
    says: 'A comma outside brackets[ after "{key}"].',
    next: 'Remove it.',
  },
  colonMissing: {
    says: 'A colon is missing[ after "{word}"].',
    next: 'Write a colon and a space after the key, or indent the line if it continues the value above.',
  },
  colonBlank: {
    says: 'A space is missing after the colon[ of "{word}"].',
    next: 'Add it.',
  },
  dashBlank: {
    says: 'A space is missing after the dash.',
    next: 'Add it, and start the dash in the column of those above.',
  },
  blankBefore: {
    says: 'A comment needs a space before its #.',
    next: 'Add it, or put the whole value into double quotes.',
  },
  slashes: {
    says: 'A comment starts with #, not with //.',
    next: 'Write # in place of //.',
  },
  textAfterValue: {
    says: 'Text after the end of a value[ at "{key}"].',
    next: 'Put the whole value into one pair of double quotes, or begin a new line with a key.',
  },
  BAD_INDENT: {
    says: 'Wrong indentation[ of "{word}"].',
    next: 'Start it in the column of line {line=the line above}, or indent it if it belongs to a key there.',
  },
  besideEntry: {
    says: '"{key}" belongs to "{entry}".',
    next: 'Indent it by {indent} spaces.',
  },
  nestedSection: {
    says: '"{key}" is a section, and stands below "{section}".',
    next: 'Start it in the column of "{section}".',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    says: 'The value[ of "{key}"] contains a colon and a space.',
    next: 'Put it into double quotes, or into {} if it is a mapping.',
  },
  valueAbove: {
    says: 'The next line is indented below a key that has a value[: "{key}"].',
    next: 'Remove the value or correct the indentation.',
  },
  tooDeep: {
    says: 'This line is indented too far: "{key}" above has a value.',
    next: 'Indent it by {indent} spaces, like "{key}".',
  },
  MULTILINE_IMPLICIT_KEY: {
    says: 'A key[ near "{key}"] spans several lines.',
    next: 'Write the key and its colon on one line, and close quotes and brackets before it.',
  },
  BLOCK_IN_FLOW: {
    says: 'An indented list or mapping inside brackets[ at "{key}"].',
    next: 'Write it in brackets as well, such as {key: value}.',
  },
  TAB_AS_INDENT: {
    says: 'A tab indents this line[ below "{key}"].',
    next: 'Indent with spaces.',
  },
  noBreakSpace: {
    says: 'Line {line} has {character}, which looks like a space.',
    next: 'Replace it with a space.',
  },
  typographicQuote: {
    says: 'The quotes around the value[ of "{key}"] are typographic.',
    next: 'Write them as ".',
  },
  BAD_SCALAR_START: {
    says: 'The value[ of "{key}"] starts with a character that YAML reserves.',
    next: 'Put the value into double quotes.',
  },
  BAD_DQ_ESCAPE: {
    says: 'The value[ of "{key}"] contains an unknown escape.',
    next: 'Write \\\\ for a backslash, or use single quotes.',
  },
  NON_STRING_KEY: {
    says: 'A key[ under "{key}"] is a list or a mapping; it must be a name.',
    next: 'Quote the value if the brackets belong to it, as in "{{ name }}"; else write `key: value`.',
  },
  YAML_VERSION: {
    says: 'The file requires another version of YAML.',
    next: 'Remove the %YAML line: documents are YAML 1.2.',
  },
  UNEXPECTED_TOKEN: {
    says: 'Invalid YAML[ at "{key}"].',
    next: 'Check quotes, brackets and indentation of this line and the line above.',
  },
  MISSING_CHAR: {
    says: 'A character is missing[ at "{key}"].',
    next: 'Check colons, commas, quotes and brackets of this line and the line above.',
  },
};

/** Editors then find other mistakes than `validate`. */
export const OLD_SCHEMA =
  'warning: .fleetform.schema.json, by which editors check documents, is missing or of another version of fleetform. ' +
  'Renew it with `fleetform init`.';
