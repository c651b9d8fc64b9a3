import { refused, succeeding, type Program, type Situation } from './task-program.ts';

/**
 * Plans a reboot: the device is offline for a moment, and a stuck probe recovers. The switch
 * power-cycles a dark device.
 */
export function planRestart({ device, random }: Situation): Program {
  if (device.condition === 'dead') {
    return refused('checkDevice', 'neither the device nor its switch answers');
  }
  const isDark = device.condition === 'dark';
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: isDark ? 'powerOff' : 'sendRestart', seconds: 4, onEnd: [{ do: 'silence' }] },
    {
      name: isDark ? 'powerOn' : 'waitForBoot',
      seconds: random.between(45, 90),
      onEnd: [{ do: 'return' }, { do: 'heal' }],
    },
    { name: 'checkProbes', seconds: random.between(5, 10) },
  ]);
}
