import { mergeFacts } from '../../facts/fact-lines.ts';
import {
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
 * real device, with the instant of that read. An assumed value is not a fact: runs read it first.
 */
export function cloneFacts(
  { state }: Clone,
  { devices, facts, takenAt }: Snapshot,
  { dialect, from }: { readonly dialect: Dialect; readonly from: Instant },
): readonly Fact[] {
  const all: Fact[] = [];
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
    const [account] = device.accounts;
    if (typeof passwords === 'object' && account) {
      const { lastChanged: changed, expiry: expires } = account;
      fact('passwords', 'password', device.id, { is: 'password', changed, expires });
    }
    if (typeof certificates === 'object' && device.ssl) {
      const { notBefore, notAfter } = device.ssl;
      fact('certificates', 'certificate', device.id, { is: 'certificate', notBefore, notAfter });
    } else if (certificates === 'none')
      fact('certificates', 'certificate', device.id, { is: 'none' });
    if (typeof targetFirmware !== 'object') continue;
    const { vendor, model, firmwareVersion: version } = device;
    const given = lines.get(`${vendor}\n${model}`)?.targets?.find((each) => each.from === version);
    const isShared = dialect.targetFirmwareScope === 'model';
    const id = isShared ? targetId(vendor, model, version) : device.id;
    fact('targetFirmware', 'target', id, { is: 'versions', versions: given?.paths ?? [] });
  }
  return all;
}
