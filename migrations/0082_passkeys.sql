create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Base64url, as all that follows from the authenticator.
  credential_id text not null unique,
  -- The account's name inside authenticators: random, and the same for all its passkeys.
  user_handle text not null,
  -- COSE.
  public_key text not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  -- Fixed by the authenticator: whether it may copy the key to other devices, and whether it has.
  backup_eligible boolean not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a browser or session was asked to sign, once.
create table passkey_challenges (
  -- SHA-256 of the challenge, base64url.
  challenge text primary key,
  -- SHA-256 of the purpose and of the browser's cookie or the session.
  holder text not null,
  -- For a new passkey.
  user_handle text,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- The passkey that opened the session; stays when that passkey is removed.
alter table sessions add column passkey_id uuid;

alter table site_settings add column passkeys boolean not null default true;
