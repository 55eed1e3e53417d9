import { m } from '#/texts/messages.js';

interface Question {
  id: string;
  question: string;
  answer: string;
}

/** FAQ category (client spec, section 2). */
interface FaqCategory {
  id: string;
  title: string;
  questions: readonly Question[];
}

interface About {
  cancellationDeadlineHours: number;
  guestBooking: boolean;
  services: readonly string[];
}

export function faqCategories({
  cancellationDeadlineHours,
  guestBooking,
  services,
}: About): readonly FaqCategory[] {
  return [
    {
      id: 'getting-started',
      title: m.faq_category_start(),
      questions: [
        {
          id: 'book',
          question: m.faq_start_book_q(),
          answer: guestBooking ? m.faq_start_book_guest_a() : m.faq_start_book_a(),
        },
        {
          id: 'account',
          question: m.faq_start_account_q(),
          answer: guestBooking ? m.faq_start_account_guest_a() : m.faq_start_account_a(),
        },
        { id: 'cost', question: m.faq_start_cost_q(), answer: m.faq_start_cost_a() },
        { id: 'cancel', question: m.faq_start_cancel_q(), answer: cancelAnswer(cancellationDeadlineHours) },
        { id: 'meet', question: m.faq_start_meet_q(), answer: m.faq_start_meet_a() },
      ],
    },
    {
      id: 'our-approach',
      title: m.faq_category_approach(),
      questions: [
        { id: 'faith', question: m.faq_approach_faith_q(), answer: m.faq_approach_faith_a() },
        { id: 'everyone', question: m.faq_approach_everyone_q(), answer: m.faq_approach_everyone_a() },
        { id: 'difference', question: m.faq_approach_difference_q(), answer: m.faq_approach_difference_a() },
        { id: 'treatment', question: m.faq_approach_replace_q(), answer: m.faq_approach_replace_a() },
        { id: 'crisis', question: m.faq_approach_crisis_q(), answer: m.faq_approach_crisis_a() },
      ],
    },
    {
      id: 'technical-privacy',
      title: m.faq_category_privacy(),
      questions: [
        { id: 'who-sees', question: m.faq_privacy_who_q(), answer: m.faq_privacy_who_a() },
        { id: 'mails', question: m.faq_privacy_mail_q(), answer: m.faq_privacy_mail_a() },
        { id: 'tracking', question: m.faq_privacy_track_q(), answer: m.faq_privacy_track_a() },
        { id: 'export', question: m.faq_privacy_export_q(), answer: m.faq_privacy_export_a() },
        { id: 'video', question: m.faq_privacy_video_q(), answer: m.faq_privacy_video_a() },
        { id: 'app', question: m.faq_privacy_phone_q(), answer: m.faq_privacy_phone_a() },
      ],
    },
    {
      id: 'services-specialists',
      title: m.faq_category_services(),
      questions: [
        {
          id: 'which',
          question: m.faq_services_which_q(),
          answer: m.faq_services_which_a({
            services: new Intl.ListFormat('en-US', { type: 'conjunction' }).format(services),
          }),
        },
        { id: 'listed', question: m.faq_services_listed_q(), answer: m.faq_services_listed_a() },
        { id: 'ratings', question: m.faq_services_rating_q(), answer: m.faq_services_rating_a() },
        { id: 'series', question: m.faq_services_series_q(), answer: m.faq_services_series_a() },
        { id: 'reminders', question: m.faq_services_remind_q(), answer: m.faq_services_remind_a() },
      ],
    },
  ];
}

/** Client spec, section 9, with the configured deadline. */
function cancelAnswer(hours: number): string {
  if (hours === 0) return m.faq_start_cancel_a_any();
  return m.faq_start_cancel_a({
    hours: m.faq_start_cancel_hours({ hours }),
  });
}
