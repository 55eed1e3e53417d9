-- What an administrator has set for other lengths than the service's own, as [{"minutes", "priceCents"}]; a length that isn't
-- named costs in proportion to the service's own.
alter table services add column length_prices jsonb not null default '[]';
