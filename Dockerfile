# Build stage, with development dependencies.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY src ./src
COPY dev ./dev
ARG SOURCE_VERSION
RUN node dev/scripts/build.ts

FROM node:24-slim
# NODE_COMPILE_CACHE keeps compiled code on disk for the next start.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compile-cache STORE_URL=sqlite:/data/callboard.sqlite PORT=3000
WORKDIR /app
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.mjs"]
