import type { ReactNode } from 'react';
import type { Role } from '#/kernel/actor.ts';
import type { SessionType } from '#/features/providers/contract.ts';

export interface BookingStart {
  providerId?: string;
  serviceId?: string;
  startsAt?: string;
  durationMinutes?: number;
  sessionType?: SessionType;
  /** The dialog's other choices, as it wrote them. */
  choices?: string;
  asGuest?: boolean;
  /** Stays out of the address. */
  phone?: string | undefined;
  /** Preselected; the dialog offers to change it. */
  usual?: { providerId: string; serviceId: string };
}

/** Numbered so new dialogs never inherit earlier state. */
export interface Opening extends BookingStart {
  opening: number;
  asGuest: boolean;
}

/** Props of the booking dialog. */
export interface OpenedProps {
  role: Role | null;
  refusal: ReactNode;
  start: Opening;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const sessionTypes: readonly SessionType[] = ['online', 'phone', 'in-person'];

export function readAddress(search: string): BookingStart | null {
  const params = new URLSearchParams(search);
  if (!params.has('book')) return null;
  const startsAt = params.get('start') ?? '';
  const durationMinutes = Number(params.get('minutes'));
  return {
    providerId: params.get('book') || undefined,
    serviceId: params.get('service') || undefined,
    startsAt: Number.isNaN(Date.parse(startsAt)) ? undefined : startsAt,
    durationMinutes: Number.isInteger(durationMinutes) && durationMinutes > 0 ? durationMinutes : undefined,
    sessionType: sessionTypes.find((one) => one === params.get('meet')),
    choices: params.get('choices') || undefined,
    asGuest: params.has('guest'),
  };
}

/**
 * Keeps the pending booking in the URL, so that the verification email and a reload return to it. Bypasses the router
 * since the page stays the same.
 */
export function writeAddress(start: BookingStart | null): void {
  const url = new URL(window.location.href);
  const values = {
    book: start && (start.providerId ?? ''),
    service: start?.serviceId,
    start: start?.startsAt,
    minutes: start?.durationMinutes,
    meet: start?.sessionType,
    choices: start?.choices,
    guest: start?.asGuest || null,
  };
  for (const [name, value] of Object.entries(values)) {
    url.searchParams.delete(name);
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, '', url);
}
