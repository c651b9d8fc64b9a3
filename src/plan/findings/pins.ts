import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { ExceptionOf } from '../../model/documents/exception.ts';
import type { FirmwarePolicy } from '../../model/documents/policy.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { compareVersions } from '../../lib/version-order.ts';
import type { Desired, Wanted } from '../../model/plan/desired-state.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports pins that keep a device below the `minVersion` of its policy without accepting that risk
 * (semantics L-pinBelowFloor): one error per pin and policy, with the number of devices. The rules
 * of the device's vendor decide how versions compare.
 */
export function pinsBelowFloor(
  { snapshot }: Pick<PlannerInput, 'snapshot'>,
  { wants }: Desired,
): readonly Diagnostic[] {
  const { values, codes } = snapshot.devices.text.vendor;
  const found = new Map<
    string,
    { readonly sides: Sides; readonly device: string; count: number }
  >();
  for (const { row, wanted } of wants.where(({ exemption }) => exemption.pin !== undefined)) {
    const sides = toSides(wanted);
    if (!sides) continue;
    const { pin, policy } = sides;
    const vendor = values[codes[row] ?? 0];
    const order = compareVersions(
      vendor,
      pin.value.version,
      policy.value.minVersion,
      policy.value.order,
    );
    if (order === undefined || order >= 0) continue;
    const key = `${pin.name} ${policy.value.address}`;
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { sides, device: snapshot.devices.at(row).id, count: 1 });
  }
  return [...found.values()].map(({ sides, device, count }) => tooLow(sides, { device, count }));
}

/** A pin that may not go below the floor, and the policy with that floor. */
interface Sides {
  readonly pin: Sourced<ExceptionOf<'pin'>>;
  readonly policy: Sourced<FirmwarePolicy & { readonly minVersion: string }>;
}

function toSides({ exemption: { pin }, policy }: Wanted): Sides | undefined {
  const { value } = policy;
  if (!pin || pin.value.acceptsRisk || value.section !== 'firmware') return undefined;
  const { minVersion } = value;
  if (minVersion === undefined) return undefined;
  return { pin, policy: { ...policy, value: { ...value, minVersion } } };
}

function tooLow({ pin, policy }: Sides, example: Diagnostic['params']): Diagnostic {
  return {
    code: 'pinBelowFloor',
    severity: 'error',
    at: locateValue(pin, '/version'),
    params: {
      exception: `exceptions.${pin.name}`,
      policy: policy.value.address,
      version: pin.value.version,
      minVersion: policy.value.minVersion,
      ...example,
    },
    related: [locateValue(policy, '/minVersion')],
  };
}
