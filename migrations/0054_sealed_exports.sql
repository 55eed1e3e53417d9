-- Archives with everything that an account holds lie on the disk encrypted from now on.
update buckets set sealed = true where id = 'exports';
-- Those that lie there as they are go with the next cleanup.
update exports set expires_at = now() where state = 'ready';
