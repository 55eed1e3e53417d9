import { m } from '#/texts/messages.js';

/** Days a deletion can be canceled. */
export const graceDays = 14;

export interface RetainedPeriods {
  what: () => string;
  why: () => string;
  /** Retained columns by table; the others are erased. */
  tables: Readonly<Record<string, readonly string[]>>;
}

/** Single source for retained data, read by the dialog, the documentation and the test. */
export const kept: readonly RetainedPeriods[] = [
  {
    what: m.accounts_kept_care,
    why: m.accounts_kept_care_why,
    tables: {
      bookings: ['id', 'client_id', 'idempotency_key', 'recurrence', 'created_at'],
      appointments: [
        'id',
        'booking_id',
        'client_id',
        'provider_id',
        'service_id',
        'status',
        'kind',
        'session_type',
        'starts_at',
        'ends_at',
        'local_date',
        'price_cents',
      ],
      participants: ['appointment_id', 'person_id', 'starts_at', 'ends_at'],
    },
  },
  {
    what: m.accounts_kept_messages,
    why: m.accounts_kept_messages_why,
    tables: {
      conversations: ['id', 'client_id', 'provider_id', 'opened_at', 'last_seq', 'last_at'],
      messages: ['id', 'conversation_id', 'seq', 'client_id', 'provider_id', 'from_client', 'sent_at'],
    },
  },
  {
    what: m.accounts_kept_works,
    why: m.accounts_kept_works_why,
    tables: {
      resources: [
        'id',
        'title',
        'description',
        'body',
        'url',
        'file_id',
        'file_name',
        'file_type',
        'cover_id',
        'search',
      ],
      resource_words: ['word', 'traces'],
    },
  },
  {
    what: m.accounts_kept_audit,
    why: m.accounts_kept_audit_why,
    tables: {
      audit_entries: [
        'id',
        'at',
        'actor_id',
        'actor_name',
        'action',
        'category',
        'subject_kind',
        'subject_id',
        'details',
        'request_id',
        'kind',
      ],
      audit_actors: ['actor_id', 'first_at', 'last_at'],
    },
  },
  {
    what: m.accounts_kept_number,
    why: m.accounts_kept_number_why,
    tables: { users: ['id', 'created_at'], profiles: ['id', 'created_at', 'erased_at'] },
  },
];
