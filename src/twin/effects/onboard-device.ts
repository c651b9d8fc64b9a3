import { refused, succeeding, type Program, type Situation } from './task-program.ts';

/** Plans how a discovered device becomes managed, with a new password and certificate. */
export function planOnboarding({ discovered, random }: Situation): Program {
  if (discovered === undefined) {
    return refused('checkDiscovered', 'the device is managed already');
  }
  if (discovered.onboardingStatus !== 'readyToOnboard') {
    return refused('checkDiscovered', `onboarding status is ${discovered.onboardingStatus}`);
  }
  return succeeding([
    { name: 'checkDiscovered', seconds: 2 },
    { name: 'connect', seconds: random.between(5, 15) },
    { name: 'readDevice', seconds: random.between(5, 10) },
    { name: 'setPassword', seconds: random.between(3, 8) },
    { name: 'enrol', seconds: random.between(5, 15), onEnd: [{ do: 'manage' }] },
    { name: 'firstPoll', seconds: random.between(5, 10) },
  ]);
}
