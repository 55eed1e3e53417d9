import { MapPin, Phone, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionType } from '#/features/providers/contract.ts';

export const sessionTypeIcons: Readonly<Record<SessionType, ReactNode>> = {
  online: <Video aria-hidden />,
  phone: <Phone aria-hidden />,
  'in-person': <MapPin aria-hidden />,
};
