import { computeOnce } from '../lib/compute-once.ts';
import { canonical, sha256, shortId, type Json } from '../lib/canonical.ts';
import type { Instant } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { DeviceRead } from '../model/fleet/snapshot.ts';

/** What facts are digests of; nothing else is one. */
export const FACT_KINDS = ['password', 'certificate', 'target'] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Why a read gave no value, where that concerns the device and not the service. */
export const FACT_PROBLEMS = ['unreadable', 'notFound', 'forbidden', 'failed'] as const;
export type FactProblem = (typeof FACT_PROBLEMS)[number];

export type FactValue =
  | {
      readonly is: 'password';
      readonly changed?: Instant;
      readonly oldest?: Instant;
      readonly expires?: Instant;
      /** The end that the list showed at the time of the read, if it is another: that of another user. */
      readonly listed?: Instant;
      readonly mark?: string;
    }
  | {
      readonly is: 'certificate';
      readonly notBefore?: Instant;
      readonly notAfter?: Instant;
      /** As of a password: that of another certificate. */
      readonly listed?: Instant;
      readonly mark?: string;
    }
  | { readonly is: 'none' }
  | { readonly is: 'versions'; readonly versions: readonly (readonly string[])[] }
  | {
      readonly is: 'problem';
      readonly problem: FactProblem;
      /** The first of the reads in a row that gave no value, if this is not the first. */
      readonly since?: Instant;
      /** It is read again by each run; never stored. */
      readonly again?: true;
    };

/** The result of one single read, with the instant at which it was sent. */
export interface Fact {
  readonly kind: FactKind;
  /** A device; or a vendor, model and version that share one answer. */
  readonly id: string;
  /** In whole seconds: a fact is never younger than what it shows (semantics N5). */
  readonly at: Instant;
  /** The version of the code and the dialect keys that understood the answer. */
  readonly reader: string;
  /** The identity that the device had; absent for an answer that devices share. */
  readonly who?: string;
  readonly value: FactValue;
  /** The earlier fact that this read contradicts, until a later read confirms it (semantics M25). */
  readonly contradicts?: Contradicted;
}

/** A fact that a read contradicts. */
export interface Contradicted {
  /** When it was read, as it says, and since when it had the credential. */
  readonly at: Instant;
  readonly from: Instant;
  /** When the first read contradicted it. */
  readonly since: Instant;
}

export const KIND_OF_READ: Readonly<Record<DeviceRead, FactKind>> = {
  passwords: 'password',
  certificates: 'certificate',
  targetFirmware: 'target',
};

/** A fact is found by this key; of several lines with one key the newest counts. */
export function factKey({ kind, id }: Pick<Fact, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Raised when a reader understands an answer in another way: its old facts are read again. */
const READER_VERSION = 1;

/** The dialect keys that decide how an answer is understood. */
export const READER_KEYS: Readonly<Record<FactKind, readonly DialectKey[]>> = {
  password: [
    'dateForm',
    'passwordEntryChangedField',
    'passwordEntryExpiryField',
    'passwordEntryUserField',
  ],
  certificate: [
    'certificateField',
    'certificateNotAfterField',
    'certificateNotBeforeField',
    'certificateTypeField',
    'certificateTypeSsl',
    'dateForm',
  ],
  target: [
    'targetFirmwareForm',
    'targetFirmwareListField',
    'targetFirmwarePathField',
    'targetFirmwareScope',
    'targetFirmwareVersionField',
  ],
};

/** Another dialect, or another version of our code, reads only its own kind again (semantics N5). */
export function readerDigest(kind: FactKind, dialect: Dialect): string {
  const keys = READER_KEYS[kind].map((key): [string, Json] => [key, dialect[key]]);
  return sha256(canonical([kind, READER_VERSION, keys])).slice(0, 12);
}

/** The identity of a device: an id that is given to another device does not inherit its facts. */
export function identityDigest(
  device: Pick<Device, 'vendor' | 'model' | 'deviceType' | 'firmwareVersion'>,
): string {
  const { vendor = null, model = null, deviceType = null, firmwareVersion = null } = device;
  return identityOf(canonical([vendor, model, deviceType, firmwareVersion]));
}

/** The id of an answer that all devices of a vendor, model and version share. */
export function targetId(vendor: string, model: string, version: string): string {
  return targetOf(canonical([vendor, model, version]));
}

/** Digests by their text: a fleet has few kinds of devices, and each run asks for all of them often. */
const MOST_DIGESTS = 16_384;
const identityOf = computeOnce((text: string) => sha256(text).slice(0, 8), MOST_DIGESTS);
const targetOf = computeOnce((text: string) => shortId(JSON.parse(text) as Json), MOST_DIGESTS);
