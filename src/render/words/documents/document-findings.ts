import type { DiagnosticCode } from '../../../model/documents/diagnostic.ts';
import type { CodePhrases } from '../entry.ts';
import type { Phrase } from '../phrase.ts';

/** Problems of a file, its YAML, a key or a value, independent of other documents. */
export const DOCUMENT_WORDS = {
  fleetMissing: {
    says: 'There is no fleet folder[ at {folder}].',
    next: 'Write a first document, such as the one in the README, or name another folder with --fleet.',
  },
  fleetEmpty: {
    says: 'The fleet folder holds no YAML file[: {folder}].',
    next: 'Write a first document, such as the one in the README, or name another folder with --fleet.',
  },
  fileTooLarge: {
    says: 'The file is too large[: {bytes|byte|bytes}].',
    more: '[A document may have {limit|byte|bytes} at the most.]',
    next: 'Split it into several files; entries may stand in any of them.',
  },
  tooManyFiles: {
    says: 'The fleet folder holds too many files[: {count|file|files}].',
    more: '[At most {limit|file is|files are} read.]',
    next: 'Join documents, or keep files that are no documents elsewhere.',
  },
  fleetTooLarge: {
    says: 'The documents together are too large[: {bytes|byte|bytes}].',
    more: '[All documents may have {limit|byte|bytes} at the most.]',
    next: 'Select devices by vendor, model, site or group instead of listing them one by one.',
  },
  notAFile: {
    says: '[“{name}”||This] is not a regular file.',
    more: 'Pipes, sockets and device files are never read.',
    next: 'Replace it by a regular YAML file, or remove it from the fleet folder.',
  },
  linkLeavesFleet: {
    says: 'The link[ “{name}”] leads out of the fleet folder.',
    next: 'Copy the file into the fleet folder, so that reviewers see what counts.',
  },
  linkNotRead: {
    says: 'The link[ “{name}”] is not read[: {problem}][, {target}].',
    more: 'A link to a file of the fleet folder that is no document by its own name is read as one.',
    next: 'Remove the link, or put the file itself in its place.',
  },
  caseClash: {
    says: 'Two files differ in upper and lower case only[: “{name}” and “{other}”].',
    more: 'On some machines they are one file, and one of them would be lost.',
    next: 'Rename one of them.',
  },
  notUtf8: {
    says: 'The file is not valid UTF-8[, from byte {offset} on].',
    more: 'No other check knows what this file holds: mistakes in it, and names that it may define, are told once it can be read.',
    next: 'Save it as UTF-8.',
  },
  forbiddenCharacter: {
    says: 'A character that cannot be seen stands here[: {character}].',
    more: 'Invisible and direction-changing characters make a text read otherwise than it acts.',
    next: 'Remove it, or write it as an escape such as "\\u200b" inside double quotes.',
  },
  nestedTooDeep: {
    says: 'The nesting is too deep[: more than {limit|level|levels}].',
    more: 'No other check knows what this file holds: mistakes in it, and names that it may define, are told once it can be read.',
    next: 'Flatten this part; no document needs more than a few levels.',
  },
  syntax: {
    says: 'This is not valid YAML[, at “{key}”].',
    next: 'Check the indentation, quotes and brackets of this line and of the one above.',
  },
  duplicateKey: {
    says: 'The key[ “{key}”] stands twice in one map.',
    next: 'Keep one of the two.',
  },
  mergeKey: {
    says: 'Merge keys (<<) are not read.',
    next: 'Write the values out, or share them through a group, a window or a rollout.',
  },
  customTag: {
    says: 'YAML tags[ such as {tag}] are not read.',
    next: 'Remove the tag; put quotes around the value where a text is meant.',
  },
  tooManyAliases: {
    says: 'The file uses too many YAML aliases[: {count|alias|aliases}].',
    more: '[At most {limit} are followed.]',
    next: 'Write the values out.',
  },
  aliasLoop: {
    says: 'The alias[ *{anchor}] contains itself.',
    next: 'Write the value out.',
  },
  severalDocuments: {
    says: 'The file holds more than one YAML document.',
    next: 'Put what follows `---` into a file of its own.',
  },
  refusedKey: {
    says: 'The key[ “{key}”] is refused.',
    more: 'It has a meaning of its own inside JavaScript objects.',
    next: 'Choose another name.',
  },
  unquotedStar: {
    says: 'A pattern that starts with * needs quotes.',
    more: 'Without them YAML takes it for an alias.',
    next: 'Put the pattern in double quotes[: "{text}"].',
  },
  unknownKey: {
    says: 'The key[ “{key}”] is not known[ in {within}].',
    more: '[Known there: {allowed}.]',
    next: '[Did you mean “{suggestion}”?||Remove it, or move it to the entry where it belongs.]',
  },
  missingKey: {
    says: 'The key[ “{key}”] is missing[ in {within}].',
    next: 'Add it[: `{key}: ...`].',
  },
  wrongType: {
    says: '[“{key}”||This] must be {expected=another kind of value}[, not {found}].',
    next: '[Write, for example: {example}||Write {expected=a value of that kind}.]',
  },
  quoteIt: {
    says: '[“{key}” must be a string||This must be a string], and YAML reads {text=it} as something else.',
    more: 'Without quotes YAML reads a number, a date or a boolean: version 11.10 becomes 11.1.',
    next: '[Write it in double quotes: {example}||Put it in double quotes: "{text=...}"].',
  },
  notAllowed: {
    says: 'The key[ “{key}”] is not allowed here[ beside {beside}].',
    next: 'Remove it, or change what it stands beside.',
  },
  badValue: {
    says: '[“{value}”||This] is not one of the values that are allowed [for “{key}”||here].',
    more: '[Allowed: {allowed}.]',
    next: '[Did you mean “{suggestion}”?||Write one of the allowed values.]',
  },
  taskNotOffered: {
    says: 'The service offers no such task[: “{value}”]. Where devices tell of it, it is reported and never acted on.',
    more: '[Tasks here: {allowed}.]',
    next: 'Take the entry out; `fleetform get devices -o json` shows where it is available.',
  },
  badName: {
    says: 'The name[ “{name}”][ in {section}] cannot be used.',
    next: 'Use lower-case letters, digits and `-`, 63 of them at most; start with a letter or digit.',
  },
  excludesEachOther: {
    says: '[“{key}” and “{other}”||Two keys] exclude each other.',
    next: 'Keep one of the two.',
  },
  oneOfRequired: {
    says: 'One of these keys is needed[ in {within}][: {keys}].',
    next: 'Add the one that says what you mean.',
  },
  empty: {
    says: '[“{key}”||This] holds nothing.',
    more: 'What is empty selects nothing and says nothing.',
    next: 'Fill it, or remove the key.',
  },
  outOfRange: {
    says: '[“{value}”||This] is out of range[ for “{key}”][: it must be {rule} {limit}].',
    next: 'Write a value[ that is {rule} {limit}||within the range].',
  },
  badDuration: {
    says: '[“{value}”||This] is not a duration[, as “{key}” needs one].',
    next: 'Write a whole number and one of s, m, h, d, w: 90s, 30m, 12h, 180d.',
  },
  badInstant: {
    says: '[“{value}”||This] is not a date and time[ in the form that “{key}” needs][: {problem}].',
    next: 'Write it like {example="2027-01-31T00:00:00Z" or "2027-01-31T01:00:00+01:00"}.',
  },
  badZone: {
    says: '[“{value}”||This] is not a time zone that is known[, as “{key}” needs one].',
    next: '[Did you mean “{suggestion}”?||Use an IANA name such as Europe/Berlin.]',
  },
  badCron: {
    says: '[“{value}”||This] is not a cron expression[, as “{key}” needs one][: {problem}].',
    next: 'Write five fields: minute, hour, day, month, weekday, such as "0 1 * * SAT#3".',
  },
  badPercent: {
    says: '[“{value}”||This] is not a percentage[, as “{key}” needs one].',
    next: 'Write a number from 0 to 100, with two decimals at most, and a percent sign: 10%.',
  },
  badVersion: {
    says: '[“{value}”||This] is not a version that can be wanted[: {problem}].',
    next: 'Write it like {example="11.11.73", "11.11.x" or ">=11.5 <12" in quotes, or approved}.',
  },
  badUrl: {
    says: 'fleetform does not send credentials to [“{value}”||this address][: {problem}].',
    next: 'Write it like https://api.example.com; plain http is for this machine alone.[ Set {variables} where fleetform runs, and change the password now.]',
  },
  looksLikeSecret: {
    says: 'The value[ of “{key}”] looks like a secret.',
    more: 'Everybody who can read the repository can read it, and git keeps it in the history.',
    next: '[Write {reference} in its place and set that variable where apply runs.||Remove it: secrets come from the environment alone.][ Set {variables} where fleetform runs.] Change the secret now.',
  },
  duplicateName: {
    says: 'The name[ “{name}”] is defined twice[ in {section}].',
    next: 'Rename or remove one of the two.',
  },
  serviceMissing: {
    says: 'No document says which service to talk to.',
    next: 'Add `service: {baseUrl: "https://...", organization: ...}` to one file.',
  },
  serviceTwice: {
    says: 'The service is described twice.',
    next: 'Keep one description; one fleet folder speaks to one service.',
  },
  nameUnknown: {
    says: 'There is nothing named[ “{name}”][ in {section}].',
    next: '[Did you mean “{suggestion}”?||Correct the name, or define it.]',
  },
  reservedName: {
    says: 'The name[ “{name}”] has a meaning of its own[ under {section}] and cannot be used here.',
    more: '`anytime` is the window that is always open, `canary` the first wave.',
    next: 'Choose another name.',
  },
  unknownDialectKey: {
    says: 'The dialect has no key[ “{key}”].',
    next: '[Did you mean “{suggestion}”?||Look it up in docs/dialect.md.]',
  },
} satisfies Readonly<Partial<Record<DiagnosticCode, CodePhrases>>>;

/** YAML errors by code: the problem, and what to write. */
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
