import { expect, test } from 'vitest';
import { cameraLimitOf, isIceRestarted, isOfferIgnored } from './peer-rules.ts';

test('ignores a colliding offer only on the impolite end', () => {
  const offer = { type: 'offer', polite: false, makingOffer: false, settingAnswer: false } as const;
  expect(isOfferIgnored({ ...offer, signalingState: 'stable' })).toBe(false);
  expect(isOfferIgnored({ ...offer, signalingState: 'stable', makingOffer: true })).toBe(true);
  expect(isOfferIgnored({ ...offer, signalingState: 'have-local-offer' })).toBe(true);
  expect(isOfferIgnored({ ...offer, signalingState: 'have-local-offer', polite: true })).toBe(false);
});

test('accepts an offer while an answer is being applied, and never ignores an answer', () => {
  const signal = { polite: false, makingOffer: false, signalingState: 'have-local-offer' } as const;
  expect(isOfferIgnored({ ...signal, type: 'offer', settingAnswer: true })).toBe(false);
  expect(isOfferIgnored({ ...signal, type: 'answer', settingAnswer: false })).toBe(false);
});

test('restarts ICE only on the impolite end, after a connection was lost', () => {
  const lost = { polite: false, connected: false, everConnected: true, signalingState: 'stable' } as const;
  expect(isIceRestarted(lost)).toBe(true);
  expect(isIceRestarted({ ...lost, polite: true })).toBe(false);
  expect(isIceRestarted({ ...lost, connected: true })).toBe(false);
  expect(isIceRestarted({ ...lost, everConnected: false })).toBe(false);
  expect(isIceRestarted({ ...lost, signalingState: 'closed' })).toBe(false);
});

test('limits the camera more, the more connections share the bandwidth', () => {
  expect(cameraLimitOf(0)).toEqual({ maxBitrate: 1_800_000, scaleResolutionDownBy: 1 });
  expect(cameraLimitOf(2)).toEqual({ maxBitrate: 600_000, scaleResolutionDownBy: 1.5 });
  expect(cameraLimitOf(9)).toEqual({ maxBitrate: 300_000, scaleResolutionDownBy: 2 });
});
