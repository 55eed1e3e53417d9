import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';
import { sentFrames, tellPage } from '../../../../tests/components/socket.ts';
import type { RoomRefusal, SessionPage } from '#/features/video/contract.ts';

const minute = 60_000;
const recorded = recordedFor('client')['video.page'] as SessionPage;
const path = `/session/${recorded.appointmentId}`;
const title = page.getByRole('heading', { level: 1 });

function session(refused: RoomRefusal | null, minutes: number, changes: Partial<SessionPage> = {}) {
  const start = recordedAt('client').getTime() + minutes * minute;
  const at = (later: number) => new Date(start + later * minute).toISOString();
  return {
    'video.iceServers': [],
    'video.page': {
      ...recorded,
      startsAt: at(0),
      endsAt: at(60),
      opensAt: at(-10),
      closesAt: at(75),
      timeZone: 'America/Chicago',
      refusal: refused,
      ...changes,
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
  look('visible');
});

function look(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Makes camera and microphone fail until `mend` fixes one. */
function failingMedia(failure: string): { mend(part: 'audio' | 'video'): void } {
  const failing = new Set(['audio', 'video']);
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation((wanted = {}) => {
    if ((wanted.audio && failing.has('audio')) || (wanted.video && failing.has('video')))
      return Promise.reject(new DOMException('', failure));
    const streams = [
      ...(wanted.audio ? [new AudioContext().createMediaStreamDestination().stream] : []),
      ...(wanted.video ? [picture()] : []),
    ];
    return Promise.resolve(new MediaStream(streams.flatMap((stream) => stream.getTracks())));
  });
  // The browser reports never-requested permissions as `prompt`.
  vi.spyOn(navigator.permissions, 'query').mockImplementation(({ name }) =>
    Promise.resolve({
      state: failing.has((name as string) === 'camera' ? 'video' : 'audio') ? 'prompt' : 'granted',
    } as PermissionStatus),
  );
  return { mend: (part) => failing.delete(part) };
}

function enterRoom(): void {
  tellPage({
    type: 'room.here',
    id: recorded.appointmentId,
    data: { peerId: '01a20ca3-f05e-7568-adb7-8d555eca4108' },
  });
}

function picture(): MediaStream {
  const canvas = document.createElement('canvas');
  canvas.getContext('2d');
  return canvas.captureStream();
}

test('shows when it opens, counts down, and offers the calendar file', async () => {
  await openPage(path, { as: 'client', answers: session('early', 180) });
  await expect.element(title).toHaveTextContent('Your session isn’t open yet');
  await expect
    .element(
      page.getByText(/^You can join from \d?\d:\d\d [AP]M on Tuesday, November 24, 2026 \(Chicago time\)/),
    )
    .toBeVisible();
  await expect.element(page.getByRole('timer')).toHaveTextContent('Opens in 2 h 50 min');
  await expect.element(page.getByText(/^Stay on this page/)).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Save to my calendar' })).toBeVisible();
  await expect.element(page.getByText('with Dr. Sarah Whitfield')).toBeVisible();
  await expectFair('a room that isn’t open yet');
});

test('opens automatically for people already waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  failingMedia('NotFoundError');
  await openPage(path, { as: 'client', answers: session('early', 10.5) });
  await expect.element(page.getByRole('timer')).toHaveTextContent('Opens in less than a minute');
  await expect.element(page.getByText('Stay on this page. It opens automatically.')).toBeVisible();
  answer(session(null, 10.5));
  await expect
    .poll(() => {
      vi.advanceTimersByTime(10_000);
      return title.query()?.textContent;
    })
    .toBe('Check your camera and sound');
});

test('says that it isn’t confirmed yet, and who will confirm it', async () => {
  await openPage(path, { as: 'client', answers: session('unconfirmed', 180) });
  await expect.element(title).toHaveTextContent('This session isn’t confirmed yet');
  await expect
    .element(page.getByText(`We’ll let you know when ${recorded.provider.name} confirms it.`))
    .toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Your sessions' })).toBeVisible();
});

test('says that it was canceled, and links to booking another', async () => {
  await openPage(path, { as: 'client', answers: session('cancelled', 180) });
  await expect.element(title).toHaveTextContent('You can’t join this session');
  await page.getByRole('button', { name: 'Book again' }).click();
  await expect
    .element(page.getByRole('dialog', { name: 'Book Appointment' }))
    .toMatchTextContent(recorded.provider.name);
});

test('says that it is over or has ended', async () => {
  await openPage(path, { as: 'client', answers: session('over', -80) });
  await expect.element(title).toHaveTextContent('This session is over');
  await expectFair('a session that is over');
  await openPage(path, { as: 'client', answers: session('ended', -80) });
  await expect.element(title).toHaveTextContent('This session has ended');
});

test('says that video is currently switched off', async () => {
  await openPage(path, { as: 'client', answers: { 'video.page': refusal(404, 'not_found', 'feature_off') } });
  await expect.element(title).toHaveTextContent('Video is currently off');
  await expect.element(page.getByText(/^Your session is still on\. Agree on another way/)).toBeVisible();
  await expectFair('a room while video is switched off');
});

test('asks a guest to sign in', async () => {
  await openPage(path);
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

for (const { failure, both, camera } of [
  {
    failure: 'NotAllowedError',
    both: 'Camera and microphone access is blocked',
    camera: 'Camera access is blocked',
  },
  {
    failure: 'NotFoundError',
    both: 'No camera or microphone found',
    camera: 'No camera found',
  },
  {
    failure: 'NotReadableError',
    both: 'Your camera and microphone are in use elsewhere',
    camera: 'Your camera is in use elsewhere',
  },
])
  test(`explains a camera and microphone failure (${failure}), and lets people join without them`, async () => {
    const { mend } = failingMedia(failure);
    await openPage(path, { as: 'client', answers: session(null, 5) });
    await expect.element(page.getByText(both)).toBeVisible();
    await expect.element(page.getByText('You can join without a camera or microphone')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Join session' })).toBeEnabled();
    await expectFair(`the device check after ${failure}`);
    const again = (told: string) =>
      page.getByRole('status').filter({ hasText: told }).getByRole('button', { name: 'Try again' });
    mend('audio');
    await again(both).click();
    await expect.element(page.getByText(camera)).toBeVisible();
    await expect.element(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
    mend('video');
    await again(camera).click();
    await expect.element(page.getByText(camera)).not.toBeInTheDocument();
    await expect.poll(() => document.querySelector('main video')).not.toBeNull();
  });

test('blurs the background, or says that the browser can’t', async () => {
  const { mend } = failingMedia('NotFoundError');
  mend('audio');
  mend('video');
  await openPage(path, { as: 'client', answers: session(null, 5) });
  await expect.element(page.getByText('This browser or camera can’t blur your background.')).toBeVisible();
  let blurred = false;
  // Fake cameras lack background blur, so the test stubs it.
  const { prototype } = MediaStreamTrack;
  vi.spyOn(prototype, 'getCapabilities').mockReturnValue({ backgroundBlur: [true, false] });
  vi.spyOn(prototype, 'getSettings').mockImplementation(() => ({ backgroundBlur: blurred }));
  vi.spyOn(prototype, 'applyConstraints').mockImplementation((wanted) => {
    blurred = (wanted as { backgroundBlur: { ideal: boolean } }).backgroundBlur.ideal;
    return Promise.resolve();
  });
  await openPage(path, { as: 'client', answers: session(null, 5) });
  const blur = page.getByRole('switch', { name: 'Blur my background' });
  await blur.click();
  await expect.element(blur).toBeChecked();
  await blur.click();
  await expect.element(blur).not.toBeChecked();
});

test('requests the previously chosen microphone', async () => {
  const { mend } = failingMedia('NotFoundError');
  mend('audio');
  mend('video');
  localStorage.setItem(
    'italk-devices',
    JSON.stringify({ microphone: 'headset', camera: null, speaker: null }),
  );
  await openPage(path, { as: 'client', answers: session(null, 5) });
  const asked = () =>
    vi.mocked(navigator.mediaDevices.getUserMedia).mock.calls.map(([wanted]) => wanted?.audio);
  await expect.poll(asked).toContainEqual(expect.objectContaining({ deviceId: { ideal: 'headset' } }));
});

test('offers a relay that hides the IP address, and saves the choice on the device', async () => {
  failingMedia('NotFoundError');
  const answers = {
    ...session(null, 5),
    'video.iceServers': [{ urls: ['turn:relay.example:3478'], username: 'a', credential: 'b' }],
  };
  await openPage(path, { as: 'client', answers });
  const hide = page.getByRole('switch', { name: 'Hide my network address' });
  await expect.element(hide).not.toBeChecked();
  await hide.click();
  await expectFair('the choice to hide one’s address');
  await openPage(path, { as: 'client', answers });
  await expect.element(hide).toBeChecked();
});

test('waits for admission, even behind another window, and can leave', async () => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  failingMedia('NotFoundError');
  const room = { admitted: false, providerHere: false, peers: [] };
  await openPage(path, { as: 'client', answers: { ...session(null, 5), 'video.room': room } });
  await page.getByRole('button', { name: 'Join session' }).click();
  enterRoom();
  await expect.element(title).toHaveTextContent('You’re in the waiting room');
  const { name } = recorded.provider;
  await expect
    .element(page.getByText(`${name} isn’t here yet and will let you in when they arrive.`))
    .toBeVisible();
  await expectFair('the waiting room');
  look('hidden');
  for (const _ of [1, 2]) {
    const asked = askedFor('video.room').length;
    vi.advanceTimersByTime(15_000);
    await expect.poll(() => askedFor('video.room').length).toBeGreaterThan(asked);
  }
  look('visible');
  answer({ 'video.room': { ...room, providerHere: true } });
  tellPage({ type: 'room.changed', id: recorded.appointmentId });
  await expect.element(page.getByText(`${name} knows you’re here and will let you in.`)).toBeVisible();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect.element(title).toHaveTextContent('You left the session');
  await expectFair('a session that was left');
});

test('keeps an unsent chat message while the chat is closed', async () => {
  failingMedia('NotFoundError');
  const room = { admitted: true, providerHere: true, peers: [] };
  await openPage(path, { as: 'client', answers: { ...session(null, 5), 'video.room': room } });
  await page.getByRole('button', { name: 'Join session' }).click();
  enterRoom();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const message = page.getByLabelText('Message everyone here');
  const render = vi.spyOn(Document.prototype, 'fullscreenEnabled', 'get');
  await userEvent.type(message, 'The door code is');
  await expect.element(message).toHaveValue('The door code is');
  expect(render.mock.calls.length, 'renders of the whole call').toBeLessThan(5);
  await page.getByRole('button', { name: 'People', exact: true }).click();
  await expect.element(message).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await expect.element(message).toHaveValue('The door code is');
});

test('keeps camera and microphone off for people let in from the waiting room', async () => {
  const { mend } = failingMedia('NotFoundError');
  mend('audio');
  mend('video');
  const room = { admitted: false, providerHere: true, peers: [] };
  const { promise, resolve } = Promise.withResolvers<void>();
  await openPage(path, { as: 'client', answers: { ...session(null, 5), 'video.room': room } });
  const camera = page.getByRole('button', { name: 'Camera' });
  const microphone = page.getByRole('button', { name: 'Microphone' });
  await expect.element(camera).toHaveAttribute('aria-pressed', 'true');
  await camera.click();
  await microphone.click();
  await page.getByRole('button', { name: 'Join session' }).click();
  enterRoom();
  await expect.element(title).toHaveTextContent('You’re in the waiting room');
  answer({
    'video.room': { ...room, admitted: true },
    'video.iceServers': async () => {
      await promise;
      return [];
    },
  });
  const { getUserMedia } = navigator.mediaDevices;
  const requests = vi.mocked(getUserMedia).mock.calls.length;
  tellPage({ type: 'room.changed', id: recorded.appointmentId });
  await expect.element(title).not.toHaveTextContent('You’re in the waiting room');
  resolve();
  await expect.element(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await expect.element(camera).toHaveAttribute('aria-pressed', 'false');
  await expect.element(microphone).toHaveAttribute('aria-pressed', 'false');
  expect(vi.mocked(getUserMedia).mock.calls).toHaveLength(requests);
});

test('leaves the room if joining fails, so that nobody sees the person waiting', async () => {
  failingMedia('NotFoundError');
  const room = { admitted: true, providerHere: true, peers: [] };
  await openPage(path, {
    as: 'client',
    answers: { ...session(null, 5), 'video.room': room, 'video.iceServers': refusal(503, 'unavailable') },
  });
  await page.getByRole('button', { name: 'Join session' }).click();
  enterRoom();
  await expect.element(page.getByText('Check your connection and try again.')).toBeVisible();
  expect(sentFrames.at(-1)).toEqual({ type: 'room.leave', appointmentId: recorded.appointmentId });
});

test('lists an expected person who has the same name as someone present', async () => {
  failingMedia('NotFoundError');
  const [here, expected] = [
    '01a20ca3-f05e-7568-adb7-8d555eca4101',
    '01a20ca3-f05e-7568-adb7-8d555eca4102',
  ] as const;
  const name = 'Ruth Brooks';
  const others = [here, expected].map((personId) => ({ personId, name, part: 'guest' as const }));
  const peer = {
    peerId: '01a20ca3-f05e-7568-adb7-8d555eca4109',
    personId: here,
    name,
    part: 'guest',
    waiting: false,
  };
  const room = { admitted: true, providerHere: false, peers: [peer] };
  await openPage(path, { as: 'client', answers: { ...session(null, 5, { others }), 'video.room': room } });
  await page.getByRole('button', { name: 'Join session' }).click();
  enterRoom();
  await page.getByRole('button', { name: 'People', exact: true }).click();
  await expect.element(page.getByRole('listitem').filter({ hasText: name })).toHaveLength(2);
});
