# Packs the site with development packages, then keeps only the packed release, which brings its own Node.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/bootstrap.mjs package && mv build/package/italk-*/ /release

FROM debian:stable-slim
ENV ITALK_MODE=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/italk
WORKDIR /app
COPY --from=build /release ./
# Data outside the database and S3, owned by an unprivileged account. Earlier images used the same number.
RUN useradd --uid 1000 --home-dir /var/lib/italk --create-home italk
VOLUME /var/lib/italk
USER italk
EXPOSE 3000
# Ready: the database answers, is migrated, and files are readable.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["./italk", "ready"]
STOPSIGNAL SIGTERM
CMD ["./italk"]
