-- A session that nobody answered until its start is cancelled by a job; it has neither who cancelled it nor a reason.
alter table appointments
  add expired boolean not null default false,
  add check (not expired or (status = 'cancelled' and cancelled_by is null and cancel_reason is null));
-- What the job that looks for them each minute reads.
create index appointments_unanswered on appointments (starts_at) where status = 'pending';

-- A client who waits for an earlier time with a provider: to move an appointment that they have, or to book one.
create table waits (
  id uuid primary key,
  client_id uuid not null references users,
  provider_id uuid not null references providers,
  service_id text not null references services,
  -- What is moved once a time is taken; null: a time that is taken is booked, and then stands here.
  appointment_id uuid references appointments,
  duration_minutes smallint not null check (duration_minutes between 15 and 240),
  session_type text not null check (session_type in ('online', 'phone', 'in-person')),
  -- The wishes: the last date, ISO weekdays and parts of the day, all by the clock of the client's zone.
  until_date date not null,
  weekdays integer[] not null check (weekdays <> '{}' and weekdays <@ '{1,2,3,4,5,6,7}'),
  day_parts text[] not null check (day_parts <> '{}' and day_parts <@ '{morning,afternoon,evening}'),
  time_zone text not null,
  state text not null check (state in ('waiting', 'taken', 'given_up', 'over')),
  -- The place in the line.
  asked_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (ended_at is null)),
  check (state <> 'taken' or appointment_id is not null)
);
create unique index waits_one_of_appointment on waits (appointment_id) where state = 'waiting';
create unique index waits_one_of_service on waits (client_id, provider_id, service_id)
  where state = 'waiting' and appointment_id is null;
create index waits_line on waits (provider_id, asked_at, id) where state = 'waiting';
create index waits_client on waits (client_id);
create index waits_ended on waits (ended_at) where state <> 'waiting';

-- A time that opened, as it was offered to one who waits. It holds nothing: whoever takes the time first has it.
create table wait_offers (
  id uuid primary key,
  wait_id uuid not null references waits on delete cascade,
  starts_at timestamptz not null,
  offered_at timestamptz not null,
  -- Until then nobody else who waits is offered this time.
  deadline timestamptz not null,
  -- 'gone': not free any more; 'passed': the client would rather have another.
  state text not null check (state in ('open', 'taken', 'gone', 'passed'))
);
create unique index wait_offers_one_open on wait_offers (wait_id) where state = 'open';
create index wait_offers_wait on wait_offers (wait_id);
