import type { CodePhrases } from './phrase.ts';
import { ANOMALY_WORDS } from './outcomes.ts';
import type { WorldCode } from '../../model/error.ts';

/** Things that the service may not know, by the name of the read or of its list. */
export const THINGS: Readonly<Record<string, string>> = {
  device: 'device',
  site: 'site',
  deviceSource: 'device source',
  task: 'task',
  deviceTasks: 'task',
  targetFirmware: 'the target firmware of device',
  vulnerabilities: 'the vulnerabilities of device',
  passwords: 'the passwords of device',
  certificates: 'the certificates of device',
  devices: 'the list of devices',
  sites: 'the list of sites',
  deviceSources: 'the list of device sources',
  discoveredDevices: 'the list of discovered devices',
  tasks: 'the list of tasks',
  firmwarePaths: 'the list of firmware paths',
};

export const ERROR_WHYS: Readonly<Partial<Record<WorldCode, Readonly<Record<string, string>>>>> = {
  credentialCommandFailed: {
    setting: 'its value is not a command',
    absent: 'it cannot be started',
    exit: 'it ended with an error',
    late: 'it did not end within 30 s, and was killed',
    tooLarge: 'it printed more than 64 KB, and was killed',
    form: 'it did not print one JSON object with version, clientId and clientSecret',
    version: 'it printed a version other than 1',
    expired: 'it printed credentials that have expired',
  },
  credentialsUnreadable: { late: 'no program wrote to this pipe to its end within 5 s' },
  artifactRefused: {
    notAFile: 'it is not a regular file',
    tooLarge: 'it is larger than any plan',
    shape: 'it does not match the schema of plans',
    missing: 'it does not exist',
    digest: 'its digest differs from the displayed one',
  },
  requestUnclear: {
    several: 'several open requests have this branch and commit',
    closed: 'a request to another branch was closed with this branch and commit',
    base: 'the plan does not compare with a commit of the branch that the request goes to',
  },
  changesNotReviewed: { noPlan: 'no plan of the request is left' },
  commitNotMerged: {
    dirty: 'documents in the working tree differ from it',
    noCommit: 'there is no commit',
    other: 'another commit is checked out',
  },
  documentsNotNewest: {
    dirty: 'the working tree has changes',
    ledgerPlan: 'the ledger asks for the approval of plans, so no reason replaces a merge',
  },
  approverUnknown: {
    noRecord: "the forge's record of this gate names nobody",
    noEnvironments: 'this forge ignores the reviewers of environments',
    startedAgain:
      'this run has approvals of its earlier attempts, and does not say what each was for',
    unnamed: 'no forge has a record of this gate',
  },
  branchUnclear: {
    differ: 'the forge names several',
    none: 'the HEAD of the remote names no branch of documents',
    unread: 'it cannot be fetched',
  },
  ledgerRolledBack: {
    lost: 'The ledger is missing',
    plan: 'The ledger lacks records that the plan was made with',
    unreadablePin:
      'The file that remembers the end of the ledger cannot be read, so records may be missing',
    damagedHeads: 'The branch that keeps the heads of the ledger is gone or cannot be read',
    damagedPin:
      'The file that remembers the end of the ledger is damaged, so records may be missing',
  },
  planTampered: {
    instant: 'it has a time that does not exist',
    id: 'the ID does not match the changes',
    service: 'the service URL or organization does not match the fingerprint',
    times: 'it does not expire within 90 days after it was made',
    twice: 'one device and task appears twice',
    counts: 'the counts do not match the changes',
    groups: 'the groups do not match the changes',
    waves: 'the waves do not match the changes',
    scope: 'the scope does not match the changes',
    verdicts: 'the guardrail results do not match the changes',
    risk: 'the risk of a change does not match its task and device',
  },
  forgeRefused: {
    shape: 'something that is no answer of its interface',
    tooLong: 'more pages than are read',
  },
  baseUrlUnsafe: {
    unreadable: 'It is not a URL.',
    http: 'It uses plain http, which exposes the token on the network.',
    notHttps: 'It is neither https nor http.',
    origin: 'It is not the URL in the documents.',
    userinfo: 'It contains a user name or password.',
    query: 'It contains a query.',
    fragment: 'It contains a fragment.',
  },
  idUnsafe: {
    empty: 'it is empty',
    long: 'it is longer than 128 characters',
    unseen: 'it contains invisible characters',
    dots: 'its dots would lead to another URL',
    address: 'it does not fit into one path segment',
  },
  fileUnreadable: {
    ENOENT: 'it does not exist',
    EACCES: 'this user may not read it',
    EISDIR: 'it is a directory',
  },
  lineUnknown: {
    form: 'Not FILE:LINE:',
    file: 'No document at',
  },
  fileRefused: {
    link: 'It is a link, and its target may belong to another user.',
    notPlain: 'It is a pipe, a device or a directory, not a regular file.',
    notOurs: 'It belongs to another user.',
    notTrace:
      'It contains something other than a trace: a trace needs a new file, or one with an earlier trace.',
    tooLarge: 'It is too large to hold a credential.',
    cutShort: 'It is not complete gzip data: it is cut or damaged.',
    unpacksTooLarge: 'It decompresses to more than any plan or snapshot.',
    unwritten: 'It cannot be written; the disk may be full or read-only.',
    notWritable: 'Its directory does not exist or is not writable.',
    folder: 'It is a directory.',
  },
  ledgerBroken: {
    order: 'another record stands in its place',
    chain: 'it was written after another record than the one before it',
    hole: 'its file is missing, and later ones are there',
    content: 'its file was edited',
    unreadable: 'its file was cut off or edited',
    notALedger: 'a commit has several parents, or does not change head.json and records.json alone',
    checkpoint: 'this checkpoint is not what the records before it add up to',
  },
  ledgerUnfit: {
    create: 'files cannot be created there',
    refused: 'the remote refuses the push',
    bothWon: 'two concurrent writes of one record both succeeded',
    noneWon: 'two concurrent writes of one record both failed',
    remoteName: 'not a name, URL or path of a remote',
    branchName: 'not a branch name',
    noClone: 'this directory is not a Git clone: run `git init` and `git remote add`',
    noRemote: 'this repository has no such remote: run `git remote add`',
    noGit: 'Git is not installed',
    fsync: 'the file system does not confirm that data is on disk',
    link: 'the file system does not support hard links',
    overwrites: 'a second record replaces the first',
    readBack: 'the file system returns different data than was written',
    noUrl: 'FLEETFORM_LEDGER_URL is not set: postgres://USER@HOST:PORT/DATABASE',
    badUrl:
      'FLEETFORM_LEDGER_URL is not postgres://USER@HOST:PORT/DATABASE, without a password and parameters',
    noDriver:
      'the package `pg` is not installed: run `npm install pg`, with --global if fleetform was installed so',
    tables:
      'this database lacks the tables of this version, which the SQL of `fleetform ledger schema` makes',
    notGranted: 'this login has no grant for it',
    login: 'the server refuses this login',
    role: 'this login may not do that',
    database: 'the server has no such database',
    statement: 'the database refuses a statement',
    fsyncOff: 'the server does not confirm that data is on disk',
    mayAttempt:
      'this login may record tasks: a gate needs one with the role fleetform_approve alone',
    characters: 'PostgreSQL cannot keep U+0000 or half of a character',
  },
  unexpectedShape: { foreignDevices: ANOMALY_WORDS.foreignDevices },
  listTorn: {
    overlap: 'the pages do not overlap',
    total: 'its total changed',
    duplicate: 'a row appeared twice',
    tooLong: 'it has no end',
    short: 'rows are missing',
  },
};

/** What to do about a ledger that cannot be kept where it is, by `why`: no step leads to another ledger. */
export const UNFIT_STEPS: Readonly<Record<string, string>> = {
  noUrl:
    'Set FLEETFORM_LEDGER_URL to postgres://USER@HOST:PORT/DATABASE, and the password in FLEETFORM_LEDGER_PASSWORD.',
  badUrl:
    'Correct FLEETFORM_LEDGER_URL. The password belongs in FLEETFORM_LEDGER_PASSWORD; TLS needs no parameter.',
  noDriver: 'Install `pg` where fleetform is installed, then run the command again.',
  tables: 'Let a superuser run in this database what `fleetform ledger schema` prints.',
  notGranted: 'Let a superuser run in this database: `{grant}`',
  login:
    'Check the user in FLEETFORM_LEDGER_URL and the password in FLEETFORM_LEDGER_PASSWORD, and whether the server admits this login from here.',
  role: 'Use a login with the role that the command needs: fleetform_read to plan, fleetform_write to apply, fleetform_approve to approve, all of them and fleetform_owner to move the ledger.',
  database: 'Correct the database in FLEETFORM_LEDGER_URL, or create it as docs/postgres.md says.',
  statement:
    'Compare the tables with what `fleetform ledger schema` prints, and see the log of the server.',
  fsyncOff: 'Set `fsync = on` on the server.',
  mayAttempt: 'Give this job a login that has the role fleetform_approve alone.',
  characters: 'Take the character out of the name or the reason that has it.',
};

export const NO_TASK: Pick<CodePhrases, 'next'> = {
  next: 'Check the ID: `fleetform audit` shows the tasks of earlier runs.',
};

export const FORBIDDEN_TASK: Pick<CodePhrases, 'more' | 'next'> = {
  more: 'The task needs the role {needs=Admin or Operator}; the provider enables it for each account.',
  next: 'Ask an administrator of the organization for the role {needs=Admin or Operator}, or the provider to enable the API.',
};

/** A refused list that planning can do without. */
export const FORBIDDEN_PATHS: Pick<CodePhrases, 'more' | 'next'> = {
  more: 'The list of firmware paths needs the role Admin.',
  next: 'Ask an administrator of the organization for the role Admin. Without it, `fleetform plan` reads the target firmware of each device instead.',
};
