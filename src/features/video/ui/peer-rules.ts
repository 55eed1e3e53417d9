/**
 * True if an incoming offer collides with an own one and is ignored: the polite peer rolls back instead (WebRTC 1.0,
 * section 10.7).
 */
export function isOfferIgnored({
  type,
  polite,
  makingOffer,
  settingAnswer,
  signalingState,
}: {
  type: RTCSdpType;
  polite: boolean;
  makingOffer: boolean;
  /** A remote answer is being applied, after which the state is stable. */
  settingAnswer: boolean;
  signalingState: RTCSignalingState;
}): boolean {
  const ready = !makingOffer && (signalingState === 'stable' || settingAnswer);
  return !polite && type === 'offer' && !ready;
}

/**
 * True if this end restarts ICE. Only the impolite end does: if both did, one would roll back its offer, after which
 * Chromium decodes the video but doesn't render it. The polite end triggers a restart by greeting.
 */
export function isIceRestarted({
  polite,
  connected,
  everConnected,
  signalingState,
}: {
  polite: boolean;
  connected: boolean;
  everConnected: boolean;
  signalingState: RTCSignalingState;
}): boolean {
  return !polite && !connected && everConnected && signalingState !== 'closed';
}

/** `maxBitrate` is in bits per second. */
export interface CameraLimit {
  maxBitrate: number;
  scaleResolutionDownBy: number;
}

/** By number of other connections. */
const cameraLimits: readonly CameraLimit[] = [
  { maxBitrate: 1_800_000, scaleResolutionDownBy: 1 },
  { maxBitrate: 900_000, scaleResolutionDownBy: 1 },
  { maxBitrate: 600_000, scaleResolutionDownBy: 1.5 },
  { maxBitrate: 400_000, scaleResolutionDownBy: 2 },
  { maxBitrate: 300_000, scaleResolutionDownBy: 2 },
];

/** Limits the camera: every peer gets a copy, and the total must fit a typical connection. */
export function cameraLimitOf(others: number): CameraLimit {
  return cameraLimits[Math.min(others, cameraLimits.length - 1)]!;
}
