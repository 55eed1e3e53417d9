# Builds the pages with everything, then keeps what serving needs.
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
# What isn't in the database or in S3 lies here, and belongs to an account without rights.
RUN mkdir /var/lib/italk && chown node:node /var/lib/italk
VOLUME /var/lib/italk
USER node
EXPOSE 3000
# Ready: the database answers, its migrations are there, files can be read.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
