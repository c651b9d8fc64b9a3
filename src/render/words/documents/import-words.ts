import type { AdoptedSection, AdoptNotice, LeftOutWhy } from '../../../model/report/adoption.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { counted, grouped } from '../phrase.ts';

/** The first words of a document that an import wrote, by which a later one knows it. */
export const IMPORT_MARK = 'Written by `fleetform import`';

/** What stands beside the name of a section. */
export const SECTION_COMMENTS: Readonly<Record<AdoptedSection, string>> = {
  sites: 'Time zones (check those by name) and tags: the service has neither.',
  windows: 'When changes may start, in the time zone of each site.',
  groups: 'Left out. Remove a device from `-due` to plan its rotation.',
  firmware: 'Floors. Write `version` beside one to plan an upgrade.',
  rotations: 'How often passwords and certificates are rotated.',
  onboarding: 'By source. Remove a # to plan the onboarding of a device.',
};

export function originComment(organization: string, day: string): string {
  return `${IMPORT_MARK} from the fleet of ${organization} on ${day}. Yours to edit: no import replaces it.`;
}

/** What stands beside a site without a zone. */
export const ZONE_COMMENT = ' # FILL IN {timeZone: ...}';

/** What stands beside a site whose zone is that of `--time-zone`. */
export const CHECK_COMMENT = ' # check';

interface NoticeWords {
  readonly says: string;
  readonly next?: string;
}

/** One finding in words; `folder` is the directory of the documents. */
export function adoptNoticeWords(notice: AdoptNotice, folder: string): NoticeWords {
  switch (notice.code) {
    case 'siteWithoutZone':
      return withoutZones([notice], folder);
    case 'torn':
      return {
        says: 'The list of devices changed while it was read. Some may be missing.',
        next: 'Run `fleetform import` again: it shows what differs.',
      };
    case 'notOnboarded':
      return {
        says: `${counted(notice.devices, 'discovered device')} ready to onboard${notice.isListed ? ', listed as comments' : ''}.`,
        next: notice.isListed
          ? `Remove the # in ${folder}/onboarding.yaml to plan their onboarding.`
          : 'Run `fleetform import --onboarding` to list them.',
      };
    case 'unreadable':
      return {
        says: `Unreadable value on ${counted(notice.devices, 'device')}: ${notice.field}.`,
        next: readableBy(notice),
      };
    case 'leftOut':
      return { says: `${subjectText(notice.what, [notice])} left out.` };
    case 'covered':
      return {
        says: `No new ${notice.what} policy for ${counted(notice.devices, 'device')}: ${notice.policy} selects them.`,
      };
    case 'fieldUnreadable':
      return {
        says: `${counted(notice.devices, 'device')} left out of ${notice.what}: the field ${notice.field} cannot be read.`,
        next: readableBy(notice),
      };
  }
}

export type NoticeOf<C extends AdoptNotice['code']> = Extract<AdoptNotice, { readonly code: C }>;

/** The sites without a zone in one sentence: the first by name, and a count. */
export function withoutZones(
  sites: readonly NoticeOf<'siteWithoutZone'>[],
  folder: string,
): NoticeWords {
  const names = sites.slice(0, NAMED).map(({ site }) => `"${site}"`);
  const more = sites.length > NAMED ? ` and ${grouped(sites.length - NAMED)} more` : '';
  const places = sites.map(({ at }) => (at ? `${at.file}:${at.line}` : `${folder}/sites.yaml`));
  const isOne = sites.length === 1;
  return {
    says: isOne
      ? `Site ${names.join()} has no time zone. Windows of its devices never open.`
      : `${grouped(sites.length)} sites have no time zone: ${names.join(', ')}${more}. Windows of their devices never open.`,
    next: `Add \`timeZone\` to ${isOne ? 'it' : 'each'} in ${[...new Set(places)].slice(0, NAMED).join(', ')}. \`--time-zone\` sets it only where import writes a new file.`,
  };
}

const LEFT_OUT_WORDS: Readonly<Record<LeftOutWhy, string>> = {
  notOffered: 'offered none',
  single: 'single',
  noOrder: 'without an order of versions',
  noVersion: 'without a version',
  notExpressible: 'with an ID, a version or a type that documents cannot name',
  due: 'due',
  undated: 'without a date',
  mostDue: 'mostly due',
  zone: 'at a site without a time zone',
};

/** How many vendors or types a sentence names. */
const NAMED = 3;

/** What is left out of everything, in one sentence. */
export function leftOutWords(notices: readonly AdoptNotice[]): string | undefined {
  const left = notices.filter((notice) => notice.code === 'leftOut');
  const parts = [...groupBy(left, ({ what }) => what)].map(([what, mine]) =>
    subjectText(what, mine),
  );
  for (const notice of notices)
    if (notice.code === 'notOnboarded' && !notice.isListed)
      parts.push(`${counted(notice.devices, 'discovered device')} (\`import --onboarding\`)`);
  return parts.length === 0 ? undefined : `Left out: ${parts.join('; ')}.`;
}

/** `firmware of 11 (10 offered none, 1 single Commend)`. */
function subjectText(what: string, notices: readonly NoticeOf<'leftOut'>[]): string {
  const total = notices.reduce((sum, { devices }) => sum + devices, 0);
  const parts = notices.map(({ why, devices, names }) => {
    const named = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['...'] : [])].join(', ');
    const words = [LEFT_OUT_WORDS[why], named].filter((text) => text !== '');
    const told = why === 'single' ? words : words.toReversed();
    return [...(notices.length > 1 ? [grouped(devices)] : []), ...told].join(' ');
  });
  return `${what} of ${grouped(total)} (${parts.join(', ')})`;
}

function readableBy({ key }: NoticeOf<'unreadable' | 'fieldUnreadable'>): string {
  return key === undefined
    ? 'No key of the dialect covers it: report it to the provider.'
    : `If the service shows it elsewhere or in another form, set ${key} under \`service.dialect\`; \`fleetform doctor\` shows which.`;
}

/** Lines of the text that an import prints. */
export const IMPORT_WORDS = {
  written: 'Written',
  notWritten: 'Not written (--dry-run)',
  findings: 'Notes',
  differ: (count: number): string =>
    `${count === 1 ? '1 entry differs' : `${count} entries differ`} from the fleet (- documents, + fleet). No file that exists was changed.`,
  titles: { added: 'not in the documents', removed: 'not in this import', changed: 'changed' },
  moreDiffer: (count: number): string => `... and ${grouped(count)} more. \`--all\` lists each.`,
  noChanges: (unread: number): string =>
    unread === 0 ? 'no changes' : `no changes, ${counted(unread, 'value')} not read yet`,
  summary: (
    { policies, devices, lines }: Readonly<Record<'policies' | 'devices' | 'lines', number>>,
    plan: string,
  ): string => {
    const written = lines === 0 ? '' : `, ${counted(lines, 'line')}`;
    return `${counted(policies, 'policy')} for ${counted(devices, 'device')}${written}. The next plan: ${plan}.`;
  },
  afterWriting: (folder: string): string =>
    `review ${folder}/, run \`fleetform validate\` and \`fleetform plan\`, then commit.`,
  afterTrying: 'Run the same command without `--dry-run`.',
  afterDiffering:
    'Copy the + lines into the documents. Keep a `-` entry if another file selects its devices. `fleetform plan` shows what apply would change.',
  same: 'The documents describe the fleet. There is nothing to do.',
} as const;
