-- Sign-in for other programs, such as a mobile app, under /auth/v1.

-- Keys that sign access tokens. The id is the token's `kid`; deleting a row ends what it signed.
create table program_keys (
  id uuid primary key,
  -- JWK, published.
  public_key text not null,
  -- JWK, sealed with ENCRYPTION_KEYS.
  sealed_private_key text not null,
  created_at timestamptz not null
);

-- What only programs' sessions have. Ends with its session, whatever ends that.
create table program_sessions (
  session_id uuid primary key references sessions on delete cascade,
  method text not null check (method in ('password', 'otp')),
  -- The second factor's last code; null without one.
  factor_at timestamptz
);

create table program_tokens (
  -- SHA-256 of the refresh token, base64url.
  token text primary key,
  session_id uuid not null references program_sessions on delete cascade,
  -- Null for the one that works.
  used_at timestamptz
);
create index program_tokens_session on program_tokens (session_id);

-- Sign-ins that wait for their second factor. They open nothing else.
create table program_sign_ins (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  method text not null check (method in ('password', 'otp')),
  -- SHA-256 of the password hash that matched; the sign-in ends when it changes.
  password text,
  -- The emailed code, not yet used up. No reference: a newer code gets the same row and another id.
  code_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index program_sign_ins_user on program_sign_ins (user_id);
create index program_sign_ins_expires_at on program_sign_ins (expires_at);
