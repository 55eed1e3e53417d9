/** Milliseconds over which ICE candidates are batched. */
const batchTime = 60;

/** Sends local ICE candidates in batches. Until there is a recipient, they are held back for the next `send`. */
export function createCandidateBatch({
  connection,
  hasRecipient,
  signal,
}: {
  connection: RTCPeerConnection;
  hasRecipient: () => boolean;
  signal: (candidates: RTCIceCandidateInit[]) => void;
}) {
  let candidates: RTCIceCandidateInit[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (candidates.length === 0 || !hasRecipient()) return;
    signal(candidates);
    candidates = [];
  };

  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate) return;
    candidates.push(candidate.toJSON());
    timer ??= setTimeout(send, batchTime);
  });

  return { send, stop: () => clearTimeout(timer) };
}
