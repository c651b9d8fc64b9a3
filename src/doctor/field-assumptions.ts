import type { ValueKind } from './inventory.ts';
import { DEVICE, EXPIRES, type DeviceField } from '../model/fleet/device.ts';
import type { DialectKey } from '../model/fleet/dialect.ts';

/** Other possible paths of a member, judged by its name and its values. */
export interface FieldAssumption {
  readonly key: Extract<DialectKey, `${string}Field`>;
  readonly wants: ValueKind;
  /** All of these match the path of the member, in lower case and without separators. */
  readonly like: readonly RegExp[];
  readonly unlike?: RegExp;
  /** The words that the service documents for it; a member with no other words, and more than one, is taken at any path. */
  readonly words?: readonly string[];
}

const KIND_OF: Readonly<Partial<Record<DeviceField['type'], ValueKind>>> = {
  text: 'text',
  ownText: 'text',
  flag: 'flag',
  instant: 'date',
};

/** Fields that devices got over time: those of the table that may be at another path, and the day of onboarding, which only `get` shows. */
export const DEVICE_FIELDS: readonly FieldAssumption[] = [
  { key: 'onboardingDateField', wants: 'date', like: [/onboard|enrol/] },
  ...Object.values<DeviceField>(DEVICE).flatMap(
    ({ key, type, like, unlike, isVersion, words }): readonly FieldAssumption[] => {
      const wants = isVersion ? 'version' : KIND_OF[type];
      if (!key || !like || !wants) return [];
      return [{ key, wants, like, ...(unlike && { unlike }), ...(words && { words }) }];
    },
  ),
];

export const DISCOVERED_FIELDS: readonly FieldAssumption[] = [
  { key: 'discoveredNameField', wants: 'text', like: [/name|label/], unlike: /site|source|vendor/ },
  { key: 'discoveredModelField', wants: 'text', like: [/model|product/] },
  { key: 'discoveredSerialField', wants: 'text', like: [/serial/] },
  {
    key: 'discoveredTimeField',
    wants: 'date',
    like: [/discover|found|firstseen|detected|reported/],
  },
];

export const PASSWORD_FIELDS: readonly FieldAssumption[] = [
  { key: 'passwordEntryChangedField', wants: 'date', like: [/chang|rotat|modif|updat|lastset/] },
  { key: 'passwordEntryExpiryField', wants: 'date', like: [EXPIRES] },
  { key: 'passwordEntryUserField', wants: 'text', like: [/user|account|login/] },
];

export const CERTIFICATE_FIELDS: readonly FieldAssumption[] = [
  { key: 'certificateTypeField', wants: 'text', like: [/type|kind|usage|purpose/] },
  { key: 'certificateField', wants: 'certificate', like: [/./] },
  {
    key: 'certificateNotBeforeField',
    wants: 'date',
    like: [/before|from|start|issued|created/],
  },
  { key: 'certificateNotAfterField', wants: 'date', like: [/after|until|validto|expir|end/] },
];

export const TARGET_FIELDS: readonly FieldAssumption[] = [
  {
    key: 'targetFirmwareVersionField',
    wants: 'version',
    like: [/version|firmware|target|release/],
  },
  { key: 'targetFirmwarePathField', wants: 'list', like: [/path|hops|steps|via|versions|chain/] },
];

export const FIRMWARE_PATH_FIELDS: readonly FieldAssumption[] = [
  { key: 'firmwarePathVendorField', wants: 'text', like: [/vendor|manufacturer|make|brand/] },
  { key: 'firmwarePathModelField', wants: 'text', like: [/model|product|devicetype/] },
  { key: 'firmwarePathFromField', wants: 'version', like: [/from|source|current|base/] },
  {
    key: 'firmwarePathToField',
    wants: 'version',
    like: [/to$|toversion|target|destination|final/],
  },
  { key: 'firmwarePathHopsField', wants: 'list', like: [/path|hops|steps|via|versions|chain/] },
];

export const STEP_FIELDS: readonly FieldAssumption[] = [
  { key: 'stepNameField', wants: 'text', like: [/name|title|step$/] },
  { key: 'stepStatusField', wants: 'text', like: [/status|state|result/] },
  { key: 'stepMessageField', wants: 'text', like: [/message|error|detail|reason/] },
  { key: 'stepStartField', wants: 'date', like: [/start|begin|began/] },
  { key: 'stepEndField', wants: 'date', like: [/end|finish|complete/] },
];
