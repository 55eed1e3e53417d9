import type { Signal } from './call-rules.ts';
import { isOfferIgnored } from './peer-rules.ts';

/** Perfect negotiation of session descriptions (WebRTC 1.0, section 10.7). */
export function createNegotiation({
  connection,
  polite,
  signal,
  onRemoteDescription,
}: {
  connection: RTCPeerConnection;
  polite: boolean;
  signal: (part: Partial<Signal>) => void;
  /** Called before an offer is answered. */
  onRemoteDescription: (type: RTCSdpType) => void;
}) {
  let makingOffer = false;
  let settingAnswer = false;
  let queue = Promise.resolve();

  connection.addEventListener('negotiationneeded', () => {
    void (async () => {
      try {
        makingOffer = true;
        await connection.setLocalDescription();
        if (connection.localDescription) signal({ description: connection.localDescription.toJSON() });
      } catch {
        // Closed meanwhile, or the other end's offer came first and gets an answer instead.
      } finally {
        makingOffer = false;
      }
    })();
  });

  const applyDescription = async (description: RTCSessionDescriptionInit) => {
    const { type } = description;
    const { signalingState } = connection;
    if (isOfferIgnored({ type, polite, makingOffer, settingAnswer, signalingState })) return;
    // Duplicate answer.
    if (type === 'answer' && signalingState !== 'have-local-offer') return;
    settingAnswer = type === 'answer';
    try {
      await connection.setRemoteDescription(description);
    } finally {
      settingAnswer = false;
    }
    onRemoteDescription(type);
    if (type !== 'offer') return;
    await connection.setLocalDescription();
    signal({ description: connection.localDescription!.toJSON() });
  };

  const addCandidates = async (candidates: RTCIceCandidateInit[]) => {
    for (const candidate of candidates) {
      try {
        await connection.addIceCandidate(candidate);
      } catch {
        // Candidate of an ignored offer or unsupported network.
      }
    }
  };

  const apply = async (before: Promise<void>, { description, candidates }: Signal) => {
    await before;
    try {
      if (description) await applyDescription(description);
      if (candidates) await addCandidates(candidates);
    } catch {
      // The connection is replaced after a while.
    }
  };

  return {
    /** Applies signals one after the other. */
    receive(incoming: Signal) {
      queue = apply(queue, incoming);
    },
    resendOffer() {
      if (connection.signalingState === 'have-local-offer')
        signal({ description: connection.localDescription!.toJSON() });
    },
  };
}
