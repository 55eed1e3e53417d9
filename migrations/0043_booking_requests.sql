-- A session that somebody without an account asks for. Nothing is held by it: the link in its mail books, once.
create table booking_requests (
  -- The idempotency key of its asking.
  id uuid primary key,
  -- SHA-256 of what is secret in the link, in hexadecimal digits; null until its mail is written.
  token_hash text unique,
  -- In lower case; gone with what was asked for once that is booked.
  email text,
  input jsonb,
  created_at timestamptz not null,
  -- Until when it can be booked.
  expires_at timestamptz not null,
  booking_id uuid unique references bookings on delete cascade,
  check (num_nonnulls(input, booking_id) = 1),
  check ((email is null) = (input is null))
);
create index booking_requests_email on booking_requests (email) where email is not null;
