-- One request of a client: a single session or a whole series, stored whole or not at all.
create table bookings (
  id uuid primary key,
  client_id uuid not null references users,
  idempotency_key uuid not null,
  -- SHA-256 of the request, so that a key used again for something else is refused.
  fingerprint text not null,
  recurrence text not null check (recurrence in ('one_time', 'weekly', 'biweekly')),
  created_at timestamptz not null,
  unique (client_id, idempotency_key)
);

create table appointments (
  id uuid primary key,
  booking_id uuid not null references bookings,
  series_index smallint not null check (series_index >= 1),
  series_count smallint not null check (series_count between 1 and 12),
  client_id uuid not null references users,
  provider_id uuid not null references providers,
  service_id text not null references services,
  status text not null check (status in ('pending', 'confirmed', 'completed', 'cancelled', 'no_show')),
  kind text not null check (kind in ('consultation', 'follow-up', 'emergency')),
  session_type text not null check (session_type in ('online', 'phone', 'in-person')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- End plus buffer: a computed buffer can't stand in an exclusion index.
  blocked_until timestamptz not null,
  -- The date of the start in the provider's zone, for the daily maximum.
  local_date date not null,
  price_cents integer not null check (price_cents >= 0),
  contact_name text not null,
  contact_email text not null,
  contact_phone text,
  client_time_zone text not null,
  -- RFC 5545 SEQUENCE: rises with every change that calendars must see.
  sequence integer not null default 0,
  reminder_minutes integer not null check (reminder_minutes in (15, 60, 1440, 2880, 10080)),
  cancelled_by uuid references users,
  cancel_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (starts_at < ends_at and ends_at <= blocked_until),
  constraint appointments_no_overlap exclude using gist
    (provider_id with =, tstzrange(starts_at, blocked_until) with &&)
    where (status in ('pending', 'confirmed'))
);
create index appointments_provider_start on appointments (provider_id, starts_at);
create index appointments_client_start on appointments (client_id, starts_at);
create index appointments_day on appointments (provider_id, local_date) where status <> 'cancelled';
create index appointments_booking on appointments (booking_id);

-- Whoever takes part holds the time; `held` follows the appointment's status in the same transaction.
create table participants (
  appointment_id uuid not null references appointments on delete cascade,
  person_id uuid not null references users,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  held boolean not null,
  primary key (appointment_id, person_id),
  constraint participants_no_overlap exclude using gist
    (person_id with =, tstzrange(starts_at, ends_at) with &&) where (held)
);

-- A reminder that is due is a row; its job is only the alarm clock.
create table reminders (
  id uuid primary key,
  appointment_id uuid not null references appointments on delete cascade,
  person_id uuid not null references users,
  -- 'own': chosen in the dialog; 'site': the site's reminderTime, for both parties.
  kind text not null check (kind in ('own', 'site')),
  due_at timestamptz not null,
  sent_at timestamptz,
  unique (appointment_id, person_id, kind)
);
