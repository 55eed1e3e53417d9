-- Tokens with which other software uses the API for a person, within scopes.
create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- SHA-256 of the token, base64url.
  token text not null unique,
  scopes text[] not null,
  -- The role it was created in; it opens nothing in another.
  role text not null check (role in ('super_admin', 'doctor', 'pastor', 'client')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- To the minute.
  used_at timestamptz
);
create index api_tokens_user on api_tokens (user_id);
create index api_tokens_expires_at on api_tokens (expires_at);
