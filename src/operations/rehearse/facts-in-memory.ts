import { createFactReaders } from '../../api/decode/facts.ts';
import { isFault } from '../../api/decode/fault.ts';
import { mergeFacts } from '../../facts/fact-lines.ts';
import { toFactValue } from '../../facts/fact-values.ts';
import {
  KIND_OF_READ,
  factKey,
  identityDigest,
  readerDigest,
  targetId,
  type Fact,
  type FactValue,
} from '../../facts/fact.ts';
import type { Instant } from '../../lib/time.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { DeviceRead, Snapshot } from '../../model/fleet/snapshot.ts';
import type { Clone } from '../../rehearse/clone.ts';
import type { FactStores } from '../../store/store.ts';
import type { Fields } from '../../twin/dialect/dialect.ts';
import { encodeCredentials } from '../../twin/dialect/encode-answer.ts';
import { certificatesOnWire, passwordsOnWire } from '../../twin/http/wire.ts';

export function factsInMemory(before: readonly Fact[]): FactStores {
  let facts: ReadonlyMap<string, Fact> = new Map(before.map((fact) => [factKey(fact), fact]));
  return {
    local: {
      place: 'memory',
      read: () => Promise.resolve({ facts, dropped: 0 }),
      write(more, compact) {
        const left = compact(mergeFacts(facts.values(), more).values());
        facts = new Map([...left].map((fact) => [factKey(fact), fact]));
        return Promise.resolve(undefined);
      },
    },
  };
}

/**
 * The facts of earlier runs about single devices of the clone: one for each value that was read of the
 * real device, with the instant of that read, as the clone answers it: with the mark that a last look
 * finds again. An assumed value is not a fact: runs read it first.
 */
export function cloneFacts(
  { state }: Clone,
  { devices, facts, takenAt }: Snapshot,
  { dialect, from }: { readonly dialect: Dialect; readonly from: Instant },
): readonly Fact[] {
  const all: Fact[] = [];
  const readers = createFactReaders(dialect);
  const lines = new Map(state.lines.map((line) => [`${line.vendor}\n${line.models[0]}`, line]));
  const readAt = (known: Instant | undefined): Instant => Math.min(known ?? takenAt, from - 1_000);
  const seconds = (at: Instant): Instant => Math.floor(at / 1_000) * 1_000;
  for (const device of state.devices) {
    const row = devices.rowOf(device.id);
    if (row === undefined) continue;
    const who = identityDigest(devices.at(row));
    const { knownAt, passwords, certificates, targetFirmware } = facts(device.id);
    const fact = (read: DeviceRead, kind: Fact['kind'], id: string, value: FactValue): void => {
      const at = seconds(readAt(knownAt?.[read]));
      const reader = readerDigest(kind, dialect);
      all.push({ kind, id, at, reader, value, ...(id === device.id && { who }) });
    };
    const credential = (of: 'passwords' | 'certificates', wire: Fields): void => {
      const read = readers[of](encodeCredentials(of, wire, dialect));
      const value = isFault(read) ? undefined : toFactValue(device.id, read);
      if (value) fact(of, KIND_OF_READ[of], device.id, value);
    };
    if (typeof passwords === 'object' && device.accounts.length > 0)
      credential('passwords', passwordsOnWire(device));
    if (certificates === 'none' || (typeof certificates === 'object' && device.ssl))
      credential('certificates', certificatesOnWire(device));
    if (typeof targetFirmware !== 'object') continue;
    const { vendor, model, firmwareVersion: version } = device;
    const given = lines.get(`${vendor}\n${model}`)?.targets?.find((each) => each.from === version);
    const isShared = dialect.targetFirmwareScope === 'model';
    const id = isShared ? targetId(vendor, model, version) : device.id;
    fact('targetFirmware', 'target', id, { is: 'versions', versions: given?.paths ?? [] });
  }
  return all;
}
