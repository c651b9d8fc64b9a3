import type { Counts, DeviceLabel } from '../plan/plan.gen.ts';
import type { ColumnCounts } from '../plan/actor.ts';
import type { QuotedText } from '../documents/quoted.ts';
import type { SourceLocation } from '../documents/source.ts';

/** The sections that `import` writes, in the order of its files. */
export const ADOPTED_SECTIONS = [
  'sites',
  'windows',
  'groups',
  'firmware',
  'rotations',
  'onboarding',
] as const;
export type AdoptedSection = (typeof ADOPTED_SECTIONS)[number];

/** The fields of an entry that an import decides; any other is a person's, and no difference. */
export const DECIDED_FIELDS: Readonly<Record<AdoptedSection, readonly string[]>> = {
  sites: ['timeZone'],
  windows: [],
  groups: ['select', 'devices'],
  firmware: ['select', 'minVersion', 'priority'],
  rotations: ['task', 'select', 'maxAge', 'renewBefore'],
  onboarding: ['devices'],
};

/** A value as it is written in YAML. */
export type WrittenValue = string | number | boolean | readonly WrittenValue[] | WrittenFields;
export interface WrittenFields {
  readonly [key: string]: WrittenValue;
}

/** One entry that describes a part of the fleet as it is. */
export interface AdoptedEntry {
  readonly section: AdoptedSection;
  readonly name: string;
  readonly fields: WrittenFields;
  /** The devices of a group by site, with the names that stand beside them. */
  readonly listed?: readonly AdoptedDevice[];
  /** A value of it is no fact of the fleet: a person is asked to check it. */
  readonly isGuess?: boolean;
  /** Written as a comment, because it would start tasks. */
  readonly isProposal?: boolean;
}

/** A device of a list: its ID decides, the rest is for the reader. */
export type AdoptedDevice = Pick<DeviceLabel, 'id' | 'name' | 'site'>;

/** What `import` cannot decide, or leaves out, and a person has to know. */
export type AdoptNotice =
  /** Windows of its devices open only once the documents have its time zone. */
  | { readonly code: 'siteWithoutZone'; readonly site: string; readonly at?: SourceLocation }
  /** Devices that no policy selects; `names` has vendors or types of which all are left out for that. */
  | {
      readonly code: 'leftOut';
      readonly what: AdoptSubject;
      readonly why: LeftOutWhy;
      readonly devices: number;
      readonly names: readonly string[];
    }
  /** A field that the task needs was not understood: these devices are left out. `key` of the dialect is for it. */
  | {
      readonly code: 'fieldUnreadable';
      readonly what: AdoptSubject;
      readonly field: string;
      readonly devices: number;
      readonly key?: string;
    }
  /** An existing policy selects them already. */
  | {
      readonly code: 'covered';
      readonly policy: string;
      readonly what: AdoptSubject;
      readonly devices: number;
    }
  /** A field that was not understood on these devices, of which none is left out for that. */
  | {
      readonly code: 'unreadable';
      readonly field: string;
      readonly devices: number;
      readonly key?: string;
    }
  /** The service returned the devices inconsistently, so some may be missing. */
  | { readonly code: 'torn' }
  /** Devices that are discovered, ready to onboard, and not managed. */
  | { readonly code: 'notOnboarded'; readonly devices: number; readonly isListed: boolean };

/** Why no policy of an import selects a device. */
export type LeftOutWhy =
  | 'notOffered'
  | 'single'
  | 'noOrder'
  | 'noVersion'
  | 'notExpressible'
  | 'due'
  | 'undated'
  | 'mostDue'
  | 'zone';

export type AdoptSubject = 'firmware' | 'passwords' | 'certificates';

/** An entry of the documents that differs from the fleet, or is missing; `before` is what is written now. */
export interface AdoptDifference {
  readonly section: AdoptedSection;
  readonly name: string;
  readonly at?: SourceLocation;
  /** The lines of the entry, without what looks like a secret. */
  readonly before?: QuotedText;
  readonly after?: QuotedText;
}

/** The result of an import. */
export interface Adoption {
  readonly organization: string;
  readonly devices: number;
  readonly sites: number;
  /** Documents to write, or written; the path is relative to the working directory. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly isWritten: boolean;
  readonly differences: readonly AdoptDifference[];
  readonly notices: readonly AdoptNotice[];
  /** How many entries of each section the fleet gives. */
  readonly entries: Readonly<Record<AdoptedSection, number>>;
  /** What the next plan of all documents does. */
  readonly next: Counts;
  /** The same changes and notes, by the columns of a plan. */
  readonly columns: ColumnCounts;
}
