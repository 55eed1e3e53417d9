-- Accounts at OpenID Connect providers that sign in to an account here.
create table linked_identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The provider's id in OIDC_PROVIDERS, for its label.
  provider text not null,
  issuer text not null,
  subject text not null,
  -- The address at the provider, as it last said.
  email text,
  created_at timestamptz not null,
  used_at timestamptz,
  unique (issuer, subject),
  unique (user_id, issuer)
);

-- People on their way through a provider. Proven columns are null until it has answered.
create table openid_requests (
  -- SHA-256 of the state, base64url.
  state text primary key,
  -- SHA-256 of the purpose and of the browser's cookie or the session.
  holder text not null,
  provider text not null,
  -- The page after sign-in.
  next text not null,
  answered_at timestamptz,
  issuer text,
  subject text,
  email text,
  email_verified boolean not null default false,
  name text,
  expires_at timestamptz not null
);
create index openid_requests_expires_at on openid_requests (expires_at);

-- The linked identity that opened the session; stays when that is disconnected.
alter table sessions add column identity_id uuid;
