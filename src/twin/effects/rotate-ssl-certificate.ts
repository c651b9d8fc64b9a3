import { succeeding, type Program, type Situation } from './task-program.ts';

/**
 * Plans a new key and certificate with a new fingerprint and validity. The restart of the web
 * server clears a stuck probe.
 */
export function planCertificateRotation({ random }: Situation): Program {
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: 'createSigningRequest', seconds: random.between(3, 8) },
    { name: 'signCertificate', seconds: 2 },
    {
      name: 'installCertificate',
      seconds: random.between(5, 10),
      onEnd: [{ do: 'certificate' }],
    },
    { name: 'restartWebServer', seconds: random.between(5, 15), onEnd: [{ do: 'unstick' }] },
    { name: 'verifyCertificate', seconds: 3 },
  ]);
}
