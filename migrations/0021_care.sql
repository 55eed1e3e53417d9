-- By it a provider's clients are found one by one, however many sessions each of them had.
create index appointments_provider_client on appointments (provider_id, client_id, starts_at);

-- What a client lets one of their counsellors see; without a row, nothing.
create table shares (
  client_id uuid not null references users on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  -- Focus areas and tradition, as the client's profile tells them.
  profile boolean not null,
  goals boolean not null,
  progress boolean not null,
  changed_at timestamptz not null,
  primary key (client_id, provider_id)
);
create index shares_provider on shares (provider_id);

-- The record of care: by a provider about a client, or about one session with them. Sealed with ENCRYPTION_KEYS.
create table session_notes (
  id uuid primary key,
  provider_id uuid not null references providers on delete cascade,
  client_id uuid not null references users on delete cascade,
  appointment_id uuid references appointments on delete cascade,
  text text not null,
  written_at timestamptz not null,
  -- When its words were changed last; null as long as they are the first.
  changed_at timestamptz
);
create index session_notes_client on session_notes (provider_id, client_id, written_at desc, id desc);
create index session_notes_about on session_notes (client_id);
create index session_notes_appointment on session_notes (appointment_id) where appointment_id is not null;

-- Psychotherapy and pastoral notes: for their author alone, kept apart and sealed with PRIVATE_NOTES_KEYS.
create table private_notes (
  id uuid primary key,
  provider_id uuid not null references providers on delete cascade,
  client_id uuid not null references users on delete cascade,
  appointment_id uuid references appointments on delete cascade,
  text text not null,
  written_at timestamptz not null,
  changed_at timestamptz
);
create index private_notes_client on private_notes (provider_id, client_id, written_at desc, id desc);
create index private_notes_about on private_notes (client_id);
create index private_notes_appointment on private_notes (appointment_id) where appointment_id is not null;
