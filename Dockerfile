# Builds the pages with development packages, then keeps only what serving needs.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/bootstrap.mjs build && npm prune --omit=dev

FROM node:26-slim
ENV NODE_ENV=production ITALK_MODE=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/italk
WORKDIR /app
COPY --from=build /app ./
# Data outside the database and S3, owned by an unprivileged account.
RUN mkdir /var/lib/italk && chown node:node /var/lib/italk
VOLUME /var/lib/italk
USER node
EXPOSE 3000
# Ready: the database answers, is migrated, and files are readable.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "build/program/main.mjs"]
