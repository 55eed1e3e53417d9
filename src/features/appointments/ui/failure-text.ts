import { priceText } from '#/features/catalogue/rules.ts';
import type { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { deadlineText } from '#/web/times.ts';
import { chooseByFailure, isRefusal, type FailureNotice } from '#/web/failures.ts';
import type { StartRefusal } from '../appointment/contract.ts';
import type { MoveRefusal } from '../series/rules.ts';

export interface About {
  name: string;
  /** Lead time. */
  noticeHours?: number;
  /** An existing appointment, left unchanged. */
  existing?: boolean;
  /** Several sessions of a series, all left unchanged. */
  series?: boolean;
  /** From an emailed link, without a form. */
  byLink?: boolean;
}

type Say = (about: About) => FailureNotice;

const startTexts: Readonly<Record<StartRefusal, Say>> = {
  past: () => ({ title: m.booking_problem_past(), text: m.booking_problem_choose_later() }),
  too_little_notice: ({ noticeHours }) => ({
    title: noticeHours
      ? m.booking_problem_notice_time({ time: m.booking_hours({ hours: noticeHours }) })
      : m.booking_problem_notice(),
    text: m.booking_problem_choose_later(),
  }),
  too_far_ahead: () => ({ title: m.booking_problem_far(), text: m.booking_problem_choose_day() }),
  unaligned: () => ({ title: m.booking_problem_unaligned(), text: m.booking_problem_choose() }),
  outside_hours: ({ name }) => ({
    title: m.booking_problem_hours({ name }),
    text: m.booking_problem_choose(),
  }),
  day_full: ({ name }) => ({
    title: m.booking_problem_day_full({ name }),
    text: m.booking_problem_choose_day(),
  }),
  slot_taken: () => ({ title: m.booking_problem_taken(), text: m.booking_problem_choose() }),
  skipped_time: () => ({ title: m.booking_problem_skipped(), text: m.booking_problem_choose() }),
  own_clash: () => ({ title: m.booking_problem_own(), text: m.booking_problem_own_text() }),
};

const clashTexts: Readonly<Record<MoveRefusal, (about: About) => string>> = {
  past: () => m.booking_clash_past(),
  too_little_notice: () => m.booking_clash_notice(),
  too_far_ahead: () => m.booking_clash_far(),
  unaligned: () => m.booking_clash_unaligned(),
  outside_hours: ({ name }) => m.booking_clash_hours({ name }),
  day_full: ({ name }) => m.booking_clash_day_full({ name }),
  slot_taken: () => m.booking_clash_taken(),
  skipped_time: () => m.booking_clash_skipped(),
  own_clash: () => m.booking_clash_own(),
  not_free: () => m.booking_clash_not_all_free(),
};

const waitOver: Say = () => ({
  title: m.booking_problem_wait_over(),
  text: m.booking_problem_wait_over_text(),
});

const newClientLimit: Say = () => ({
  title: m.booking_problem_many_people(),
  text: m.booking_problem_many_people_text(),
});

const approvalChanged: Say = () => ({
  title: m.approval_title(),
  text: m.approval_changed_already(),
});

const otherTexts: Readonly<Record<string, Say>> = {
  not_offered: ({ name }) => ({
    title: m.booking_problem_not_offered({ name }),
    text: m.booking_problem_not_offered_text(),
  }),
  feature_off: () => ({ title: m.booking_problem_video_off(), text: m.booking_problem_video_off_text() }),
  specialist: () => ({ title: m.booking_problem_unlisted(), text: m.booking_problem_unlisted_text() }),
  yourself: () => ({ title: m.booking_problem_yourself(), text: m.booking_problem_unlisted_text() }),
  appointment: () => ({ title: m.booking_problem_gone(), text: m.booking_problem_look_again() }),
  free_already: () => ({
    title: m.booking_problem_free_already(),
    text: m.booking_problem_free_already_text(),
  }),
  too_many_sessions: () => ({
    title: m.booking_problem_many_sessions(),
    text: m.booking_problem_many_sessions_text(),
  }),
  too_many_today: () => ({
    title: m.booking_problem_many_today(),
    text: m.booking_problem_many_today_text(),
  }),
  too_many_waits: () => ({
    title: m.booking_problem_many_waits(),
    text: m.booking_problem_many_waits_text(),
  }),
  wait: waitOver,
  offer: waitOver,
  wait_over: waitOver,
  offer_taken: () => ({ title: m.booking_problem_offer_taken(), text: m.booking_problem_offer_taken_text() }),
  guest_booking_off: () => ({
    title: m.booking_problem_guests_off(),
    text: m.booking_problem_guests_off_text(),
  }),
  too_many_requests: () => ({
    title: m.booking_problem_many_links(),
    text: m.booking_problem_many_links_text(),
  }),
  too_many_clients: newClientLimit,
  too_many_invitations: newClientLimit,
  account_suspended: () => ({
    title: m.booking_problem_suspended(),
    text: m.booking_problem_suspended_text(),
  }),
  license_expired: () => ({ title: m.practice_license_ended(), text: m.booking_problem_license_text() }),
  already_revoked: approvalChanged,
  not_revoked: approvalChanged,
  sessions_changed: () => ({ title: m.approval_revoke_failed(), text: m.handover_changed() }),
  reassign_taken: () => ({ title: m.approval_revoke_failed(), text: m.handover_taken() }),
  client: () => ({ title: m.booking_problem_client(), text: m.booking_problem_client_text() }),
  // A guest may be busy; don't reveal who.
  not_free: ({ existing }) =>
    existing
      ? { title: m.booking_problem_not_all_free(), text: m.booking_problem_choose() }
      : { title: m.booking_problem_not_free(), text: m.booking_problem_not_free_text() },
  changed_meanwhile: () => ({
    title: m.booking_problem_series_changed(),
    text: m.booking_problem_series_changed_text(),
  }),
  wrong_status: () => ({ title: m.booking_problem_changed(), text: m.booking_problem_look_again() }),
  deadline_passed: ({ name }) => ({
    title: m.booking_problem_deadline(),
    text: m.booking_problem_deadline_text({ name }),
  }),
  already_started: () => ({ title: m.booking_problem_started(), text: m.booking_problem_look_again() }),
  not_started: () => ({ title: m.booking_problem_not_started(), text: m.booking_problem_not_started_text() }),
};

export function appointmentFailure(error: unknown, about: About): FailureNotice {
  if (!isRefusal(error)) {
    const title = chooseByFailure(error, {
      unreachable: m.web_unreachable_title,
      other: m.web_did_not_work,
    });
    const text = chooseByFailure(error, { unreachable: m.web_check_connection, other: m.web_failed });
    return { title, text: `${text} ${m.web_entries_kept()} ${m.booking_problem_not_twice()}` };
  }
  if (error.reason === 'idempotency_key_reused') {
    return { title: m.booking_problem_went_through(), text: m.booking_problem_went_through_text() };
  }
  const { title, text } = refusalText(error, about);
  return { title, text: `${safeText(about)} ${text}` };
}

function safeText({ existing, series, byLink }: About): string {
  if (series) return m.booking_safe_series();
  if (existing) return m.booking_safe_existing();
  return byLink ? m.booking_safe_by_link() : m.booking_safe();
}

function refusalText({ code, reason, data }: AppError, about: About): FailureNotice {
  if (reason === 'price_changed')
    return {
      title: m.booking_problem_price({ price: priceText(Number(data.priceCents)) }),
      text: m.booking_problem_price_text(),
    };
  if (reason === 'address_held')
    return {
      title: m.booking_problem_held(),
      text: m.booking_problem_held_text({ until: deadlineText(String(data.until)) }),
    };
  if (reason === 'address_changed')
    return { title: m.booking_problem_address_changed(), text: m.booking_problem_address_changed_text() };
  if (isStartRefusal(reason)) return startTexts[reason](about);
  const other = Object.hasOwn(otherTexts, reason) ? otherTexts[reason] : undefined;
  if (other) return other(about);
  if (code === 'unauthenticated')
    return { title: m.booking_problem_signed_out(), text: m.booking_problem_signed_out_text() };
  if (code === 'rate_limited')
    return { title: m.booking_problem_rate(), text: m.booking_problem_rate_text() };
  if (code === 'invalid')
    return { title: m.booking_problem_invalid(), text: m.booking_problem_invalid_text() };
  return { title: m.web_did_not_work(), text: m.web_in_a_moment() };
}

export function clashText(refusal: MoveRefusal, about: About): string {
  return clashTexts[refusal](about);
}

export function offeredStarts(error: unknown): string[] {
  const offered: unknown = isRefusal(error) ? error.data.nextFreeStarts : null;
  return Array.isArray(offered) ? offered.filter((start) => typeof start === 'string') : [];
}

function isStartRefusal(reason: string): reason is StartRefusal {
  return Object.hasOwn(startTexts, reason);
}
