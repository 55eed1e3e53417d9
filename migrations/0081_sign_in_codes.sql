-- One per address: a new code replaces the one before. Rows of addresses without an account make their answers alike.
create table sign_in_codes (
  id uuid primary key,
  -- HMAC of the address.
  address text not null unique,
  user_id uuid references users on delete cascade,
  -- SHA-256 of what the browser that asked keeps in a cookie, base64url.
  device text not null unique,
  -- HMAC of the code; null until it is mailed.
  code text,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_codes_user on sign_in_codes (user_id);
create index sign_in_codes_expires_at on sign_in_codes (expires_at);

alter table site_settings add column sign_in_code boolean not null default true;
