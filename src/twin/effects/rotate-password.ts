import { succeeding, type Program, type Situation } from './task-program.ts';

/** Plans a new password for every account of the device, which updates last change and expiry. */
export function planPasswordRotation({ random }: Situation): Program {
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: 'generatePassword', seconds: 1 },
    { name: 'setPassword', seconds: random.between(3, 8), onEnd: [{ do: 'password' }] },
    { name: 'verifyLogin', seconds: random.between(2, 4) },
    { name: 'updateDeviceSources', seconds: random.between(3, 6) },
  ]);
}
