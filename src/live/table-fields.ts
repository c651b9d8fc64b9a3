import type { Device, Ref } from '../model/fleet/device.ts';
import type { CodedColumn } from '../model/fleet/snapshot.ts';
import type { ListedColumns, InstantField, SharedField } from '../model/fleet/rows.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import { type Interned, internBy, internTexts } from '../lib/intern.ts';
import { internTraits, refsKey, type Traits } from './device-traits.ts';

/** One field of all devices while a table is built. */
export interface TableField<C> {
  add(device: Device): void;
  /** Adds the devices of a page: a value that several of them share is looked at once. */
  addPage(page: ListedColumns): void;
  /** The finished column, its rows in the given order. */
  column(order: Uint32Array): C;
}

/** The fields of a table, without a row. */
export function startTableFields() {
  return {
    id: idField(),
    name: nameField(),
    vendor: codedField('vendor', internTexts()),
    model: codedField('model', internTexts()),
    deviceType: codedField('deviceType', internTexts()),
    firmwareVersion: codedField('firmwareVersion', internTexts()),
    status: codedField('status', internTexts()),
    storageServer: codedField('storageServer', internTexts()),
    sites: codedField('sites', internRefs()),
    sources: codedField('sources', internRefs()),
    unreadable: codedField('unreadable', internBy<readonly string[]>([], JSON.stringify)),
    traits: traitsField(),
    lastSeen: instantField('lastSeen'),
    passwordExpiresAt: instantField('passwordExpiresAt'),
    passwordChangedAt: instantField('passwordChangedAt'),
    sslCertificateExpiresAt: instantField('sslCertificateExpiresAt'),
    dot1xCertificateExpiresAt: instantField('dot1xCertificateExpiresAt'),
    lastHardenedAt: instantField('lastHardenedAt'),
  };
}

function internRefs(): Interned<readonly Ref[]> {
  return internBy<readonly Ref[]>([], computeOnce(refsKey));
}

/** A field with few distinct values. An empty list is the same as none. */
function codedField<
  K extends SharedField,
  T extends NonNullable<Device[K]> & (string | readonly unknown[]),
>(name: K, interned: Interned<T>): TableField<CodedColumn<T>> {
  const codes = growingCodes();
  const codeOf = (value: Device[K]): number =>
    interned.codeOf(Array.isArray(value) && value.length === 0 ? undefined : (value as T));
  return {
    add: (device) => codes.push(codeOf(device[name])),
    addPage({ shared }) {
      const { values, codes: own } = shared[name];
      codes.pushAll(
        own,
        Uint32Array.from(values, (value) => codeOf(value as Device[K])),
      );
    },
    column: (order) => ({ values: interned.values, codes: codes.inOrder(order) }),
  };
}

/** Names: nearly as many values as devices, but those that are equal have one code. */
function nameField(): TableField<CodedColumn<string>> {
  const { values, codeOf } = internTexts();
  const codes = growingCodes();
  return {
    add: ({ name }) => codes.push(codeOf(name)),
    addPage({ names }) {
      for (const name of names) codes.push(codeOf(name));
    },
    column: (order) => ({ values, codes: codes.inOrder(order) }),
  };
}

function traitsField(): TableField<CodedColumn<Traits>> {
  const { values, codeOf, codesIn } = internTraits();
  const codes = growingCodes();
  return {
    add: (device) => codes.push(codeOf(device)),
    addPage: (page) => codes.pushAll(codesIn(page)),
    column: (order) => ({ values, codes: codes.inOrder(order) }),
  };
}

/** IDs: a table has each once, so they are not interned. */
function idField(): TableField<CodedColumn<string>> {
  const values = [''];
  return {
    add: ({ id }) => void values.push(id),
    addPage({ ids }) {
      for (const id of ids) values.push(id);
    },
    column: (order) => ({ values, codes: order.map((row) => row + 1) }),
  };
}

/** A field with an instant, which few devices share. */
function instantField(name: InstantField): TableField<Float64Array> {
  const held = growingInstants();
  return {
    add: (device) => held.push(device[name] ?? Number.NaN),
    addPage: ({ instants }) => held.pushAll(instants[name]),
    column: (order) => held.inOrder(order),
  };
}
