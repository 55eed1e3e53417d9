import { afterEach, expect, test, vi } from 'vitest';
import { createOwnMedia } from './own-media.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function grantMedia(delay: () => Promise<void> = () => Promise.resolve()): void {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async (wanted = {}) => {
    await delay();
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    const streams = [
      ...(wanted.audio ? [new AudioContext().createMediaStreamDestination().stream] : []),
      ...(wanted.video ? [canvas.captureStream()] : []),
    ];
    return new MediaStream(streams.flatMap((stream) => stream.getTracks()));
  });
}

test('sends sound again after a call that ended muted', async () => {
  grantMedia();
  const media = createOwnMedia();
  await media.start();
  await media.turn('microphone', false);
  media.stop();
  await media.start();
  expect(media.view().on.microphone).toBe(true);
  expect(media.view().microphone?.enabled).toBe(true);
  media.stop();
});

test('keeps a camera off that was turned off while another one started', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isSlow = false;
  grantMedia(() => (isSlow ? promise : Promise.resolve()));
  const media = createOwnMedia();
  await media.start();
  isSlow = true;
  const chosen = media.choose('camera', 'another');
  await media.turn('camera', false);
  resolve();
  await chosen;
  expect(media.view().camera).toBe(null);
  expect(media.view().on.camera).toBe(false);
  media.stop();
});

test('starts the chosen camera in place of an unplugged one', async () => {
  grantMedia();
  const media = createOwnMedia();
  await media.start();
  const { camera } = media.view();
  camera!.dispatchEvent(new Event('ended'));
  expect(media.view().camera).toBe(null);
  await media.choose('camera', 'another');
  expect(media.view().camera).not.toBe(null);
  expect(media.view().problems.camera).toBe(null);
  media.stop();
});

test('drops a camera’s problem once the camera is turned off', async () => {
  grantMedia();
  const media = createOwnMedia();
  await media.start();
  media.view().camera!.dispatchEvent(new Event('ended'));
  expect(media.view().problems.camera).toBe('missing');
  await media.turn('camera', false);
  expect(media.view().problems.camera).toBe(null);
  media.stop();
});
