import {
  LACKS,
  type AdoptedSection,
  type AdoptNotice,
  type UnrotatedWhy,
  type Lack,
} from '../../../model/report/adoption.ts';
import { counted, grouped } from '../phrase.ts';

/** The first words of a document that an import wrote, by which a later one knows it. */
export const IMPORT_MARK = 'Written by `fleetform import`';

/** What stands at the head of each document. */
export const SECTION_COMMENTS: Readonly<Record<AdoptedSection, readonly string[]>> = {
  sites: [
    'Site settings that the service does not have: the time zone of windows, and optional tags.',
  ],
  windows: ['When changes may start, in the time zone of each site.'],
  groups: ['Devices that other selectors cannot distinguish.'],
  firmware: [
    'The versions in use. A policy with priority 600 keeps devices at another version than their model;',
    'remove it to move them to the version of the model. Raise a version to plan an upgrade.',
  ],
  rotations: [
    'How often passwords and certificates are rotated. The groups under `not` contain devices that are',
    'due: remove the `not` to plan their rotation.',
  ],
  onboarding: [
    'Discovered devices by source. Devices in comments are not managed: remove the # to onboard them.',
  ],
};

export function originComment(organization: string, day: string): string {
  return `${IMPORT_MARK} from the fleet of ${organization} on ${day}. Yours to edit: no import replaces it.`;
}

/** What stands beside a site without a zone. */
export const ZONE_COMMENT = ' # FILL IN {timeZone: ...}';

interface NoticeWords {
  readonly says: string;
  readonly next?: string;
}

/** One finding in words; `folder` is the directory of the documents. */
export function adoptNoticeWords(notice: AdoptNotice, folder: string): NoticeWords {
  switch (notice.code) {
    case 'siteWithoutZone': {
      const { site, at } = notice;
      const place = at ? `${at.file}:${at.line}` : `${folder}/sites.yaml`;
      return {
        says: `Site "${site}" has no time zone. Windows of its devices never open.`,
        next: `Add \`timeZone\` to it in ${place}. \`--time-zone\` sets it only where import writes a new file.`,
      };
    }
    case 'torn':
      return {
        says: 'The list of devices changed while it was read. Some may be missing.',
        next: 'Run `fleetform import` again: it shows what differs.',
      };
    case 'notOnboarded':
      return {
        says: `${counted(notice.devices, 'discovered device')} ready to onboard, listed as comments.`,
        next: `Remove the # in ${folder}/onboarding.yaml to plan their onboarding.`,
      };
    case 'unreadable':
      return {
        says: `Unreadable value on ${counted(notice.devices, 'device')}: ${notice.field}.`,
        next: readableBy(notice),
      };
    case 'dueSoon':
    case 'noRotation':
      return rotationWords(notice);
    default:
      return leftOutWords(notice);
  }
}

type NoticeOf<C extends AdoptNotice['code']> = Extract<AdoptNotice, { readonly code: C }>;

function rotationWords(notice: NoticeOf<'dueSoon' | 'noRotation'>): NoticeWords {
  if (notice.code === 'noRotation') return unrotatedWords(notice);
  const { policy, devices, undated, lacks } = notice;
  const due = devices - undated - lacks.zone - lacks.task - lacks.reading;
  const parts = [
    ...(due > 0 ? [`${grouped(due)} due within a week or overdue`] : []),
    ...(undated > 0 ? [`${grouped(undated)} without a date`] : []),
    ...LACKS.filter((lack) => lacks[lack] > 0).map(
      (lack) => `${grouped(lacks[lack])} ${LACK_WORDS[lack]}`,
    ),
  ];
  return {
    says: `${counted(devices, 'device')} left out of ${policy}: ${parts.join(', ')}.`,
    next:
      lacks.zone > 0
        ? 'Give their sites a time zone. Remove its `not` to plan their rotation.'
        : 'Remove its `not` to plan their rotation.',
  };
}

const LACK_WORDS: Readonly<Record<Lack, string>> = {
  zone: 'at a site without a time zone',
  task: 'without this task in the service',
  reading: 'with a field that fleetform cannot read',
};

/** Why no policy is written, and what helps. */
const UNROTATED_WORDS: Readonly<Record<UnrotatedWhy, NoticeWords>> = {
  zone: {
    says: 'no site of these devices has a time zone',
    next: 'Give the sites a time zone, then run `fleetform import` again to see the policies.',
  },
  task: { says: 'the service does not offer the task for these devices' },
  reading: {
    says: 'each of these devices has a field that fleetform cannot read',
    next: 'Run `fleetform doctor` to see how the service names its fields.',
  },
  undated: {
    says: 'too few have dates',
    next: 'Write one with the period that you need (`fleetform explain rotations`).',
  },
  due: {
    says: 'most of the dates are due',
    next: 'Write one with the period that you need (`fleetform explain rotations`).',
  },
};

/** How many types of devices a finding names. */
const NAMED = 4;

function unrotatedWords({ why, credentials }: NoticeOf<'noRotation'>): NoticeWords {
  const parts = credentials.map(({ what, devices, dated, types }) => {
    const named = types.slice(0, NAMED).map((type) => `"${type}"`);
    const more = types.length > NAMED ? [counted(types.length - NAMED, 'more type')] : [];
    const dates = why !== 'undated' && why !== 'due' ? '' : `, ${grouped(dated)} with dates`;
    return `the ${what} of ${counted(devices, 'device')}${dates} (${[...named, ...more].join(', ')})`;
  });
  const { says, ...next } = UNROTATED_WORDS[why];
  return { says: `No policy for ${parts.join(' and ')}: ${says}.`, ...next };
}

function leftOutWords(
  notice: NoticeOf<
    'covered' | 'notOffered' | 'versionUnknown' | 'fieldUnreadable' | 'notExpressible'
  >,
): NoticeWords {
  const devices = counted(notice.devices, 'device');
  switch (notice.code) {
    case 'covered':
      return {
        says: `No new ${notice.what} policy for ${devices}: ${notice.policy} selects them or devices of the same type.`,
      };
    case 'notOffered':
      return {
        says: `${devices} left out of ${notice.what}: the service does not offer the task for them.`,
      };
    case 'versionUnknown':
      return {
        says: `${devices} left out of firmware: the service shows no version.`,
      };
    case 'fieldUnreadable':
      return {
        says: `${devices} left out of ${notice.what}: the field ${notice.field} cannot be read.`,
        next: readableBy(notice),
      };
    case 'notExpressible':
      return {
        says: `${devices} left out of ${notice.what}: documents cannot name their version, ID or type.`,
        next: 'Check them in the service with `fleetform get devices`.',
      };
  }
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
  titles: { added: 'not in the documents', removed: 'not in this import', changed: 'differs' },
  counts: {
    changed: (count: number): string => `${grouped(count)} ${count === 1 ? 'differs' : 'differ'}`,
    added: (count: number): string => `${grouped(count)} not in the documents`,
    removed: (count: number): string => `${grouped(count)} not in this import`,
  },
  moreDiffer: (count: number): string => `... and ${grouped(count)} more. \`--all\` lists each.`,
  plan: (columns: string): string => `The next plan of all documents: ${columns}.`,
  afterWriting: (folder: string): string =>
    `Review ${folder}/, run \`fleetform validate\` and \`fleetform plan\`, then commit.`,
  afterTrying: 'Run the same command without `--dry-run`.',
  afterDiffering:
    'Copy the + lines into the documents. Keep a `-` entry if another file selects its devices. `fleetform plan` shows what apply would change.',
  same: 'The documents describe the fleet. There is nothing to do.',
} as const;
