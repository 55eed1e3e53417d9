-- Reasons, and what somebody without an account asks for, are sealed with ENCRYPTION_KEYS. As with profiles, the program seals
-- what is here in the clear.
alter table appointments
  add column sealed_cancel_reason text,
  add column sealed_moved_reason text,
  add check (not expired or sealed_cancel_reason is null);
create index appointments_in_clear on appointments (id)
  where cancel_reason is not null or moved_reason is not null;

alter table booking_requests
  -- JSON; gone once it is booked.
  add column sealed_input text,
  drop constraint booking_requests_check,
  drop constraint booking_requests_check1,
  add constraint booking_requests_asked check (
    num_nonnulls(input, booking_id) = 1 and sealed_input is null
    or num_nonnulls(sealed_input, booking_id) = 1 and input is null),
  add constraint booking_requests_address check ((email is null) = (input is null and sealed_input is null));
