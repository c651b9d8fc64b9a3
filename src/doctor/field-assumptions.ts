import type { ValueKind } from './inventory.ts';
import type { DialectKey } from '../model/fleet/dialect.ts';

/** Other possible paths of a member, judged by its name and its values. */
export interface FieldAssumption {
  readonly key: Extract<DialectKey, `${string}Field`>;
  readonly wants: ValueKind;
  /** All of these match the path of the member, in lower case and without separators. */
  readonly like: readonly RegExp[];
  /** This does not. */
  readonly unlike?: RegExp;
  /** The words that the service documents for it; a member with no other words, and more than one, is taken at any path. */
  readonly words?: readonly string[];
}

const EXPIRES = /expir|validto|validuntil|notafter|enddate/;
const CHANGED = /chang|rotat|modif|updat/;
const SSL = /ssl|tls|https/;
const DOT1X = /dot1x|8021x|eap/;
const STATE = /status|state|complian/;
const LIFE_CYCLE = ['current_product', 'eol', 'eos', 'unknown'];

/** Fields that devices got over time. */
export const DEVICE_FIELDS: readonly FieldAssumption[] = [
  { key: 'onboardingDateField', wants: 'date', like: [/onboard|enrol/] },
  { key: 'lastHardenedField', wants: 'date', like: [/harden/] },
  { key: 'recordingStatusField', wants: 'text', like: [/record/, STATE] },
  {
    key: 'storageServerField',
    wants: 'text',
    like: [/storage|recorder|archiver|nvr/],
    unlike: /status|state/,
  },
  { key: 'patchedFirmwareVersionField', wants: 'version', like: [/patched|fixedfirm|fixedver/] },
  { key: 'orphanedField', wants: 'flag', like: [/orphan/] },
  { key: 'vulnerabilitySeverityField', wants: 'text', like: [/severity/] },
  {
    key: 'suggestedFirmwareVersionField',
    wants: 'version',
    like: [/suggest|recommend/, /firmware|version/],
  },
  { key: 'suggestedReplacementModelField', wants: 'text', like: [/replace|successor/] },
  { key: 'passwordExpiryField', wants: 'date', like: [/password/, EXPIRES] },
  { key: 'passwordLastChangedField', wants: 'date', like: [/password/, CHANGED] },
  { key: 'sslCertificateExpiryField', wants: 'date', like: [SSL, EXPIRES] },
  { key: 'sslCertificateStatusField', wants: 'text', like: [SSL, STATE] },
  { key: 'dot1xCertificateExpiryField', wants: 'date', like: [DOT1X, EXPIRES] },
  { key: 'dot1xCertificateStatusField', wants: 'text', like: [DOT1X, STATE] },
  { key: 'lifeCycleField', wants: 'text', like: [/lifecycle/, STATE], words: LIFE_CYCLE },
  { key: 'supportEndField', wants: 'date', like: [/eos|endofs|supportend/] },
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
