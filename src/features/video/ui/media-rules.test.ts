import { expect, test } from 'vitest';
import { constraintsOf, problemOf } from './media-rules.ts';

const devices = { microphone: [], camera: [{ deviceId: 'front' } as MediaDeviceInfo], speaker: [] };
const chosen = { microphone: null, camera: null, speaker: null };

test('requests the chosen device exactly if it is present, and any other otherwise', () => {
  expect(constraintsOf('microphone', { chosen, devices }, false)).toEqual({});
  expect(constraintsOf('camera', { devices, chosen: { ...chosen, camera: 'front' } }, false)).toMatchObject({
    deviceId: { exact: 'front' },
  });
  expect(
    constraintsOf('camera', { devices, chosen: { ...chosen, camera: 'unplugged' } }, false),
  ).toMatchObject({
    deviceId: { ideal: 'unplugged' },
  });
});

test('requests blur for the camera only', () => {
  const blurred = { backgroundBlur: { ideal: true } };
  expect(constraintsOf('camera', { chosen, devices }, true)).toMatchObject(blurred);
  expect(constraintsOf('camera', { chosen, devices }, false)).not.toHaveProperty('backgroundBlur');
  expect(constraintsOf('microphone', { chosen, devices }, true)).toEqual({});
});

test.each([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['TypeError', 'failed'],
])('maps %s to %s', (name, problem) => expect(problemOf(new DOMException('', name))).toBe(problem));
