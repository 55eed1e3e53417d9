-- Finds a booking that its provider repeats.
create index bookings_key on bookings (idempotency_key);
