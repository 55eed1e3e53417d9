-- A second step at sign-in: a secret that an authenticator app shares, sealed, and codes on paper for when it is lost.
create table second_factors (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  secret text not null,
  -- The counter of the last code that was accepted, so that each works once (RFC 6238, section 5.2).
  last_counter bigint not null default 0,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  created_at timestamptz not null
);

create table backup_codes (
  id uuid primary key,
  factor_id uuid not null references second_factors on delete cascade,
  digest text not null,
  used_at timestamptz,
  unique (factor_id, digest)
);
