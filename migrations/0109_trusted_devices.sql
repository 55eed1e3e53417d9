-- Until then, a second step isn't asked for on the device. The user agent names it in the list.
alter table known_devices add column trusted_until timestamptz;
alter table known_devices add column user_agent text;
