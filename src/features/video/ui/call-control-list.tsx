import {
  Maximize,
  MessageSquare,
  Mic,
  MicOff,
  Minimize,
  MonitorUp,
  MonitorX,
  OctagonX,
  Phone,
  PhoneOff,
  PictureInPicture2,
  Settings2,
  Users,
  Video,
  VideoOff,
} from 'lucide-react';
import type { RefObject } from 'react';
import { m } from '#/texts/messages.js';
import type { Control } from './call-controls.tsx';
import type { CallPanel } from './call-panel.ts';
import type { OwnMediaView, Part } from './own-media-view.ts';

type ButtonRef = RefObject<HTMLButtonElement | null>;

/** Visible on every screen size. */
export function mainControls({
  on,
  panel,
  unread,
  chatButton,
  onToggleTrack,
  onToggleChat,
}: {
  on: OwnMediaView['on'];
  panel: CallPanel | null;
  unread: number;
  chatButton: ButtonRef;
  onToggleTrack: (part: Part) => void;
  onToggleChat: () => void;
}): Control[] {
  return [
    {
      id: 'microphone',
      label: m.video_microphone(),
      icon: on.microphone ? <Mic aria-hidden /> : <MicOff aria-hidden />,
      pressed: on.microphone,
      tone: on.microphone ? undefined : 'off',
      onPress: () => onToggleTrack('microphone'),
    },
    {
      id: 'camera',
      label: m.video_camera(),
      icon: on.camera ? <Video aria-hidden /> : <VideoOff aria-hidden />,
      pressed: on.camera,
      tone: on.camera ? undefined : 'off',
      onPress: () => onToggleTrack('camera'),
    },
    {
      id: 'chat',
      label: m.video_chat(),
      icon: <MessageSquare aria-hidden />,
      pressed: panel === 'chat',
      note: unread > 0 ? m.web_count_new({ count: unread }) : undefined,
      tone: unread > 0 ? 'news' : undefined,
      onPress: onToggleChat,
      ref: chatButton,
    },
  ];
}

interface Toggle {
  on: boolean;
  turn: () => void;
}

/** The controls that phones show in a menu. Null removes one that isn't available. */
export function moreControls({
  screen,
  panel,
  waiting,
  peopleButton,
  fullScreen,
  floating,
  onTogglePeople,
  onDevices,
  onPhone,
  onEnd,
}: {
  screen: Toggle | null;
  panel: CallPanel | null;
  /** Number of people in the waiting room. */
  waiting: number;
  peopleButton: ButtonRef;
  fullScreen: Toggle | null;
  floating: Toggle | null;
  onTogglePeople: () => void;
  onDevices: () => void;
  onPhone: () => void;
  onEnd: (() => void) | null;
}): Control[] {
  const controls: (Control | null)[] = [
    screen && {
      id: 'screen',
      label: screen.on ? m.video_stop_sharing() : m.video_share(),
      icon: screen.on ? <MonitorX aria-hidden /> : <MonitorUp aria-hidden />,
      onPress: screen.turn,
    },
    {
      id: 'people',
      label: m.video_people(),
      icon: <Users aria-hidden />,
      pressed: panel === 'people',
      note: waiting > 0 ? m.web_count_waiting({ count: waiting }) : undefined,
      onPress: onTogglePeople,
      ref: peopleButton,
    },
    fullScreen && {
      id: 'full',
      label: m.video_full_screen(),
      icon: fullScreen.on ? <Minimize aria-hidden /> : <Maximize aria-hidden />,
      pressed: fullScreen.on,
      onPress: fullScreen.turn,
    },
    floating && {
      id: 'floating',
      label: m.video_floating(),
      icon: <PictureInPicture2 aria-hidden />,
      pressed: floating.on,
      onPress: floating.turn,
    },
    { id: 'devices', label: m.video_devices(), icon: <Settings2 aria-hidden />, onPress: onDevices },
    { id: 'phone', label: m.video_phone(), icon: <Phone aria-hidden />, onPress: onPhone },
    onEnd && { id: 'end', label: m.video_end(), icon: <OctagonX aria-hidden />, onPress: onEnd },
  ];
  return controls.filter((control) => control !== null);
}

export function leaveControl(onLeave: () => void): Control {
  return {
    id: 'leave',
    label: m.video_leave(),
    icon: <PhoneOff aria-hidden />,
    tone: 'leave',
    onPress: onLeave,
  };
}
