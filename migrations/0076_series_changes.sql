-- A change of several sessions of a series, by the key that makes a repeated request one change.
create table series_changes (
  person_id uuid not null references users,
  idempotency_key uuid not null,
  -- SHA-256 of the request, so that a key used again for something else is refused.
  fingerprint text not null,
  created_at timestamptz not null,
  primary key (person_id, idempotency_key)
);
create index series_changes_created on series_changes (created_at);
